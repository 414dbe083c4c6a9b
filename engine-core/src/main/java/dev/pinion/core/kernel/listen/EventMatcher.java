package dev.pinion.core.kernel.listen;

import dev.pinion.core.graph.EventFilter;
import dev.pinion.core.kernel.counters.ListenCounters;
import dev.pinion.core.kernel.step.Activity;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.message.Event;
import dev.pinion.core.model.Scope;
import dev.pinion.core.spi.EventSubscriber.LoggedEvent;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Finds the listeners of one event after the other, a little in each duty cycle, and gives each of
 * them the event once.
 *
 * <pre>
 *   event ─▶ filters of its type ─▶ what the filter asks of the event alone
 *                                        └─▶ listeners that expect its values ─▶ their own conditions
 * </pre>
 *
 * <p>A listener with several filters gets the event by the first of them that it passes; those that
 * end the task come before the others.
 */
public final class EventMatcher {
  private static final int STEPS_PER_EVENT = 20;
  private static final int STEPS_PER_LISTENER = 2;
  private static final int STEPS_PER_MATCH = 20;

  private final EventIntake intake;
  private final ListenerIndex index;
  private final ListenerHost host;
  private final ListenCounters counters;
  private final FilterEvaluation evaluation;
  private final FilterComparison comparison;
  private final EventSequence sequence;
  private final UnheardEvents unheard;
  private final Deque<Latecomer> latecomers = new ArrayDeque<>();

  private @Nullable LoggedEvent event;
  private boolean consumed;
  private Iterator<FilterGroup> groups = List.<FilterGroup>of().iterator();
  private @Nullable FilterGroup group;
  private @Nullable SubscriptionList list;
  private List<String> correlated = List.of();
  private @Nullable Subscription subscription;

  /** A listener that the present part is evaluated for. */
  private @Nullable Listener about;

  /** A matcher without events. */
  public EventMatcher(
      EventIntake intake,
      ListenerIndex index,
      ListenerHost host,
      EngineLimits limits,
      ListenCounters counters) {
    this.intake = intake;
    this.index = index;
    this.host = host;
    this.counters = counters;
    this.evaluation =
        new FilterEvaluation(limits.expression().loopSteps(), limits.events().maxAttributeChars());
    this.comparison = new FilterComparison(evaluation, host);
    this.unheard =
        new UnheardEvents(limits.events().keepMillis(), limits.events().maxUnheardBytes());
    this.sequence = new EventSequence(intake, unheard);
  }

  /** Steps of expressions spent so far. */
  public long spent() {
    return evaluation.spent();
  }

  /**
   * Has an activity receive the events that come from now on.
   *
   * @return heap bytes of its entries in the index
   */
  public long listen(Activity activity) {
    long after =
        unheard.areKept() && intake.position() >= 0 ? intake.position() : intake.knownEnd();
    Listener listener = index.add(activity, after);
    if (listener == null) {
      return 0;
    }
    if (unheard.size() > 0 && after >= 0) {
      latecomers.add(new Latecomer(listener));
    }
    return added(listener);
  }

  /**
   * Has an activity that comes from its state receive the events since it began.
   *
   * @return heap bytes of its entries in the index
   */
  public long listenAgain(Activity activity) {
    Listener listener = index.add(activity, Listener.RESTORED);
    return listener == null ? 0 : added(listener);
  }

  private long added(Listener listener) {
    intake.listens(true);
    counters.listeners(index.size());
    return listener.heapBytes();
  }

  /** Has an activity receive no more events by one of its filters. */
  public void listenLess(Activity activity, int filter) {
    index.remove(activity, filter);
  }

  /**
   * Has an activity receive no more events.
   *
   * @return heap bytes of its entries in the index
   */
  public long unlisten(Activity activity) {
    Listener listener = index.remove(activity);
    if (listener == null) {
      return 0;
    }
    intake.listens(index.size() > 0);
    counters.listeners(index.size());
    return listener.heapBytes();
  }

  /** Stores the answer of a part that was evaluated elsewhere; null when it failed. */
  public void answer(@Nullable Object value) {
    evaluation.answer(value);
  }

  /** Whether {@link #step} has something to do. */
  public boolean hasWork() {
    return evaluation.pending() == null
        && (event != null || sequence.hasMore() || !latecomers.isEmpty());
  }

  /** Heap bytes of the events that are kept. */
  public long keptBytes() {
    return unheard.heapBytes();
  }

  /**
   * Ends the steps of a duty cycle: tells how far the matcher has come.
   *
   * @return whether that is further than before
   */
  public boolean checkpoint() {
    intake.ensureWanted();
    unheard.expire(host.epochMillis());
    counters.evaluated(evaluation.parts(), evaluation.failed());
    counters.unheard(unheard.size());
    return intake.checkpoint();
  }

