package dev.pinion.bootstrap.events;

import dev.pinion.bootstrap.history.publish.HttpSender;
import dev.pinion.bootstrap.settings.EventSinkSpec;
import dev.pinion.core.limits.PublishLimits;
import java.net.http.HttpRequest;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivery of emitted events to one sink: in order, one at a time, each until it is accepted. Used
 * by one thread, except for its counters.
 */
final class SinkDelivery {
  private static final Logger LOG = LoggerFactory.getLogger(SinkDelivery.class);
  private static final String CONTENT_TYPE = "application/cloudevents+json; charset=utf-8";
  private static final int READ_AT_ONCE = 64;
  private static final int MAX_SHIFT = 20;

  final EventSinkSpec sink;
  private final PublishLimits limits;
  private final HttpSender sender;
  private final Runnable wakeup;
  private final Deque<SinkProgress.EmittedEvent> queue = new ArrayDeque<>();
  private final AtomicLong delivered = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();
  private final AtomicLong lost = new AtomicLong();
  private @Nullable CompletableFuture<Integer> sent;
  private int failures;
  private long retryAtMillis;
  private long position;
  private long stored;

  SinkDelivery(EventSinkSpec sink, PublishLimits limits, HttpSender sender, Runnable wakeup) {
    this.sink = sink;
    this.limits = limits;
    this.sender = sender;
    this.wakeup = wakeup;
  }

  /** Continues behind a position; a request under way is repeated. */
  void begin(long after) {
    sent = null;
    position = after;
    stored = after;
    queue.clear();
  }

  /** Events that were accepted. */
  long delivered() {
    return delivered.get();
  }

  /** Attempts that failed. */
  long failed() {
    return failed.get();
  }

  /** Events that were left out, as too many waited. */
  long lost() {
    return lost.get();
  }

  /**
   * Goes on as far as possible without waiting.
   *
   * @param end last position of the log
   */
  void work(SinkProgress progress, long end, long nowMillis) throws SQLException {
    while (settle(nowMillis) && nowMillis >= retryAtMillis) {
      if (queue.isEmpty()) {
        queue.addAll(progress.read(sink, position, READ_AT_ONCE));
      }
      SinkProgress.EmittedEvent next = queue.peek();
      if (next == null) {
        position = Math.max(position, end);
        return;
      }
      send(next);
    }
  }

  /** Handles the response to the last request; returns whether another may be sent. */
  private boolean settle(long nowMillis) {
    CompletableFuture<Integer> current = sent;
    if (current == null) {
      return true;
    }
    if (!current.isDone()) {
      return false;
    }
    sent = null;
    String problem = problem(current);
    if (problem == null) {
      position = queue.remove().position();
      delivered.incrementAndGet();
      failures = 0;
    } else {
      onFailure(problem, nowMillis);
    }
    return true;
  }

  private static @Nullable String problem(CompletableFuture<Integer> done) {
    try {
      int status = done.join();
      return status / 100 == 2 ? null : "it answered " + status;
    } catch (CompletionException e) {
      return String.valueOf(e.getCause());
    }
  }

  private void onFailure(String problem, long nowMillis) {
    failed.incrementAndGet();
    if (failures == 0) {
      LOG.warn("event sink {} is tried again: {}", sink.name(), problem);
    }
    long delay = (long) limits.retryMillis() << Math.min(failures, MAX_SHIFT);
    retryAtMillis = nowMillis + Math.min(delay, limits.maxRetryMillis());
    failures++;
  }

  private void send(SinkProgress.EmittedEvent event) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(sink.uri())
            .header("Content-Type", CONTENT_TYPE)
            .POST(HttpRequest.BodyPublishers.ofByteArray(event.json()));
    CompletableFuture<Integer> answer = sender.send(request, sink.uri());
    sent = answer;
    var _ = answer.whenComplete((_, _) -> wakeup.run());
  }

  /**
   * Leaves out the oldest events when too many wait.
   *
   * @param end last position of the log
   */
  void bound(SinkProgress progress, long end, int maxLag) throws SQLException {
    if (end - position <= maxLag) {
      return;
    }
    SinkProgress.Lag lag = progress.lag(sink, position, maxLag);
    if (lag.excess() > 0 && sent == null) {
      LOG.warn(
          "event sink {} is too far behind: {} events are left out (events.maxSinkLag = {})",
          sink.name(),
          lag.excess(),
          maxLag);
      lost.addAndGet(lag.excess());
      position = lag.from();
      queue.clear();
    }
  }

  /** The position to store, if it has changed; else -1. */
  long unstored() {
    if (position == stored) {
      return -1;
    }
    stored = position;
    return position;
  }
}
