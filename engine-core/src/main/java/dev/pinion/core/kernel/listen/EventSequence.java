package dev.pinion.core.kernel.listen;

import dev.pinion.core.spi.EventSubscriber.EventBatch;
import dev.pinion.core.spi.EventSubscriber.LoggedEvent;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The events that a kernel is fed, one after the other, of one epoch after the other. */
final class EventSequence {
  private final EventIntake intake;
  private final UnheardEvents unheard;
  private final RecordedMatches recorded;
  private int epoch;
  private @Nullable EventBatch batch;
  private Iterator<LoggedEvent> events = Collections.emptyIterator();
  private @Nullable LoggedEvent next;

  EventSequence(EventIntake intake, UnheardEvents unheard, RecordedMatches recorded) {
    this.intake = intake;
    this.unheard = unheard;
    this.recorded = recorded;
  }

  /** Whether {@link #advance} has something to do. */
  boolean hasMore() {
    return events.hasNext() || batch != null || !intake.lane().isEmpty();
  }

  /** The event that was reached, once; null for none. */
  @Nullable LoggedEvent take() {
    LoggedEvent taken = next;
    next = null;
    return taken;
  }

  /**
   * Goes one step on: to the next event, behind a batch, or to the next batch.
   *
   * @param isHeard whether any instance listens, so that nothing may be left out
   * @return whether there was a step
   */
  boolean advance(boolean isHeard) {
    if (intake.epoch() != epoch) {
      batch = null;
      events = Collections.emptyIterator();
    }
    if (events.hasNext()) {
      next = events.next();
      return true;
    }
    EventBatch done = batch;
    if (done != null) {
      batch = null;
      intake.handled(done.upTo());
      return true;
    }
    EventBatch fresh = intake.poll();
    if (fresh != null) {
      begin(fresh, isHeard);
    }
    return fresh != null;
  }

  private void begin(EventBatch fresh, boolean isHeard) {
    epoch = fresh.epoch();
    List<Long> consumed = fresh.consumed();
    for (int i = 0; i + 1 < consumed.size(); i += 2) {
      unheard.remove(consumed.get(i), consumed.get(i + 1));
      recorded.stored(consumed.get(i), consumed.get(i + 1));
    }
    if (fresh.isLeftOut() && isHeard) {
      intake.request();
    } else {
      batch = fresh;
      events = fresh.events().iterator();
    }
  }
}
