package dev.pinion.bootstrap.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.core.events.LifecycleEvents;
import dev.pinion.core.model.Clock;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.instance.HistoryEvent;
import dev.pinion.core.model.instance.LifecycleEventType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** Lifecycle events of the instances of an engine, in order. For any thread. */
final class LifecycleRecord {
  /** Most reports of which events are made; later ones are left out. */
  static final int MAX_REPORTS = 10_000;

  private final Clock clock;
  private final List<HistoryEvent> reports = new ArrayList<>();

  LifecycleRecord(Clock clock) {
    this.clock = clock;
  }

  /** Adds what an instance has done. */
  synchronized void add(HistoryEvent report) {
    if (reports.size() < MAX_REPORTS) {
      reports.add(report);
      notifyAll();
    }
  }

  /** Forgets all. */
  synchronized void clear() {
    reports.clear();
  }

  /**
   * Waits for events.
   *
   * @param types types that count
   * @param enough whether these events are what is waited for
   * @return the events when that was so or time was up
   */
  synchronized List<JsonNode> await(
      Set<LifecycleEventType> types, Predicate<List<JsonNode>> enough, Duration atMost)
      throws InterruptedException {
    long end = clock.nanoTime() + atMost.toNanos();
    long left = atMost.toNanos();
    List<JsonNode> events = events(types);
    while (!enough.test(events) && left > 0) {
      TimeUnit.NANOSECONDS.timedWait(this, left);
      left = end - clock.nanoTime();
      events = events(types);
    }
    return events;
  }

  private List<JsonNode> events(Set<LifecycleEventType> types) {
    return reports.stream()
        .flatMap(each -> LifecycleEvents.of(each, types).stream())
        .map(Payload::json)
        .toList();
  }
}
