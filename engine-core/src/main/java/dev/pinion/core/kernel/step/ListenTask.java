package dev.pinion.core.kernel.step;

import dev.pinion.core.graph.EventConsumption;
import dev.pinion.core.graph.EventFilter;
import dev.pinion.core.graph.EventIteration;
import dev.pinion.core.graph.Node;
import dev.pinion.core.kernel.step.ListenState.ListenMode;
import dev.pinion.core.kernel.step.event.EventKeys;
import dev.pinion.core.kernel.step.memory.InstanceQuota;
import dev.pinion.core.kernel.step.phase.ActivityPhase;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.message.Event;
import dev.pinion.core.model.ExpressionException;
import dev.pinion.core.model.Payload;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The {@code listen} task.
 *
 * <pre>
 *   event ──▶ queue ──▶ LISTENING ──▶ (ITERATING ──▶ ENDING) ──▶ CHECKING ─┐
 *                          ▲   └─ closed and nothing queued ──▶ EXIT       │
 *                          └───────────────────────────────────────────────┘
 * </pre>
 *
 * <p>Which events it gets is decided outside of steps, like the outcome of a call; each event is
 * recorded with the filter that it has passed.
 */
final class ListenTask {
  private final ActivityTree activityTree;
  private final EffectSink effects;
  private final ExpressionEvaluator expressionEvaluator;
  private final MemoryAccount memoryAccount;
  private final InstanceQuota instanceQuota;
  private final int maxItems;
  private final int maxBytes;
  private final int maxKeyChars;

  ListenTask(
      ActivityTree activityTree,
      EngineLimits limits,
      EffectSink effects,
      ExpressionEvaluator expressionEvaluator,
      MemoryAccount memoryAccount,
      InstanceQuota instanceQuota) {
    this.activityTree = activityTree;
    this.effects = effects;
    this.expressionEvaluator = expressionEvaluator;
    this.memoryAccount = memoryAccount;
    this.instanceQuota = instanceQuota;
    this.maxItems = limits.instance().maxItems();
    this.maxBytes = limits.instance().maxPayloadBytes();
    this.maxKeyChars = limits.events().maxAttributeChars();
  }

  /** Begins to listen, or works on what was received; returns whether the output is available. */
  boolean run(Activity activity, Node.Listen task) {
    ListenState state = activity.listening;
    if (state == null) {
      return begin(activity, task);
    }
    state.scheduled = false;
    while (true) {
      switch (state.mode) {
        case LISTENING -> {
          if (!take(activity, task, state)) {
            return isFinished(activity, state);
          }
        }
        case ENDING -> endIteration(activity, task, state);
        case CHECKING -> {
          check(activity, task, state);
          if (state.hasQueued()) { // many may have come while the instance was suspended
            schedule(activity, state);
            return false;
          }
        }
        case ITERATING ->
            throw new IllegalStateException(
                "expected the tasks for an event to end before " + activity.name() + " goes on");
      }
    }
  }

  private boolean begin(Activity activity, Node.Listen task) {
    @Nullable String[] keys = keys(activity, task);
    EventConsumption end = task.to().end();
    if (task.to().filters().isEmpty() || (end != null && end.filters().isEmpty())) {
      activity.rawOutput = Payload.array(List.of());
      return true;
    }
    Instance instance = activity.instance;
    activity.listening =
        new ListenState(instance.nextAttempt(), keys, instance.consumedPositions().copy());
    effects.listen(activity);
    return false;
  }

  /** The values that each filter expects, by its number; null for one that expects none. */
  @Nullable String[] keys(Activity activity, Node.Listen task) {
    @Nullable String[] keys = new String[task.filters().size()];
    for (int filter = 0; filter < keys.length; filter++) {
      keys[filter] = key(activity, task.filters().get(filter));
    }
    return keys;
  }

  /** The values that a filter expects, or null when it expects none. */
  private @Nullable String key(Activity activity, EventFilter filter) {
    if (filter.keys().isEmpty()) {
      return null;
    }
    List<String> values = new ArrayList<>(filter.keys().size());
    for (EventFilter.EventKey key : filter.keys()) {
      Payload expected = expressionEvaluator.evaluate(activity, key.expect(), activity.input);
      String text = expected.isNull() ? null : EventKeys.text(expected, maxKeyChars);
      if (text == null) {
        throw new ExpressionException(
            "expected a value of at most "
                + maxKeyChars
                + " characters (events.maxAttributeChars) for an event to be equal to, found "
                + (expected.isNull() ? "null" : "more"));
      }
      values.add(text);
    }
    return EventKeys.joined(values);
  }

  /** Takes the next event; returns whether the task can continue at once. */
  private boolean take(Activity activity, Node.Listen task, ListenState state) {
    if (state.problem != null) {
      throw new ExpressionException(state.problem);
    }
    Payload event = state.poll();
    if (event == null) {
      return false;
    }
    memoryAccount.requireRoom(activity);
    EventIteration iteration = task.foreach();
    if (iteration == null) {
      state.addOutput(event);
      state.mode = ListenMode.CHECKING;
    } else if (iteration.body() == null) {
      state.item = event;
      state.itemOutput = event;
      state.mode = ListenMode.ENDING;
    } else {
      state.item = event;
      state.mode = ListenMode.ITERATING;
      activityTree.enter(activity, activity.branch, iteration.body(), 0, activity.input);
      return false;
    }
    activity.enter(ActivityPhase.BODY); // questions are evaluated anew for every event
    return true;
  }

