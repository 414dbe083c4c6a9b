package dev.pinion.bootstrap.events;

import dev.pinion.core.limits.EventLimits;
import dev.pinion.core.model.Payload;
import dev.pinion.core.spi.ExternalEvents.EventReceipt;
import dev.pinion.core.stage.Lane;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Requests whose events wait to be stored. For any thread; one at a time takes them. */
final class WaitingEvents {
  private final EventLimits limits;
  private final Lane<PendingEvents> lane;
  private final AtomicInteger requests = new AtomicInteger();
  private final AtomicLong bytes = new AtomicLong();

  /**
   * A request.
   *
   * @param emitted whether an instance emits them
   * @param bytes approximate heap bytes of its events
   * @param then receives the outcome
   */
  record PendingEvents(
      String namespace,
      List<Payload> events,
      boolean emitted,
      long bytes,
      CompletableFuture<EventReceipt> then) {
    static PendingEvents of(String namespace, List<Payload> events, boolean emitted) {
      long bytes = 0;
      for (Payload event : events) {
        bytes += event.heapBytes();
      }
      return new PendingEvents(namespace, events, emitted, bytes, new CompletableFuture<>());
    }
  }

  WaitingEvents(EventLimits limits, Runnable wakeup) {
    this.limits = limits;
    this.lane = new Lane<>("external-events", Math.max(2, limits.maxWaiting()));
    lane.attach(wakeup::run);
  }

  /** Adds a request; returns why it may not wait, or null. */
  @Nullable EventReceipt add(PendingEvents request) {
    String limit = admit(request.bytes);
    if (limit != null) {
      return new EventReceipt.QueueFull(limit);
    }
    if (!lane.offer(request)) {
      leave(request);
      return stopped();
    }
    return null;
  }

  private static EventReceipt stopped() {
    return new EventReceipt.StoreUnavailable("the replica stops; repeat the request");
  }

  /** A request larger than the bound is accepted when no other waits. */
  private @Nullable String admit(long more) {
    if (requests.incrementAndGet() > limits.maxWaiting()) {
      requests.decrementAndGet();
      return "events.maxWaiting";
    }
    long others = bytes.getAndAdd(more);
    if (others > 0 && others + more > limits.maxWaitingBytes()) {
      requests.decrementAndGet();
      bytes.addAndGet(-more);
      return "events.maxWaitingBytes";
    }
    return null;
  }

  private void leave(PendingEvents request) {
    requests.decrementAndGet();
    bytes.addAndGet(-request.bytes);
  }

  /** Takes the first requests. */
  List<PendingEvents> take(int most) {
    List<PendingEvents> taken = new ArrayList<>();
    lane.drain(taken::add, most);
    return taken;
  }

  /** Answers a request that was taken. */
  void answer(PendingEvents request, EventReceipt outcome) {
    leave(request);
    request.then.complete(outcome);
  }

  /** Answers all that wait: the replica stops. */
  void refuseAll() {
    for (PendingEvents next = lane.poll(); next != null; next = lane.poll()) {
      answer(next, stopped());
    }
  }
}
