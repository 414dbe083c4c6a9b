package dev.pinion.handlers.remote.transport;

/**
 * Carries frames between requesters and hosts, without guarantees: each may be lost, repeated,
 * delayed or reordered. For use by any thread.
 */
public interface FrameTransport extends AutoCloseable {
  /**
   * Sends a frame to the listeners of a subject, if there are any; returns soon.
   *
   * @return whether it was sent, as far as is known here; false when there is no connection or no
   *     room
   */
  boolean send(String subject, byte[] frame);

  /**
   * Listens on a subject.
   *
   * @param group each frame goes to one member of a group; empty for a separate listener
   */
  Subscription subscribe(String subject, String group, FrameReceiver frameReceiver);

  /** Whether there is a connection now. */
  boolean isConnected();

  /** The largest frame that can be carried now, in bytes. */
  int maxBytes();

  @Override
  void close();

  /** Receives frames, one at a time for each subscription, and returns soon. */
  interface FrameReceiver {
    /** Receives a frame; it may be any bytes. */
    void received(byte[] frame);
  }

  /** Ends listening. */
  interface Subscription {
    /** Stops passing frames on, except the current one. */
    void end();
  }
}
