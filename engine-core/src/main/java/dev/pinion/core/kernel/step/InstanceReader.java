package dev.pinion.core.kernel.step;

import dev.pinion.core.codec.ByteReader;
import dev.pinion.core.graph.GraphSource;
import dev.pinion.core.graph.ProcessGraph;
import dev.pinion.core.graph.ScheduleGraph;
import dev.pinion.core.kernel.step.attempt.TryState;
import dev.pinion.core.kernel.step.codec.InstanceOrigin;
import dev.pinion.core.kernel.step.codec.RecoveryException;
import dev.pinion.core.kernel.step.codec.TaskIndex;
import dev.pinion.core.kernel.step.codec.ValueReader;
import dev.pinion.core.kernel.step.phase.ActivityPhase;
import dev.pinion.core.message.Event;
import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.core.model.instance.ParentLink;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Rebuilds instances from the output of {@link InstanceWriter}. Sets timers; leaves calls and
 * evaluations in progress to the caller.
 */
public final class InstanceReader {
  private final GraphSource graphs;
  private final TimerSink timers;
  private final Map<ProcessGraph, TaskIndex> indexes = new HashMap<>();

  public InstanceReader(GraphSource graphs, TimerSink timers) {
    this.graphs = graphs;
    this.timers = timers;
  }

  /**
   * An instance that was read.
   *
   * @param heldBytes bytes to charge it for
   * @param unsettled activities that wait for something outside, or in the middle of a phase
   */
  public record RestoredInstance(
      Instance instance, long heldBytes, List<PendingActivity> unsettled) {}

  /**
   * An activity that needs more than its fields to be complete.
   *
   * @param answered questions of its phase that were answered elsewhere
   * @param failed the last question, if its evaluation failed elsewhere; 0 for none
   * @param error error of that evaluation, or null
   */
  public record PendingActivity(
      Activity activity, BitSet answered, int failed, @Nullable WorkflowError error) {}

  /**
   * Identity of a state.
   *
   * @param startedAtEpochMillis when the instance started
   * @param eventNanos monotonic time of its last event
   * @param parent tie to the task that started it; null when a client did
   */
  public record StateHeader(
      InstanceId id,
      DefinitionKey definition,
      long startedAtEpochMillis,
      long eventNanos,
      @Nullable ParentLink parent) {}

  /**
   * Reads only the identity of a state.
   *
   * @throws IllegalArgumentException when the bytes are invalid
   */
  public static StateHeader header(byte[] state) {
    ByteReader in = new ByteReader(state);
    ValueReader values = new ValueReader(in);
    InstanceId id = new InstanceId(in.getLong());
    DefinitionKey definition = values.definition();
    in.getLong();
    InstanceOrigin origin = InstanceOrigin.read(in);
    return new StateHeader(id, definition, in.getNumber(), in.getNumber(), origin.parent());
  }

  /**
   * Reads only which graph the instance runs; sets no timers.
   *
   * @throws IllegalArgumentException when the bytes are invalid
   * @throws RecoveryException when its definition is missing or has changed
   */
  public ProcessGraph graph(byte[] state) throws RecoveryException {
    ByteReader in = new ByteReader(state);
    ValueReader values = new ValueReader(in);
    InstanceId id = new InstanceId(in.getLong());
    return pinned(graphs, values.definition(), in.getLong(), id);
  }

  /**
   * Reads an instance.
   *
   * @param offsetNanos offset to add to its monotonic times
   * @throws IllegalArgumentException when the bytes are invalid
   * @throws RecoveryException when its definition is missing or has changed
   */
  public RestoredInstance read(byte[] state, long offsetNanos) throws RecoveryException {
    ByteReader in = new ByteReader(state);
    ValueReader values = new ValueReader(in);
    InstanceId id = new InstanceId(in.getLong());
    ProcessGraph graph = pinned(graphs, values.definition(), in.getLong(), id);
    TaskIndex tasks = indexes.computeIfAbsent(graph, TaskIndex::new);
    RestoredInstance restoredInstance =
        new Reading(in, values, offsetNanos, tasks).instance(id, graph);
    in.expectEnd();
    return restoredInstance;
  }