  private boolean isFinished(Activity activity, ListenState state) {
    if (state.mode != ListenMode.LISTENING || !state.closed) {
      return false;
    }
    // one level deeper than what was heard, and perhaps more than one value may take of the heap
    activity.rawOutput = instanceQuota.checked(Payload.array(state.outputs()));
    activity.listening = null;
    return true;
  }

  /** Handles the end of the tasks for an event. */
  void blockEnded(Activity activity, Payload output) {
    ListenState state = Objects.requireNonNull(activity.listening, "a task that listens");
    state.itemOutput = output;
    state.mode = ListenMode.ENDING;
    activityTree.makeReady(activity, ActivityPhase.BODY);
  }

  private void endIteration(Activity activity, Node.Listen task, ListenState state) {
    EventIteration iteration = Objects.requireNonNull(task.foreach(), "an iteration");
    Payload raw = Objects.requireNonNull(state.itemOutput, "an output");
    IterationOutput done =
        IterationOutput.of(activity, iteration, raw, expressionEvaluator, instanceQuota);
    put(activity, state, done.output(), done.context());
  }

  private void put(
      Activity activity, ListenState state, Payload output, @Nullable Payload context) {
    activity.output = Payload.NULL;
    Payload item = Objects.requireNonNull(state.item, "an event");
    state.item = null;
    state.itemOutput = null;
    state.weight += output.weight() - item.weight();
    if (state.weight > maxBytes) {
      throw new ExpressionException(InstanceQuota.exceeded("instance.maxPayloadBytes", maxBytes));
    }
    memoryAccount.drop(activity, item);
    memoryAccount.retain(activity, output);
    if (context != null) {
      activity.branch.export(context);
      memoryAccount.chargeContext(activity.branch, activity.instance);
    }
    memoryAccount.requireRoom(activity);
    state.addOutput(output);
    activity.cursor++;
    state.mode = ListenMode.CHECKING;
    activity.enter(ActivityPhase.BODY);
  }

  private void check(Activity activity, Node.Listen task, ListenState state) {
    if (!state.closed
        && task.to().until() != null
        && expressionEvaluator.isTrue(activity, task.to().until(), heard(state))) {
      complete(activity, task, state);
      for (Payload event : state.queued()) {
        memoryAccount.drop(activity, event);
      }
      state.clearQueue();
    }
    state.mode = ListenMode.LISTENING;
    activity.enter(ActivityPhase.BODY);
  }

  /** What was heard, as the condition of an end sees it. */
  private Payload heard(ListenState state) {
    expressionEvaluator.charge(state.outputs().size());
    return Payload.array(state.outputs());
  }

  /** Consumes no more events, as all of them have come. */
  private void complete(Activity activity, Node.Listen task, ListenState state) {
    if (!state.closed) {
      close(activity, state);
      effects.correlated(activity, state.correlationKeys(task.to().filters()));
    }
  }

  private void close(Activity activity, ListenState state) {
    if (!state.closed) {
      state.closed = true;
      effects.unlisten(activity);
    }
  }

  /** Receives an event; returns whether the task wants it. */
  boolean receive(Activity activity, Node.Listen task, Event.EventReceived received) {
    ListenState state = activity.listening;
    if (state == null
        || state.number != received.attempt()
        || state.closed
        || state.isDone(received.filter())) {
      return false;
    }
    effects.consumed(activity, received.event());
    state.positions.add(received.position());
    activity.instance.consumed(received.position());
    List<EventFilter.EventCorrelation> correlations =
        task.filters().get(received.filter()).correlations();
    for (int i = 0; i < correlations.size(); i++) {
      state.correlate(correlations.get(i).name(), received.correlated().get(i));
    }
    int first = task.to().filters().size();
    if (received.filter() >= first) {
      onEnd(activity, task, state, received.filter(), first);
    } else {
      keep(activity, task, state, received);
    }
    if (state.mode == ListenMode.LISTENING && !state.scheduled) {
      schedule(activity, state);
    }
    return true;
  }

  /** Has the activity take the next event when it is its turn. */
  private void schedule(Activity activity, ListenState state) {
    state.scheduled = true;
    activityTree.makeReady(activity, ActivityPhase.BODY);
  }

  /** Receives an event that may end the task. */
  private void onEnd(
      Activity activity, Node.Listen task, ListenState state, int filter, int first) {
    EventConsumption end = Objects.requireNonNull(task.to().end(), "events of the end");
    if (isLast(activity, end, state, filter, first)) {
      complete(activity, task, state);
    }
  }

  private void keep(
      Activity activity, Node.Listen task, ListenState state, Event.EventReceived received) {
    Payload event = task.read().of(received.event());
    if (state.size() >= maxItems) {
      state.problem = InstanceQuota.exceeded("instance.maxItems", maxItems);
    } else if (state.weight + event.weight() > maxBytes) {
      state.problem = InstanceQuota.exceeded("instance.maxPayloadBytes", maxBytes);
    } else {
      state.weight += event.weight();
      state.enqueue(event);
      memoryAccount.retain(activity, event);
    }
    if (state.problem != null) {
      close(activity, state);
    } else if (!task.to().isOpenEnded()
        && isLast(activity, task.to(), state, received.filter(), 0)) {
      complete(activity, task, state);
    }
  }

  /** Whether a strategy has all of its events now. */
  private boolean isLast(
      Activity activity, EventConsumption to, ListenState state, int filter, int first) {
    if (to.strategy() != EventConsumption.Strategy.ALL) {
      return true;
    }
    state.done(filter);
    for (int i = 0; i < to.filters().size(); i++) {
      if (!state.isDone(first + i)) {
        effects.listenLess(activity, filter);
        return false;
      }
    }
    return true;
  }
}
