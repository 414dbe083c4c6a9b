package dev.pinion.core.loop;

import dev.pinion.core.stage.Lane;
import dev.pinion.core.stage.Stage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** A stage that records everything for a test. */
class ProbeStage implements Stage {
  final Lane<Integer> lane = new Lane<>("probe", 1 << 10);
  final AtomicInteger taken = new AtomicInteger();
  final AtomicInteger closed = new AtomicInteger();
  final AtomicReference<String> thread = new AtomicReference<>("");
  volatile long deadlineNanos = NO_DEADLINE;
  volatile long firedNanos;

  @Override
  public String role() {
    return "probe";
  }

  @Override
  public int doWork(long nowNanos, long epochMillis) {
    thread.set(Thread.currentThread().getName());
    if (nowNanos >= deadlineNanos) {
      firedNanos = nowNanos;
      deadlineNanos = NO_DEADLINE;
    }
    return lane.drain(message -> taken.incrementAndGet(), 100);
  }

  @Override
  public boolean hasWork() {
    return !lane.isEmpty();
  }

  @Override
  public long nextDeadlineNanos() {
    return deadlineNanos;
  }

  @Override
  public void onClose() {
    closed.incrementAndGet();
  }
}
