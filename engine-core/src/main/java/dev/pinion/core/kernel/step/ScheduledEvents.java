package dev.pinion.core.kernel.step;

import dev.pinion.core.graph.EventConsumption;
import dev.pinion.core.graph.EventConsumption.Strategy;
import dev.pinion.core.graph.EventFilter;
import dev.pinion.core.graph.Node;
import dev.pinion.core.kernel.step.event.EventMatch;
import dev.pinion.core.kernel.step.event.EventMatches;
import dev.pinion.core.kernel.step.memory.InstanceQuota;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.message.Event;
import dev.pinion.core.model.Budget;
import dev.pinion.core.model.BudgetExceededException;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.ExpressionException;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.Scope;
import dev.pinion.core.schedule.OverlapPolicy;
import dev.pinion.core.schedule.ScheduleProgress;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts the events of a schedule together: which of them start a run, and which wait for others. All
 * of this happens as an event is applied, so nothing of it may take long.
 *
 * <pre>
 *   event ─▶ oldest match that lacks it, else a new one ─▶ complete ─▶ waits for its run
 *                                                              └─ no room, or not wanted ─▶ left out
 * </pre>
 */
final class ScheduledEvents {
  private static final Logger LOG = LoggerFactory.getLogger(ScheduledEvents.class);
  private static final String TOO_LARGE =
      "expected events that are one value within the limits of an instance as input of a run"
          + " (instance.maxPayloadBytes, json.maxDepth, json.maxHeapBytes), found more";

  private final ExpressionEvaluator expressionEvaluator;
  private final MemoryAccount memoryAccount;
  private final InstanceQuota instanceQuota;
  private final Budget budget;
  private final int loopSteps;
  private final int maxEvents;
  private final int maxBytes;

  /** A schedule that receives an event. */
  private record Reception(
      Activity activity,
      EventConsumption to,
      OverlapPolicy overlap,
      EventMatches matches,
      ScheduleProgress progress) {}

  ScheduledEvents(
      EngineLimits limits,
      ExpressionEvaluator expressionEvaluator,
      MemoryAccount memoryAccount,
      InstanceQuota instanceQuota) {
    this.expressionEvaluator = expressionEvaluator;
    this.memoryAccount = memoryAccount;
    this.instanceQuota = instanceQuota;
    this.loopSteps = limits.expression().loopSteps();
    this.budget = new Budget(loopSteps);
    this.maxEvents = limits.schedule().maxEvents();
    this.maxBytes = Math.min(limits.instance().maxPayloadBytes(), limits.maxRecordedBytes());
  }

  /** Adds an event to the matches of a schedule. */
  void take(
      Activity activity,
      Node.Schedule task,
      ScheduleProgress progress,
      Event.EventReceived received) {
    Node.Listen listen = Objects.requireNonNull(task.listens(), "a schedule of events");
    EventMatches matches = Objects.requireNonNull(activity.matches, "its events");
    Reception reception =
        new Reception(activity, listen.to(), task.rule().overlap(), matches, progress);
    SortedMap<String, String> values = values(listen, received);
    int first = listen.to().filters().size();
    if (received.filter() < first) {
      add(reception, received.filter(), values, listen.read().of(received.event()));
    } else {
      end(reception, received.filter() - first, values);
    }
    bound(reception);
  }

  private static SortedMap<String, String> values(
      Node.Listen listen, Event.EventReceived received) {
    SortedMap<String, String> values = new TreeMap<>();
    List<EventFilter.EventCorrelation> correlations =
        listen.filters().get(received.filter()).correlations();
    for (int i = 0; i < correlations.size(); i++) {
      values.put(correlations.get(i).name(), received.correlated().get(i));
    }
    return values;
  }

  private void add(
      Reception reception, int filter, SortedMap<String, String> values, Payload event) {
    EventConsumption to = reception.to;
    EventMatches matches = reception.matches;
    boolean all = to.strategy() == Strategy.ALL;
    EventMatch match = matches.find(values, all ? filter : EventMatches.ANY);
    if (match == null) {
      match = matches.begin(values);
    }
    matches.correlate(match, values);
    matches.add(match, event);
    memoryAccount.retain(reception.activity, event);
    boolean complete =
        all
            ? match.fill(filter) == to.filters().size()
            : !to.isOpenEnded() || holds(to.until(), match);
    if (complete) {
      complete(reception, match);
    }
  }

  /**
   * Whether the condition of an end holds; false when there is none. One that fails, or takes too
   * long, does not hold: events of strangers must not end a schedule.
   */
  private boolean holds(@Nullable Expression<Boolean> until, EventMatch match) {
    if (until == null) {
      return false;
    }
    budget.renew(loopSteps);
    try {
      return until.evaluate(match.input(), Scope.EMPTY, budget);
    } catch (ExpressionException | BudgetExceededException e) {
      return false;
    } catch (RuntimeException e) {
      LOG.error("a condition of a schedule failed inside the engine", e);
      return false;
    } finally {
      long spent = loopSteps - Math.max(0, budget.stepsLeft());
      expressionEvaluator.charge(spent + match.events().size());
    }
  }

  /** Takes an event that ends matches: it is part of none. */
  private void end(Reception reception, int filter, SortedMap<String, String> values) {
    EventConsumption end = Objects.requireNonNull(reception.to.end(), "events of the end");
    for (EventMatch match : reception.matches.agreeing(values)) {
      reception.matches.correlate(match, values);
      if (end.strategy() != Strategy.ALL || match.fill(filter) == end.filters().size()) {
        complete(reception, match);
      }
    }
  }

  private void complete(Reception reception, EventMatch match) {
    EventMatches matches = reception.matches;
    matches.close(match);
    boolean skips = reception.overlap == OverlapPolicy.SKIP && matches.first() != null;
    if (!isOneValue(match)) {
      leaveOut(reception, match, TOO_LARGE);
    } else if (!skips && matches.hasRoom(match, maxEvents, maxBytes)) {
      match.completed(reception.activity.instance.nowEpochMillis);
      matches.await(match);
    } else {
      leaveOut(reception, match, reception.overlap == OverlapPolicy.ALLOW ? tooMany() : null);
    }
  }

  private boolean isOneValue(EventMatch match) {
    Payload input = match.input();
    return instanceQuota.fits(input)
        && input.isWithin(maxBytes, Integer.MAX_VALUE, Integer.MAX_VALUE);
  }

  private String tooMany() {
    return "expected at most "
        + maxEvents
        + " events (schedule.maxEvents) and "
        + maxBytes
        + " bytes (instance.maxPayloadBytes) to wait for their runs, found more";
  }

  /** Gives the events of a match up, which is in no list any more. */
  private void leaveOut(Reception reception, EventMatch match, @Nullable String reason) {
    match.events().forEach(event -> memoryAccount.drop(reception.activity, event));
    reception.progress.leaveOut(reason);
  }

  /**
   * Makes room for what waits: a match that could go on for ever gets its run with what has come,
   * any other one is given up.
   */
  private void bound(Reception reception) {
    EventMatches matches = reception.matches;
    EventMatch oldest = matches.oldest();
    while (oldest != null && matches.isBeyond(maxEvents, maxBytes)) {
      if (reception.to.isOpenEnded()) {
        complete(reception, oldest);
      } else {
        matches.close(oldest);
        leaveOut(reception, oldest, null);
      }
      oldest = matches.oldest();
    }
  }
}
