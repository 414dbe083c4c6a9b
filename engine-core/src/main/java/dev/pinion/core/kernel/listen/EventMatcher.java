package dev.pinion.core.kernel.listen;

import dev.pinion.core.kernel.counters.ListenCounters;
import dev.pinion.core.kernel.step.Activity;
import dev.pinion.core.kernel.step.ListenState;
import dev.pinion.core.kernel.step.ScheduleTask;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.message.Event;
import dev.pinion.core.spi.EventSubscriber.LoggedEvent;
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
  private final EventAudience audience;
  private final RecordedMatches recorded;
  private final Latecomers latecomers;

  private @Nullable LoggedEvent event;
  private boolean consumed;

  /** Whether listeners were passed over that get the event only if nobody else does. */
  private boolean hasLeftOver;

  /** Whether these listeners have their turn. */
  private boolean givesLeftOver;

  private Iterator<FilterGroup> groups = List.<FilterGroup>of().iterator();
  private @Nullable FilterGroup group;
  private @Nullable FilterSubscriptions list;
  private List<String> correlated = List.of();
  private @Nullable FilterSubscription subscription;

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
    this.audience = new EventAudience(intake, unheard);
    this.latecomers = new Latecomers(index, unheard);
    this.recorded = new RecordedMatches(limits.events().keepMillis());
    this.sequence = new EventSequence(intake, unheard, recorded);
  }

  /** Steps of expressions spent so far. */
  public long spent() {
    return evaluation.spent();
  }

  /**
   * Has an activity receive the events that come from now on, and of those that are kept what
   * nobody else gets.
   *
   * @return heap bytes of its entries in the index
   */
  public long listen(Activity activity) {
    if (activity.keepsSchedule()) {
      return listenOn(activity, knownEnd());
    }
    boolean looksBack = unheard.areKept() && intake.position() >= 0;
    int partition = activity.instance().id().partition();
    // the event in progress, up to the known end here, may have passed its filters already
    long after = looksBack ? Math.max(knownEnd(), intake.passed(partition)) : intake.knownEnd();
    Listener listener = index.add(activity, after, activity.startedAtEpochMillis());
    if (listener == null) {
      return 0;
    }
    if (looksBack && (unheard.size() > 0 || event != null)) {
      latecomers.add(listener);
    }
    return added(listener);
  }

  /**
   * Has an activity that comes from its state receive the events since it began.
   *
   * @return heap bytes of its entries in the index
   */
  public long listenAgain(Activity activity) {
    if (activity.keepsSchedule()) {
      return listenOn(activity, Listener.RESTORED);
    }
    Listener listener = index.add(activity, Listener.RESTORED, activity.startedAtEpochMillis());
    return listener == null ? 0 : added(listener);
  }

  /**
   * Tells that instances consumed events before a start, by records or a snapshot. The log may not
   * know of it.
   *
   * @param first position of the first event
   * @param last position of the last event
   * @param atMillis wall-clock time of the last record
   */
  public void consumedBefore(long first, long last, long atMillis) {
    recorded.add(first, last, atMillis);
  }

  /** Events that were consumed here, which the log may not know of yet. */
  public RecordedMatches recorded() {
    return recorded;
  }

  /**
   * Has a schedule receive events: all that it has not consumed, or those since a time. It gets
   * none that were kept. It may go on in the place of another instance, at the event in progress.
   *
   * @param end position behind which those since a time are, or {@link Listener#RESTORED}
   */
  private long listenOn(Activity activity, long end) {
    ListenState state = Objects.requireNonNull(activity.listening(), "a schedule that listens");
    long since = ScheduleTask.sinceOf(activity);
    long after = end;
    if (since == 0) {
      after = state.consumedUpTo();
    } else if (ScheduleTask.goesOn(activity)) {
      after = Listener.RESTORED; // as the instance before
    }
    Listener listener = index.add(activity, after, since);
    if (listener == null) {
      return 0;
    }
    LoggedEvent current = event;
    if (current != null && after < current.position()) {
      lookUp(current);
    }
    return added(listener);
  }

  /** Last position of the log that is known here; negative before any is. */
  public long knownEnd() {
    long end = intake.knownEnd();
    return event == null ? end : Math.max(end, event.position());
  }

  /**
   * Position up to which no event counts for an activity any more; negative when that is not known.
   */
  public long comparedUpTo(Activity activity) {
    Listener listener = index.find(activity);
    long after = listener == null ? Listener.RESTORED : listener.after;
    return Math.max(after, intake.comparedUpTo(activity.instance().id().partition()));
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
    recorded.expire(host.epochMillis());
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
      return (!latecomers.isEmpty() && event == null) ? lookBack() : lookOn();
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
    FilterSubscription current = subscription;
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
    if (!consumed && recorded.contains(next.position())) {
      consumed = true;
      intake.consumed(next.position());
    }
    evaluation.charge(STEPS_PER_EVENT);
    evaluation.turnTo(next.event());
    lookUp(next);
    counters.onEvent();
  }

  /** Looks the filters up that an event may pass, and begins with the first of them. */
  private void lookUp(LoggedEvent current) {
    hasLeftOver = false;
    givesLeftOver = false;
    groups = index.candidates(current.namespace(), current.type()).iterator();
    group = null;
    list = null;
    subscription = null;
  }

  private boolean enterGroup() {
    LoggedEvent current = Objects.requireNonNull(event);
    if (group == null) {
      if (!groups.hasNext()) {
        end(current);
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
    FilterSubscriptions found = comparison.concerned(asked);
    List<String> values = found == null ? null : evaluation.correlated(asked.filter);
    if (found == null || values == null) {
      group = null;
    } else {
      correlated = values;
      found.beginPass();
      list = found;
    }
    return true;
  }

  /** Ends a pass over the listeners. An event that nobody wanted is left to others. */
  private void end(LoggedEvent current) {
    if (hasLeftOver && !givesLeftOver && !consumed) {
      lookUp(current);
      givesLeftOver = true;
    } else {
      finish(current);
    }
  }

  private void finish(LoggedEvent done) {
    event = null;
    intake.handled(done.position());
    boolean isFirst = audience.see(done.position());
    if (consumed) {
      unheard.remove(done.position(), done.position()); // others may have consumed it meanwhile
    } else if (isFirst && unheard.areKept()) { // else it is there, or consumed here
      evaluation.chargeWhole(done.event());
      unheard.add(done, host.epochMillis());
    }
  }

  private void decide(LoggedEvent current, FilterSubscription one) {
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

  /** Whether a listener may get an event in the present pass. */
  private boolean concerns(Listener listener, LoggedEvent current) {
    if (listener.state.hasConsumed(current.position())) {
      return false;
    }
    boolean fresh = audience.isFresh(listener, current);
    boolean leftOver = !fresh && !consumed && audience.isKeptFor(listener, current);
    hasLeftOver |= leftOver;
    return givesLeftOver ? leftOver : fresh;
  }

  private void give(Listener listener, int filter, List<String> values, LoggedEvent current) {
    listener.decided = current.position();
    consumed = true;
    intake.consumed(current.position());
    recorded.add(current.position(), current.position(), host.epochMillis());
    evaluation.charge(STEPS_PER_MATCH);
    evaluation.chargeWhole(current.event());
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
    LoggedEvent kept = latecomers.next();
    if (kept == null) {
      return true;
    }
    Listener listener = latecomers.first();
    evaluation.charge(STEPS_PER_LISTENER);
    if (audience.mayLookBackAt(listener, kept)) {
      lookBack(listener, kept);
    }
    latecomers.compared(kept);
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
