package dev.pinion.core.kernel.counters;

import dev.pinion.core.metrics.Buckets;
import dev.pinion.core.metrics.Histogram;
import dev.pinion.core.metrics.SingleWriterCounter;
import java.util.concurrent.TimeUnit;

/** Counters of the schedules of one kernel. Written by its thread, read by any. */
public final class ScheduleCounters {
  private final SingleWriterCounter kept = new SingleWriterCounter();
  private final SingleWriterCounter missed = new SingleWriterCounter();
  private final SingleWriterCounter skipped = new SingleWriterCounter();
  private final Histogram lateness = new Histogram(Buckets.LATENESS);

  ScheduleCounters() {}

  /** Counts a run that begins some milliseconds after it was due. */
  public void onRun(long lateMillis) {
    lateness.record(TimeUnit.MILLISECONDS.toNanos(lateMillis));
  }

  /** Counts due times that have passed without a run. */
  public void passedOver(long missedRuns, long skippedRuns) {
    missed.add(missedRuns);
    skipped.add(skippedRuns);
  }

  /** Sets how many schedules are kept here. */
  public void kept(int schedules) {
    kept.set(schedules);
  }

  /** Schedules that are kept here. */
  public long kept() {
    return kept.value();
  }

  /** Due times without a run, because none could begin. */
  public long missed() {
    return missed.value();
  }

  /** Due times without a run, because another one was under way. */
  public long skipped() {
    return skipped.value();
  }

  /** Nanoseconds from a due time until its run began. */
  public Histogram lateness() {
    return lateness;
  }
}
