package dev.pinion.core.kernel;

import dev.pinion.core.kernel.step.Activity;
import dev.pinion.core.kernel.step.Instance;
import dev.pinion.core.kernel.step.ScheduleTask;
import dev.pinion.core.kernel.step.TimerWheel;
import dev.pinion.core.kernel.step.ValuePacking;
import dev.pinion.core.kernel.table.Instances;
import dev.pinion.core.message.Event;
import dev.pinion.core.schedule.Recurrence;
import dev.pinion.core.schedule.ScheduleProgress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Timers that are set for a time of the wall clock: those of schedules, and of instances that begin
 * at a given time. The wheel turns by the monotonic clock, so they are set anew when the wall clock
 * was set, and when instances have come from a journal. Kernel thread only.
 */
final class WallClockTimers {
  private static final Logger LOG = LoggerFactory.getLogger(WallClockTimers.class);

  /** Change of the wall clock against the monotonic one that counts as set. */
  static final long LEAST_JUMP_MILLIS = 500;

  /** Lateness of a run that is worth a line in the log. */
  private static final long LATE_MILLIS = 1_000;

  /** Interval of looks at the wall clock while something waits for a time of it. */
  private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(10);

  private static final long UNKNOWN = Long.MIN_VALUE;

  private final Instances instances;
  private final EffectRouter router;
  private final Turns turns;
  private final ValuePacking valuePacking;
  private long offsetMillis = UNKNOWN;

  WallClockTimers(Instances instances, EffectRouter router, Turns turns) {
    this.instances = instances;
    this.router = router;
    this.turns = turns;
    this.valuePacking = instances.memoryAccount().packing();
  }

  /** Has all timers set anew: instances have come. */
  void reset() {
    offsetMillis = UNKNOWN;
  }

  /** Time of the next look at the wall clock; {@link Long#MAX_VALUE} when nothing waits for it. */
  long nextDeadlineNanos() {
    return instances.onWallClock() == 0
        ? Long.MAX_VALUE
        : turns.recorder().time().nowNanos() + LOOK_NANOS;
  }

  /** Sets all timers anew if the wall clock was set; returns how many. */
  int work() {
    CycleTime time = turns.recorder().time();
    long offset = time.epochMillis() - TimeUnit.NANOSECONDS.toMillis(time.nowNanos());
    if (offsetMillis != UNKNOWN && Math.abs(offset - offsetMillis) < LEAST_JUMP_MILLIS) {
      return 0;
    }
    offsetMillis = offset;
    int set = 0;
    for (Instance instance : affected()) {
      Activity activity = waiting(instance);
      if (activity != null && activity.timer(Activity.DELAY) != null) {
        setAnew(activity);
        set++;
      }
    }
    return set;
  }

  private void setAnew(Activity activity) {
    Instance instance = activity.instance();
    if (activity.keepsSchedule() && isAhead(instance)) {
      LOG.warn(
          "schedule {} ({}): the clock was set back; due times count from now",
          instance.graph().key(),
          instance.id());
      turns.submit(instance, new Event.Resumed(instance.id()));
      return;
    }
    long left = millisLeft(activity);
    if (left <= -LATE_MILLIS && activity.keepsSchedule()) {
      LOG.info(
          "schedule {} ({}): the run that was due {} ms ago begins late",
          instance.graph().key(),
          instance.id(),
          -left);
    }
    router.cancelTimer(activity, Activity.DELAY);
    setTimer(activity, activity.armed(Activity.DELAY), left);
  }

  /** Whether the last event of a schedule lies far in the future by the clock of now. */
  private boolean isAhead(Instance instance) {
    long ahead = instance.nowEpochMillis() - turns.recorder().time().epochMillis();
    return ahead > ScheduleProgress.MOST_PATIENCE_MILLIS;
  }

  private List<Instance> affected() {
    List<Instance> found = new ArrayList<>();
    if (instances.onWallClock() == 0) {
      return found;
    }
    for (Instance instance : instances.running()) {
      if (waiting(instance) != null) {
        found.add(instance);
      }
    }
    return found;
  }

  /** The activity of an instance that waits for a time of the wall clock, or null. */
  private static @Nullable Activity waiting(Instance instance) {
    if (instance.isPending()) {
      return instance.root();
    }
    return instance.graph().scheduleTask() == null ? null : ScheduleTask.activity(instance);
  }

  private void setTimer(Activity activity, int attempt, long millisLeft) {
    long nanos = TimeUnit.MILLISECONDS.toNanos(Math.max(0, millisLeft));
    router.startTimerAt(
        activity, Activity.DELAY, attempt, turns.recorder().time().nowNanos() + nanos);
  }

  private long millisLeft(Activity activity) {
    Instance instance = activity.instance();
    long until = activity.keepsSchedule() ? wake(instance) : instance.startAtEpochMillis();
    return until - turns.recorder().time().epochMillis();
  }

  private long wake(Instance instance) {
    Long wake =
        valuePacking.readUnpacked(
            instance,
            () -> {
              ScheduleProgress progress = ScheduleTask.progressOf(instance);
              return progress == null ? Recurrence.NONE : progress.wake();
            });
    return wake;
  }

  /**
   * Whether a timer that the wheel has fired is not due yet by the wall clock, because that was set
   * back: then it is set again.
   */
  boolean postpones(TimerWheel.Timer timer) {
    Activity activity = timer.activity;
    if (timer.kind != Activity.DELAY || !isOnWallClock(activity)) {
      return false;
    }
    long left = millisLeft(activity);
    if (left <= 0) {
      return false;
    }
    setTimer(activity, timer.attempt, left);
    return true;
  }

  private static boolean isOnWallClock(Activity activity) {
    return activity.keepsSchedule() || activity.instance().isPending();
  }
}
