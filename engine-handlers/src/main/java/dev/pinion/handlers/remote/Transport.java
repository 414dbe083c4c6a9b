package dev.pinion.handlers.remote;

/**
 * Carries frames between requesters and hosts, as well as it can: each may be lost, come twice,
 * come late or out of order. For use by any thread.
 */
public interface Transport extends AutoCloseable {
  /**
   * Sends a frame to whoever listens at a subject, if anybody does; returns soon.
   *
   * @return whether it is on its way, as far as can be told here; false when there is no connection
   *     or no room
   */
  boolean send(String subject, byte[] frame);

  /**
   * Listens at a subject.
   *
   * @param group each frame goes to one member of a group; empty for a listener of its own
   */
  Subscription subscribe(String subject, String group, Receiver receiver);

  /** Whether there is a connection now. */
  boolean isConnected();

  /** The largest frame that can be carried now, in bytes. */
  int maxBytes();

  @Override
  void close();

  /** Gets frames, one at a time for each subscription, and returns soon. */
  interface Receiver {
    /** A frame has come; it may be any bytes. */
    void received(byte[] frame);
  }

  /** What ends listening. */
  interface Subscription {
    /** No frame is passed on any more, but the one that is being passed on. */
    void end();
  }
}
