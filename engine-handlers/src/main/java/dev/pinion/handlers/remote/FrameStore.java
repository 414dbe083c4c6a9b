package dev.pinion.handlers.remote;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * A server that keeps frames until a host is done with them, however long that takes. For use by
 * any thread.
 */
interface FrameStore {
  /**
   * Gives a frame to the server.
   *
   * @param subject where hosts take it from
   * @param id of frames with the same one, given within minutes, the first is kept
   * @return completed when the server has it; with an exception when it refuses or says nothing
   */
  CompletableFuture<?> keep(String subject, String id, byte[] frame);

  /**
   * Takes frames, each shared with all others who take from there.
   *
   * @param kind the kind of handler that they are for
   * @param atOnce how many to have at once at most
   * @throws IOException when the server cannot keep frames
   */
  Transport.Subscription take(String kind, int atOnce, Receiver receiver) throws IOException;

  /** Gets frames, one at a time, and returns soon. */
  interface Receiver {
    /** A frame has come, for the first time or again. */
    void received(Kept frame);
  }

  /** A frame that the server keeps. Unless it hears of it, it gives it to another host. */
  interface Kept {
    /** What was kept. */
    byte[] frame();

    /** How often it was given to a host until now, from 1. */
    long deliveries();

    /** Somebody is at it. */
    void working();

    /** It need not be kept any more. */
    void done();

    /** It is to come again, not before some time. */
    void again(Duration after);
  }
}
