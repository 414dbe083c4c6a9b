package dev.pinion.handlers.remote;

import dev.pinion.handlers.remote.transport.FrameTransport;
import java.util.Random;
import java.util.concurrent.atomic.LongAdder;

/**
 * A transport that loses and doubles frames, unless that is another run of a handler counted by a
 * test: messages to a queue group are lost, never doubled.
 */
public final class BadTransport implements FrameTransport {
  private static final int KIND_AT = 3;
  private static final int RUN = 3;
  private static final int BEGUN = 4;
  private static final double LOST_QUESTIONS = 0.005; // each costs the time of an answer
  private static final double LOST_ANSWERS = 0.03;
  private static final double DOUBLED = 0.03;

  private final FrameTransport under;
  private final Random random;
  private final LongAdder lost = new LongAdder();
  private final LongAdder doubled = new LongAdder();

  /** A bad transport over a good one, which is closed with it. */
  public BadTransport(FrameTransport under, long seed) {
    this.under = under;
    this.random = new Random(seed);
  }

  @Override
  public boolean send(String subject, byte[] frame) {
    int kind = frame[KIND_AT];
    double draw;
    synchronized (random) {
      draw = random.nextDouble();
    }
    if (kind != BEGUN && draw < (kind < BEGUN ? LOST_QUESTIONS : LOST_ANSWERS)) {
      lost.increment();
      return true;
    }
    if (kind != RUN && draw > 1 - DOUBLED) {
      doubled.increment();
      under.send(subject, frame);
    }
    return under.send(subject, frame);
  }

  /** Number of lost frames. */
  public long lost() {
    return lost.sum();
  }

  /** Number of doubled frames. */
  public long doubled() {
    return doubled.sum();
  }

  @Override
  public Subscription subscribe(String subject, String group, FrameReceiver frameReceiver) {
    return under.subscribe(subject, group, frameReceiver);
  }

  @Override
  public boolean isConnected() {
    return under.isConnected();
  }

  @Override
  public int maxBytes() {
    return under.maxBytes();
  }

  @Override
  public void close() {
    under.close();
  }
}
