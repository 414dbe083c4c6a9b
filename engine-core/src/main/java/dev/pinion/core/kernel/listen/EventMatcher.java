package dev.pinion.core.kernel.listen;

import dev.pinion.core.graph.EventFilter;
import dev.pinion.core.kernel.counters.ListenCounters;
import dev.pinion.core.kernel.step.Activity;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.message.Event;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.Scope;
import dev.pinion.core.spi.EventSubscriber.EventBatch;
import dev.pinion.core.spi.EventSubscriber.LoggedEvent;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
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
  private final Host host;
  private final ListenCounters counters;
  private final FilterEvaluation evaluation;
  private final UnheardEvents unheard;

  /** Listeners that may receive events from before they began. */
  private final Deque<Listener> latecomers = new ArrayDeque<>();

  /** Position of the last kept event that the first latecomer was compared with. */
  private long lookedUpTo;

  private int epoch;
  private @Nullable EventBatch batch;
  private Iterator<LoggedEvent> events = List.<LoggedEvent>of().iterator();
  private @Nullable LoggedEvent event;
  private boolean consumed;
  private Iterator<FilterGroup> groups = List.<FilterGroup>of().iterator();
  private @Nullable FilterGroup group;
  private @Nullable SubscriptionList list;
  private List<String> correlated = List.of();
  private @Nullable Subscription subscription;

  /** A listener that the present part is evaluated for. */
  private @Nullable Listener about;

  /** The kernel around it. */
  public interface Host {
    /** Has the values of an instance at hand while conditions see them. */
    boolean withValues(Activity activity, BooleanSupplier look);

    /** Gives an instance an event: records and applies it. */
    void receive(Activity activity, Event.EventReceived received);

    /**
     * Has a part of a filter evaluated by another thread; its answer follows.
     *
     * @param ofInstance whether the part sees the variables of the activity
     */
    void evaluate(
        Activity about, Expression<?> part, Payload event, boolean ofInstance);

    /** Wall-clock time. */
    long epochMillis();
  }

  /** A matcher without events. */
  public EventMatcher(
      EventIntake intake,
      ListenerIndex index,
      Host host,
      EngineLimits limits,
      ListenCounters counters) {
    this.intake = intake;
    this.index = index;
    this.host = host;
    this.counters = counters;
    this.evaluation = new FilterEvaluation(limits.expression().loopSteps());
    this.unheard =
        new UnheardEvents(limits.events().keepMillis(), limits.events().maxUnheardBytes());
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
    long after = unheard.areKept() && intake.position() >= 0 ? intake.position() : end();
    Listener listener = index.add(activity, after);
    if (listener == null) {
      return 0;
    }
    if (unheard.size() > 0 && after >= 0) {
      latecomers.add(listener);
    }
    return added(listener);
  }

  private long end() {
    return intake.knownEnd();
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

  /** Whether {@link #work} has something to do. */
  public boolean hasWork() {
    return evaluation.pending() == null
        && (event != null || events.hasNext() || batch != null || !intake.lane().isEmpty()
            || !latecomers.isEmpty());
  }

  /**
   * Compares events with listeners.
   *
   * @param share value of {@link #spent} up to which to go on
   * @param mayGoOn whether more events may be given to instances now
   * @return the amount of work
   */
  public int work(long share, BooleanSupplier mayGoOn) {
    intake.ensureWanted();
    int work = 0;
    while (evaluation.pending() == null
        && evaluation.spent() < share
        && mayGoOn.getAsBoolean()
        && step()) {
      work++;
    }
    counters.evaluated(evaluation.parts(), evaluation.failed());
    counters.unheard(unheard.size());
    return intake.checkpoint() ? work + 1 : work;
  }

  private boolean step() {
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
    if (intake.epoch() != epoch) {
      abandon();
    }
    if (events.hasNext()) {
      begin(events.next());
      return true;
    }
    EventBatch done = batch;
    if (done != null) {
      batch = null;
      intake.handled(done.upTo());
      return true;
    }
    EventBatch fresh = intake.poll();
    if (fresh == null) {
      return false;
    }
    epoch = fresh.epoch();
    takeConsumed(fresh);
    if (fresh.isLeftOut() && index.size() > 0) {
      intake.request();
    } else {
      batch = fresh;
      events = fresh.events().iterator();
    }
    return true;
  }

  private void abandon() {
    batch = null;
    events = List.<LoggedEvent>of().iterator();
  }

  private void takeConsumed(EventBatch fresh) {
    List<Long> pairs = fresh.consumed();
    for (int i = 0; i + 1 < pairs.size(); i += 2) {
      unheard.remove(pairs.get(i), pairs.get(i + 1));
    }
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
        || !isOpen(listener, one.filter)
        || !isCorrelated(listener, one.filter, correlated)
        || !passesOwn(listener, one.filter)) {
      return;
    }
    int filter = first(listener, current, one.filter);
    give(listener, filter, filter == one.filter ? correlated : correlated(listener, filter), current);
  }

  private List<String> correlated(Listener listener, int filter) {
    return Objects.requireNonNull(
        evaluation.correlated(listener.task().filters().get(filter)), "values of correlations");
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

  private boolean isOpen(Listener listener, int filter) {
    return listener.subscriptions[filter] != null;
  }

  private static boolean isCorrelated(Listener listener, int filter, List<String> values) {
    List<EventFilter.EventCorrelation> correlations =
        listener.task().filters().get(filter).correlations();
    for (int i = 0; i < correlations.size(); i++) {
      String fixed = listener.state.correlated(correlations.get(i).name());
      if (fixed != null && !fixed.equals(values.get(i))) {
        return false;
      }
    }
    return true;
  }

  private boolean passesOwn(Listener listener, int filter) {
    EventFilter asked = listener.task().filters().get(filter);
    return asked.own() == null
        || host.withValues(
            listener.activity, () -> evaluation.passes(asked.own(), listener.activity));
  }

  /** The first filter of a listener that an event passes, knowing that it passes one. */
  private int first(Listener listener, LoggedEvent current, int passed) {
    for (int precedence = 0; precedence < listener.subscriptions.length; precedence++) {
      int filter = listener.filterAt(precedence);
      if (filter == passed || passes(listener, current, filter)) {
        return filter;
      }
    }
    return passed;
  }

  private boolean passes(Listener listener, LoggedEvent current, int number) {
    EventFilter filter = listener.task().filters().get(number);
    if (!isOpen(listener, number)
        || (filter.type() != null && !filter.type().equals(current.type()))
        || !evaluation.passes(filter.condition(), Scope.EMPTY)
        || (!filter.keys().isEmpty()
            && !Objects.equals(evaluation.key(filter), listener.state.key(number)))) {
      return false;
    }
    List<String> values = evaluation.correlated(filter);
    return values != null
        && isCorrelated(listener, number, values)
        && passesOwn(listener, number);
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
    Listener listener = latecomers.getFirst();
    LoggedEvent kept = unheard.after(lookedUpTo);
    if (kept == null || !index.holds(listener) || kept.position() > listener.after) {
      latecomers.removeFirst();
      lookedUpTo = 0;
      return true;
    }
    evaluation.charge(STEPS_PER_LISTENER);
    if (kept.namespace().equals(listener.namespace())
        && isRecent(listener, kept)
        && !listener.state.hasConsumed(kept.position())) {
      lookBack(listener, kept);
    }
    lookedUpTo = kept.position();
    return true;
  }

  private void lookBack(Listener listener, LoggedEvent kept) {
    evaluation.turnTo(kept.event());
    about = listener;
    for (int precedence = 0; precedence < listener.subscriptions.length; precedence++) {
      int filter = listener.filterAt(precedence);
      if (passes(listener, kept, filter)) {
        unheard.remove(kept.position(), kept.position());
        give(listener, filter, correlated(listener, filter), kept);
        return;
      }
    }
  }
}
