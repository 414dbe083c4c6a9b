package dev.pinion.core.stage;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counters of one lane. The reader counts the messages it takes; any writer counts refusals, which
 * are rare.
 */
public final class LaneCounters {
  private static final VarHandle TAKEN;

  static {
    try {
      TAKEN = MethodHandles.lookup().findVarHandle(LaneCounters.class, "taken", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final LongAdder refused = new LongAdder();

  @SuppressWarnings("UnusedVariable") // through TAKEN
  private long taken;

  LaneCounters() {}

  void onTaken(int count) {
    if (count > 0) {
      TAKEN.setOpaque(this, (long) TAKEN.getOpaque(this) + count);
    }
  }

  void onRefused() {
    refused.increment();
  }

  /** Messages the reader has taken. */
  public long taken() {
    return (long) TAKEN.getOpaque(this);
  }

  /** Offers that found the lane full. */
  public long refused() {
    return refused.sum();
  }
}
