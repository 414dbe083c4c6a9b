package dev.pinion.bootstrap.conformance;

import dev.pinion.core.model.Clock;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.spi.InstanceObserver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Names of the tasks that the instances of an engine have entered, in order. For any thread. */
final class EnteredTasks implements InstanceObserver {
  private final Clock clock;
  private final List<String> names = new ArrayList<>();

  EnteredTasks(Clock clock) {
    this.clock = clock;
  }

  @Override
  public synchronized void onTaskEntered(InstanceId id, String pointer, String name) {
    names.add(name);
    notifyAll();
  }

  /** Forgets all. */
  synchronized void clear() {
    names.clear();
  }

  /** The names so far. */
  synchronized List<String> names() {
    return List.copyOf(names);
  }

  /** How often a task was entered so far. */
  synchronized int count(String name) {
    return Collections.frequency(names, name);
  }

  /**
   * Waits until a task was entered so often.
   *
   * @return how often it was entered when that was reached or time was up
   */
  synchronized int await(String name, int times, Duration atMost) throws InterruptedException {
    long end = clock.nanoTime() + atMost.toNanos();
    long left = atMost.toNanos();
    while (count(name) < times && left > 0) {
      TimeUnit.NANOSECONDS.timedWait(this, left);
      left = end - clock.nanoTime();
    }
    return count(name);
  }
}
