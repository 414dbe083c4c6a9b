package dev.pinion.core.invoker;

import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.call.CallOutcome;
import dev.pinion.core.model.call.EventEmission;
import dev.pinion.core.spi.ExternalEvents;
import dev.pinion.core.spi.ExternalEvents.EventReceipt;
import dev.pinion.core.stage.Stage;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands the events that tasks emit to the log, for one {@link Invoker}. An event that finds no room
 * there is offered again until its call runs out of time. On the thread of the Invoker.
 */
final class EventEmitter {
  private static final Logger LOG = LoggerFactory.getLogger(EventEmitter.class);
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final int STATUS_CONFLICT = 409;

  private final ExternalEvents events;
  private final Executor loop;

  /** Emissions to offer again, the first one due first. */
  private final Deque<Emission> waiting = new ArrayDeque<>();

  private long nowNanos;

  /**
   * An emitter.
   *
   * @param loop runs tasks on the event loop of the Invoker
   */
  EventEmitter(ExternalEvents events, Executor loop) {
    this.events = events;
    this.loop = loop;
  }

  /** Emits an event into a namespace. */
  ServiceCaller.OngoingCall emit(
      String namespace, EventEmission event, ServiceCaller.CallListener listener) {
    Emission emission = new Emission(namespace, event, listener);
    emission.offer();
    return emission;
  }

  /** Offers again what has waited for long enough; returns how much. */
  int work(long now) {
    nowNanos = now;
    int offered = 0;
    for (Emission next = waiting.peek();
        next != null && next.dueNanos - now <= 0;
        next = waiting.peek()) {
      waiting.remove();
      if (!next.cancelled) {
        next.offer();
        offered++;
      }
    }
    return offered;
  }

  /** Monotonic time at which something is due, or {@link Stage#NO_DEADLINE}. */
  long nextDeadlineNanos() {
    Emission next = waiting.peek();
    return next == null ? Stage.NO_DEADLINE : next.dueNanos;
  }

  /** One event on its way. */
  private final class Emission implements ServiceCaller.OngoingCall {
    private final String namespace;
    private final EventEmission event;
    private final ServiceCaller.CallListener listener;
    private boolean cancelled;
    private long dueNanos;

    Emission(String namespace, EventEmission event, ServiceCaller.CallListener listener) {
      this.namespace = namespace;
      this.event = event;
      this.listener = listener;
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the outcome comes back on the event loop
    void offer() {
      events
          .emit(namespace, event.event())
          .whenComplete(
              (receipt, failure) -> {
                try {
                  loop.execute(() -> settle(receipt, failure));
                } catch (RejectedExecutionException e) {
                  // the engine has stopped, and reported its calls
                }
              });
    }

    private void settle(@Nullable EventReceipt receipt, @Nullable Throwable failure) {
      if (cancelled) {
        return;
      }
      if (receipt == null) {
        LOG.error("the lane of events failed", failure);
        listener.onOutcome(
            CallFailures.of(ErrorType.RUNTIME, "the event could not be emitted: " + failure));
        return;
      }
      CallOutcome outcome = outcome(receipt);
      if (outcome == null) {
        dueNanos = nowNanos + PAUSE_NANOS;
        waiting.add(this);
      } else {
        listener.onOutcome(outcome);
      }
    }

    /** The outcome of the call, or null when the event is to be offered again. */
    private @Nullable CallOutcome outcome(EventReceipt receipt) {
      return switch (receipt) {
        case EventReceipt.Stored _ -> new CallOutcome.Succeeded(event.event());
        case EventReceipt.ContentConflict _ when !event.isNamedByDefinition() ->
            new CallOutcome.Succeeded(event.event()); // an earlier attempt has emitted it
        case EventReceipt.ContentConflict(String message) ->
            CallFailures.status(STATUS_CONFLICT, "Event Conflict", message);
        case EventReceipt.Malformed(String message) ->
            CallFailures.of(ErrorType.CONFIGURATION, message);
        case EventReceipt.QueueFull _,
            EventReceipt.StoreFull _,
            EventReceipt.NoDiskSpace _,
            EventReceipt.StoreUnavailable _ ->
            null;
      };
    }

    @Override
    public void cancel() {
      cancelled = true;
    }

    @Override
    public String waitsFor() {
      return "room in the log of events";
    }
  }
}