  /** Takes one step, such as one listener for one event; returns whether there was one. */
  public boolean step() {
    if (evaluation.pending() != null) {
      return false;
    }
    try {
      return !latecomers.isEmpty() && event == null ? lookBack() : lookOn();
    } catch (FilterEvaluation.PendingException e) {
      FilterEvaluation.LongPart part = Objects.requireNonNull(evaluation.pending());
      Activity asking = Objects.requireNonNull(about).activity;
      host.evaluate(asking, part.expression(), part.event(), part.isOwn());
      return false;
    }
  }

  private boolean lookOn() {
    if (event == null) {
      return next();
    }
    if (list == null) {
      return enterGroup();
    }
    if (subscription == null) {
      subscription = list.next();
    }
    Subscription current = subscription;
    if (current == null) {
      list = null;
      group = null;
      return true;
    }
    evaluation.charge(STEPS_PER_LISTENER);
    about = current.listener;
    decide(event, current);
    evaluation.forgetOwn();
    subscription = null;
    return true;
  }

  /** Turns to the next event; returns whether there is one, or something else was done. */
  private boolean next() {
    boolean moved = sequence.advance(index.size() > 0);
    LoggedEvent next = sequence.take();
    if (next != null) {
      begin(next);
    }
    return moved;
  }

  private void begin(LoggedEvent next) {
    event = next;
    consumed = next.isConsumed();
    evaluation.charge(STEPS_PER_EVENT);
    evaluation.turnTo(next.event());
    groups = index.candidates(next.namespace(), next.type()).iterator();
    group = null;
    counters.onEvent();
  }

  private boolean enterGroup() {
    LoggedEvent current = Objects.requireNonNull(event);
    if (group == null) {
      if (!groups.hasNext()) {
        finish(current);
        return true;
      }
      group = groups.next();
    }
    FilterGroup asked = group;
    about = asked.any();
    if (about == null) { // the last of them has gone
      group = null;
      return true;
    }
    EventFilter filter = asked.filter;
    SubscriptionList found = null;
    if (evaluation.passes(filter.condition(), Scope.EMPTY)) {
      String key = filter.keys().isEmpty() ? null : evaluation.key(filter);
      found = key == null && !filter.keys().isEmpty() ? null : asked.find(key);
    }
    List<String> values = found == null ? null : evaluation.correlated(filter);
    if (found == null || values == null) {
      group = null;
    } else {
      correlated = values;
      found.beginPass();
      list = found;
    }
    return true;
  }

  private void finish(LoggedEvent done) {
    event = null;
    intake.handled(done.position());
    if (!consumed) {
      unheard.add(done, host.epochMillis());
    }
  }

  private void decide(LoggedEvent current, Subscription one) {
    Listener listener = one.listener;
    if (listener.decided == current.position()
        || !concerns(listener, current)
        || !comparison.passesRest(listener, one.filter, correlated)) {
      return;
    }
    int filter = comparison.first(listener, current, one.filter);
    give(
        listener,
        filter,
        filter == one.filter ? correlated : comparison.correlated(listener, filter),
        current);
  }

  private boolean concerns(Listener listener, LoggedEvent current) {
    return intake.concerns(listener.partition, current.position())
        && isSince(listener, current)
        && !listener.state.hasConsumed(current.position());
  }

  /** Whether an event counts, by when it was received. */
  private boolean isSince(Listener listener, LoggedEvent current) {
    if (listener.after >= 0) {
      return current.position() > listener.after;
    }
    return current.position() > intake.epochEnd() || isRecent(listener, current);
  }

  private boolean isRecent(Listener listener, LoggedEvent current) {
    return current.receivedAtMillis()
        >= listener.activity.startedAtEpochMillis() - unheard.keepMillis();
  }

  private void give(Listener listener, int filter, List<String> values, LoggedEvent current) {
    listener.decided = current.position();
    consumed = true;
    intake.consumed(current.position());
    evaluation.charge(STEPS_PER_MATCH);
    counters.onMatch();
    Activity activity = listener.activity;
    host.receive(
        activity,
        new Event.EventReceived(
            activity.instance().id(),
            activity.slot(),
            listener.state.number(),
            current.position(),
            filter,
            values,
            current.event()));
  }

  /** Compares a latecomer with the next event that was kept. */
  private boolean lookBack() {
    Latecomer latecomer = latecomers.getFirst();
    Listener listener = latecomer.listener;
    LoggedEvent kept = index.holds(listener) ? unheard.next(latecomer) : null;
    if (kept == null || kept.position() > listener.after) {
      latecomers.removeFirst();
      return true;
    }
    evaluation.charge(STEPS_PER_LISTENER);
    if (kept.namespace().equals(listener.namespace())
        && isRecent(listener, kept)
        && !listener.state.hasConsumed(kept.position())) {
      lookBack(listener, kept);
    }
    latecomer.comparedUpTo = kept.position();
    return true;
  }

  private void lookBack(Listener listener, LoggedEvent kept) {
    evaluation.turnTo(kept.event());
    about = listener;
    int filter = comparison.first(listener, kept, FilterComparison.NONE);
    if (filter != FilterComparison.NONE) {
      unheard.remove(kept.position(), kept.position());
      give(listener, filter, comparison.correlated(listener, filter), kept);
    }
    evaluation.forgetOwn();
  }
}
