package dev.pinion.core.metrics;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A number that one thread writes and any thread reads, with values that may be a moment old.
 *
 * <p>A write is a plain load and an opaque store: no fence, no atomic instruction.
 */
public final class SingleWriterCounter {
  private static final VarHandle VALUE;

  static {
    try {
      VALUE = MethodHandles.lookup().findVarHandle(SingleWriterCounter.class, "value", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private long value;

  /** A counter at 0. */
  public SingleWriterCounter() {}

  /** Adds 1. Writing thread only. */
  public void increment() {
    add(1);
  }

  /** Adds a number. Writing thread only. */
  public void add(long delta) {
    VALUE.setOpaque(this, value + delta);
  }

  /** Replaces the value. Writing thread only. */
  public void set(long now) {
    VALUE.setOpaque(this, now);
  }

  /** The present value. Any thread. */
  public long value() {
    return (long) VALUE.getOpaque(this);
  }
}
