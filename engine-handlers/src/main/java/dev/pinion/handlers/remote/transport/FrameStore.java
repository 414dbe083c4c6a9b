package dev.pinion.handlers.remote.transport;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * A server that stores frames until a host has processed them, however long that takes. For use by
 * any thread.
 */
public interface FrameStore {
  /**
   * Gives a frame to the server.
   *
   * @param subject subject that hosts receive from
   * @param id id of the frame; of frames with one id within minutes, only the first is stored
   * @return completed when the server has it; with an exception when it refuses or does not answer
   */
  CompletableFuture<?> publish(String subject, String id, byte[] frame);

  /**
   * Receives frames; each goes to one of the receivers.
   *
   * @param kind the kind of handler of the frames
   * @param atOnce the most frames at once
   * @throws IOException when the server cannot store frames
   */
  FrameTransport.Subscription take(String kind, int atOnce, StoredFrameReceiver storedFrameReceiver)
      throws IOException;

  /** Receives frames, one at a time, and returns soon. */
  interface StoredFrameReceiver {
    /** A frame has come, for the first time or again. */
    void received(StoredFrame frame);
  }

  /** A stored frame. Unless the server is notified of progress, it delivers it to another host. */
  interface StoredFrame {
    /** The stored frame. */
    byte[] frame();

    /** Number of deliveries so far, from 1. */
    long deliveries();

    /** Reports that the frame is being processed. */
    void inProgress();

    /** Reports that the frame need not be stored any more. */
    void acknowledge();

    /** Requests another delivery, after some time. */
    void redeliver(Duration after);
  }
}
