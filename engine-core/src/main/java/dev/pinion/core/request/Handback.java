package dev.pinion.core.request;

import io.netty.channel.Channel;

/**
 * Where idle connections go while their replica drains, so that another one serves them on and
 * their clients notice nothing.
 */
public interface Handback {
  /** Nowhere: connections are closed. */
  Handback NONE =
      new Handback() {
        @Override
        public boolean open() {
          return false;
        }

        @Override
        public void take(Channel channel) {
          throw new IllegalStateException("expected connections to be closed, found one returned");
        }
      };

  /** Whether connections are taken now. Any thread. */
  boolean open();

  /**
   * Takes a connection that has nothing under way; this replica has it no longer. Called by the
   * channel's event loop, which empties the pipeline before it does anything else.
   */
  void take(Channel channel);
}