  /**
   * The graph that an instance runs.
   *
   * @param fingerprint fingerprint of the definition when the instance was started
   * @throws RecoveryException when the definition is missing or has changed
   */
  public static ProcessGraph pinned(
      GraphSource graphs, DefinitionKey key, long fingerprint, InstanceId id)
      throws RecoveryException {
    DefinitionKey definition = ScheduleGraph.definitionOf(key);
    ProcessGraph graph = graphs.graph(definition == null ? key : definition, fingerprint);
    if (graph != null && definition != null) {
      graph = graph.schedule();
    }
    if (graph == null) {
      throw RecoveryException.missing(key, id);
    }
    if (graph.fingerprint() != fingerprint) {
      throw RecoveryException.changed(key, id);
    }
    return graph;
  }

  /** One instance being read. */
  private final class Reading {
    private final ByteReader in;
    private final ValueReader values;
    private final long offsetNanos;
    private final TaskIndex tasks;
    private final List<Branch> branches = new ArrayList<>();
    private final List<PendingActivity> unsettled = new ArrayList<>();

    Reading(ByteReader in, ValueReader values, long offsetNanos, TaskIndex tasks) {
      this.in = in;
      this.values = values;
      this.offsetNanos = offsetNanos;
      this.tasks = tasks;
    }

    RestoredInstance instance(InstanceId id, ProcessGraph graph) {
      InstanceOrigin origin = InstanceOrigin.read(in);
      long startedAtEpochMillis = in.getNumber();
      long eventNanos = in.getNumber() + offsetNanos;
      long nowEpochMillis = startedAtEpochMillis + in.getNumber();
      int steps = in.getCount();
      int events = in.getCount();
      long advances = in.getNumber();
      int roomChecks = in.getCount();
      int lastAttempt = in.getCount();
      int busy = in.getCount();
      boolean suspended = in.getFlag();
      long heldBytes = in.getNumber();
      Instance instance =
          new Instance(
              id,
              graph,
              values.payload(),
              startedAtEpochMillis,
              origin.durability(),
              values.tags());
      instance.startedBy(origin.parent());
      instance.eventNanos = eventNanos;
      instance.nowEpochMillis = nowEpochMillis;
      instance.suspended = suspended;
      instance.steps = steps;
      instance.events = events;
      instance.advances = advances;
      instance.roomChecks = roomChecks;
      instance.restore(in.getCount(), counts(), lastAttempt, busy);
      int[] ready = counts();
      branch(null);
      for (int left = in.getSize(); left > 0; left--) {
        activity(instance);
      }
      for (int slot : ready) {
        instance.ready.add(slot == 0 ? cancelled(instance) : present(instance, slot - 1));
      }
      if (in.hasMore()) { // absent in states from before there were bindings
        bindings(instance);
      }
      if (in.hasMore()) {
        CallStateCodec.read(instance, in);
      } else {
        CallStateCodec.restoreNumberedCalls(instance);
      }
      while (in.hasMore()) {
        optionalPart(instance, in.getCount());
      }
      return new RestoredInstance(instance, heldBytes, unsettled);
    }

    private void optionalPart(Instance instance, int part) {
      switch (part) {
        case ListenStateCodec.PART -> ListenStateCodec.read(instance, values);
        case CompensationCodec.PART -> CompensationCodec.read(instance, values, tasks);
        case EventMatchesCodec.PART -> EventMatchesCodec.read(instance, values);
        default ->
            throw new IllegalArgumentException("expected a known part of a state, found " + part);
      }
    }

    private void bindings(Instance instance) {
      for (int left = in.getSize(); left > 0; left--) {
        String service = in.getPresentText();
        instance.apply(Event.ServiceBound.ofInstance(instance.id, service, in.getPresentText()));
      }
      for (int left = in.getSize(); left > 0; left--) {
        Activity activity = present(instance, in.getCount());
        activity.boundAttempt = activity.awaiting;
        activity.boundTo = in.getPresentText();
      }
    }

    private int[] counts() {
      int[] counts = new int[in.getSize()];
      for (int i = 0; i < counts.length; i++) {
        counts[i] = in.getCount();
      }
      return counts;
    }

    private static Activity present(Instance instance, int slot) {
      Activity activity = instance.activity(slot);
      if (activity == null) {
        throw new IllegalArgumentException("expected an activity in slot " + slot + ", found none");
      }
      return activity;
    }

