package dev.pinion.core.kernel;

import dev.pinion.core.journal.Journal;
import dev.pinion.core.kernel.listen.EventMatcher;
import dev.pinion.core.model.HeapAccount;
import org.jspecify.annotations.Nullable;

/** Comparison of events with listeners, as long as there is room. Kernel thread only. */
final class EventWork {
  private final EventMatcher matcher;
  private final EventDelivery delivery;
  private final Journal journal;
  private final HeapAccount heap;

  /** Charge for events that are kept for listeners to come; null before the first. */
  private HeapAccount.@Nullable Share keptEvents;

  EventWork(EventMatcher matcher, EventDelivery delivery, Journal journal, HeapAccount heap) {
    this.matcher = matcher;
    this.delivery = delivery;
    this.journal = journal;
    this.heap = heap;
  }

  /** Work done so far, in steps of expressions. */
  long spent() {
    return matcher.spent();
  }

  /** Whether {@link #step} has something to do. */
  boolean hasWork() {
    return matcher.hasWork() && mayReceive();
  }

  /** Whether events wait for room. */
  boolean isHeldUp() {
    return matcher.hasWork() && !mayReceive();
  }

  /** Takes one step, if there is room; returns whether there was one. */
  boolean step() {
    return mayReceive() && matcher.step();
  }

  /** Ends the steps of a duty cycle; returns whether more events are handled than before. */
  boolean checkpoint() {
    boolean further = matcher.checkpoint();
    chargeKept(matcher.keptBytes());
    return further;
  }

  /** Charges the heap for events that are kept. */
  private void chargeKept(long bytes) {
    HeapAccount.Share charge = keptEvents;
    if (charge == null && bytes > 0) {
      charge = heap.open();
      keptEvents = charge;
    }
    if (charge != null && charge.bytes() != bytes) {
      charge.add(bytes - charge.bytes());
    }
  }

  /** Whether instances may receive events: what they lead to needs room in the journal. */
  private boolean mayReceive() {
    return journal.refusal() == null && !delivery.isBehind();
  }
}
