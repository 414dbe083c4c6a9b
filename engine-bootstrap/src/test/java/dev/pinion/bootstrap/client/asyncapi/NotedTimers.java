package dev.pinion.bootstrap.client.asyncapi;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Timers that elapse when a test says so. */
final class NotedTimers extends ScheduledThreadPoolExecutor {
  private static final long FAR_DAYS = 10_000;

  private final List<Timer> timers = new ArrayList<>();

  private record Timer(Runnable work, ScheduledFuture<?> future) {}

  NotedTimers() {
    super(1);
  }

  @Override
  public ScheduledFuture<?> schedule(Runnable work, long delay, TimeUnit unit) {
    ScheduledFuture<?> future = super.schedule(work, FAR_DAYS, TimeUnit.DAYS);
    timers.add(new Timer(work, future));
    return future;
  }

  /** Number of timers that are set. */
  int armed() {
    timers.removeIf(each -> each.future().isCancelled());
    return timers.size();
  }

  /** Lets every timer that is set elapse. */
  void elapse() {
    List<Timer> due = new ArrayList<>(timers);
    timers.clear();
    for (Timer each : due) {
      if (!each.future().isCancelled()) {
        each.work().run();
      }
    }
  }
}