    /** Placeholder for an activity that has left the tree and is only skipped. */
    private static Activity cancelled(Instance instance) {
      Activity root = present(instance, instance.root == null ? -1 : instance.root.slot);
      Activity passedOver =
          new Activity(instance, root.node, root, root.branch, null, 0, Payload.NULL);
      passedOver.cancelled = true;
      return passedOver;
    }

    private void activity(Instance instance) {
      int parentSlot = in.getCount() - 1;
      int slot = in.getCount();
      Activity parent = parentSlot < 0 ? null : present(instance, parentSlot);
      TaskIndex.TaskPosition taskPosition = tasks.position(in.getInt(), in.getCount());
      Branch branch = branch(null);
      long startedAtEpochMillis = since(instance);
      long phaseEpochMillis = since(instance);
      ActivityPhase activityPhase = values.constant(ActivityPhase.class);
      Shape shape = new Shape(in.getInt(), in.getCount(), in.getCount(), in.getCount());
      int cursor = in.getCount();
      int open = in.getCount();
      long held = in.getNumber();
      Activity activity =
          new Activity(
              instance,
              taskPosition.task(),
              parent,
              branch,
              taskPosition.block(),
              taskPosition.index(),
              values.payload());
      activity.startedAt(startedAtEpochMillis);
      activity.resume(activityPhase, phaseEpochMillis);
      activity.next = shape.next;
      activity.awaiting = shape.awaiting;
      activity.evaluating = shape.evaluating;
      activity.deliveries = shape.deliveries;
      activity.cursor = cursor;
      activity.open = open;
      activity.heldBytes = held;
      instance.restore(activity, slot);
      payloads(activity);
      branches(activity);
      timers(activity);
      attempts(activity);
      answers(activity);
    }

    private record Shape(int next, int awaiting, int evaluating, int deliveries) {}

    private void payloads(Activity activity) {
      activity.input = values.payload();
      activity.output = values.payload();
      activity.rawOutput = values.optionalPayload();
      Payload[] items = values.payloads();
      if (items.length > 0) {
        activity.items = List.of(items);
      }
      Payload[] results = values.payloads();
      if (results.length > 0) {
        activity.results = results;
      }
    }

    private void branches(Activity owner) {
      int count = in.getSize();
      if (count > 0) {
        owner.branches = new Branch[count];
        for (int i = 0; i < count; i++) {
          owner.branches[i] = branch(owner);
        }
      }
    }

    private Branch branch(@Nullable Activity owner) {
      int number = in.getCount();
      if (number < branches.size()) {
        return branches.get(number);
      }
      if (number > branches.size()) {
        throw new IllegalArgumentException(
            "expected branch " + branches.size() + " or one before it, found " + number);
      }
      Branch branch =
          new Branch(owner, in.getInt(), values.payload(), values.payload(), in.getFlag());
      branch.heldValue = in.getNumber();
      branch.heldContext = in.getNumber();
      branches.add(branch);
      return branch;
    }

    private void timers(Activity activity) {
      for (int kind = 0; kind < Activity.timerKinds(); kind++) {
        int attempt = in.getCount();
        if (attempt != 0) {
          activity.arm(kind, attempt);
          long deadlineNanos = activity.instance.eventNanos + in.getNumber();
          timers.startTimerAt(activity, kind, attempt, deadlineNanos);
        }
      }
    }

    private void attempts(Activity activity) {
      if (in.getFlag()) {
        TryState tryState = new TryState(since(activity.instance));
        TryState.TryMode tryMode = values.constant(TryState.TryMode.class);
        tryState.retries(in.getCount());
        WorkflowError error = values.optionalError();
        if (error != null) {
          tryState.failedWith(error);
        }
        tryState.mode(tryMode);
        activity.tryState = tryState;
      }
    }

    private void answers(Activity activity) {
      BitSet answered = new BitSet();
      int failed = 0;
      WorkflowError failure = null;
      for (int question = in.getCount(); question != 0; question = in.getCount()) {
        WorkflowError error = values.optionalError();
        if (error == null) {
          answered.set(question);
        } else {
          failed = question;
          failure = error;
        }
      }
      if (activity.awaiting != 0 || failed != 0 || !answered.isEmpty()) {
        unsettled.add(new PendingActivity(activity, answered, failed, failure));
      }
    }

    private long since(Instance instance) {
      return instance.startedAtEpochMillis + in.getNumber();
    }
  }
}
