package dev.pinion.core.kernel.counters;

import dev.pinion.core.metrics.SingleWriterCounter;

/** Counters of the events that the instances of one kernel listen to. */
public final class ListenCounters {
  private final SingleWriterCounter events = new SingleWriterCounter();
  private final SingleWriterCounter matches = new SingleWriterCounter();
  private final SingleWriterCounter listeners = new SingleWriterCounter();
  private final SingleWriterCounter parts = new SingleWriterCounter();
  private final SingleWriterCounter failures = new SingleWriterCounter();
  private final SingleWriterCounter unheard = new SingleWriterCounter();

  ListenCounters() {}

  public void onEvent() {
    events.increment();
  }

  public void onMatch() {
    matches.increment();
  }

  /** Sets how many tasks listen. */
  public void listeners(int now) {
    listeners.set(now);
  }

  /** Sets how many parts of filters were evaluated, and how many of them failed. */
  public void evaluated(long all, long failed) {
    parts.set(all);
    failures.set(failed);
  }

  /** Sets how many events are kept for listeners to come. */
  public void unheard(int now) {
    unheard.set(now);
  }

  /** Events compared with filters. */
  public long events() {
    return events.value();
  }

  /** Events given to tasks that listen. */
  public long matches() {
    return matches.value();
  }

  /** Tasks that listen. */
  public long listeners() {
    return listeners.value();
  }

  /** Parts of filters evaluated. */
  public long parts() {
    return parts.value();
  }

  /** Parts of filters whose evaluation failed: the event did not pass. */
  public long failures() {
    return failures.value();
  }

  /** Events kept for listeners to come. */
  public long unheard() {
    return unheard.value();
  }
}
