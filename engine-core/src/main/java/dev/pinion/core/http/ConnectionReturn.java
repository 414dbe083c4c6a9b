package dev.pinion.core.http;

import io.netty.channel.Channel;

/**
 * Destination of idle connections while their replica drains: another replica takes them over and
 * their clients notice nothing.
 */
public interface ConnectionReturn {
  /** No destination: connections are closed. */
  ConnectionReturn NONE =
      new ConnectionReturn() {
        @Override
        public boolean open() {
          return false;
        }

        @Override
        public void giveBack(Channel channel) {
          throw new IllegalStateException("expected connections to be closed, found one returned");
        }
      };

  /** Whether connections are accepted now. Any thread. */
  boolean open();

  /**
   * Takes a connection that has nothing under way; this replica gives it up. Called by the
   * channel's event loop, which empties the pipeline before it does anything else.
   */
  void giveBack(Channel channel);
}
