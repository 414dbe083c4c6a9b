package dev.pinion.core.kernel.step;

import dev.pinion.core.graph.ProcessGraph;
import dev.pinion.core.kernel.step.compensation.Compensations;
import dev.pinion.core.kernel.step.compensation.PendingEnd;
import dev.pinion.core.kernel.step.event.ConsumedPositions;
import dev.pinion.core.kernel.step.memory.PackedValues;
import dev.pinion.core.kernel.step.phase.ActivityPhase;
import dev.pinion.core.message.Event;
import dev.pinion.core.message.Query;
import dev.pinion.core.model.Durability;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.core.model.instance.CompensationStatus;
import dev.pinion.core.model.instance.InstanceState;
import dev.pinion.core.model.instance.InstanceView;
import dev.pinion.core.model.instance.ParentLink;
import dev.pinion.core.model.instance.Tags;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** State of one run of a process graph. Only the kernel that owns it writes it. */
public final class Instance extends InstanceEntry {
  /** Count for effects that need not wait for a record. */
  public static final long NO_RECORD = 0;

  final InstanceId id;
  final ProcessGraph graph;
  Payload rawInput;
  final long startedAtEpochMillis;
  final Durability durability;

  /** Tags given by the client. */
  final Tags tags;

  /** Tie to the task that started it; null when a client did. */
  private @Nullable ParentLink parent;

  /** Values while they are packed; null otherwise. */
  @Nullable PackedValues packedValues;

  /** Heap bytes charged for its values as if nothing were packed. */
  long heapBytes;

  /** Heap bytes when its charge was last made anew; 0 while it has never been large. */
  long chargedAnew;

  /** Whether that happened within a step. */
  boolean chargedWithinStep;

  /** Room check from which it may be charged anew, by the number of values examined last. */
  int chargeableFrom;

  /** Those heap bytes that are charged for the errors of its tries. */
  long errorBytes;

  /** Evaluations on other threads, which read its values. */
  int evaluations;

  /** Whether new activities wait until a client resumes it. */
  boolean suspended;

  int steps;
  int events;

  /** Most attempts of any call that has ended. */
  int mostAttempts;

  /** Number of advances of ready activities: the progress of the instance. */
  long advances;

  /** Number of checks for room. */
  int roomChecks;

  /** In a replay, the number of the next check that found no room; 0 for none. */
  int failingRoomCheck;

  /** Wall-clock time of the last event. */
  long nowEpochMillis;

  /** Completed tasks that can be compensated; null while there was none. */
  @Nullable Compensations compensations;

  /** Concrete services by the abstract ones that they serve; sorted. */
  private SortedMap<String, String> bindings = Collections.emptySortedMap();

  /** Positions of the events that it has consumed; null for none. */
  private @Nullable ConsumedPositions consumedPositions;

  private long heldBytes;

  /** Completed tasks that can be compensated. */
  Compensations openCompensations() {
    Compensations open = compensations == null ? new Compensations() : compensations;
    compensations = open;
    return open;
  }

  /** The end that comes when all is compensated, or null. */
  @Nullable PendingEnd pendingEnd() {
    Compensations known = compensations;
    return known == null ? null : known.pendingEnd();
  }

  /** Whether it only compensates what it has done, and will end then. */
  public boolean isCompensating() {
    return !hasEnded() && pendingEnd() != null;
  }

  /** The error for which it compensates what it has done before it ends; null when it does not. */
  public @Nullable WorkflowError compensatesFor() {
    PendingEnd end = pendingEnd();
    return end == null || hasEnded() ? null : WorkflowError.of(end.error());
  }

  private @Nullable CompensationStatus compensationStatus() {
    Compensations known = compensations;
    if (known == null) {
      return null;
    }
    boolean[] running = new boolean[1];
    forEachActivity(activity -> running[0] |= activity.unwinding != null);
    return known.status(running[0], hasEnded());
  }

  /** Concrete service for all its calls of an abstract one; null when none is chosen. */
  public @Nullable String boundTo(String service) {
    return bindings.get(service);
  }

  /** Concrete services by the abstract ones that they serve; unmodifiable, sorted. */
  SortedMap<String, String> bindings() {
    return Collections.unmodifiableSortedMap(bindings);
  }

  /** Records a choice. */
  public void apply(Event.ServiceBound serviceBound) {
    if (serviceBound.activity() == Event.ServiceBound.ALL_ACTIVITIES) {
      if (bindings.isEmpty()) {
        bindings = new TreeMap<>();
      }
      bindings.put(serviceBound.service(), serviceBound.to());
      return;
    }
    Activity activity = activity(serviceBound.activity());
    if (activity != null) {
      activity.boundAttempt = serviceBound.attempt();
      activity.boundTo = serviceBound.to();
    }
  }

  /**
   * Serialized state before the task that made it fault; null when it cannot continue from there.
   */
  byte @Nullable [] stateToRetry;

  private InstanceState state = InstanceState.RUNNING;
  private long endedAtEpochMillis;
  private @Nullable Payload output;
  private @Nullable WorkflowError error;

  public Instance(
      InstanceId id,
      ProcessGraph graph,
      Payload rawInput,
      long startedAtEpochMillis,
      Durability durability,
      Tags tags) {
    this.id = id;
    this.graph = graph;
    this.rawInput = rawInput;
    this.startedAtEpochMillis = startedAtEpochMillis;
    this.durability = durability;
    this.tags = tags;
    this.nowEpochMillis = startedAtEpochMillis;
  }

  /** Records which task started it. Before its first turn. */
  public void startedBy(@Nullable ParentLink link) {
    parent = link;
  }

  /** Tie to the task that started it; null when a client did. */
  public @Nullable ParentLink parent() {
    return parent;
  }

  /** Records that nobody waits for its end any more: a client has retried it. */
  public void detach() {
    parent = parent == null ? null : parent.detached();
  }

  /** Number of instances above it. */
  public int depth() {
    return parent == null ? 0 : parent.depth();
  }

  /** Adjusts the number of its evaluations on other threads. */
  public void evaluationsSent(int change) {
    evaluations += change;
  }

  /** Sets the check that found no room when its events were recorded. */
  public void failAtRoomCheck(int check) {
    failingRoomCheck = check;
  }

  /**
   * Number of records that must be durable before the effects of the instance may be visible
   * outside.
   */
  public long due() {
    return durability == Durability.SYNC ? journalled : NO_RECORD;
  }

  /** Records that an event was consumed. */
  void consumed(long position) {
    if (consumedPositions == null) {
      consumedPositions = new ConsumedPositions();
    }
    consumedPositions.add(position);
  }

  /** Whether it has consumed events. */
  boolean hasConsumed() {
    return consumedPositions != null;
  }

  /** Positions of the events that it has consumed. */
  ConsumedPositions consumedPositions() {
    return consumedPositions == null ? new ConsumedPositions() : consumedPositions;
  }

  /** Restores the positions of consumed events from serialized state. */
  void restoreConsumed(ConsumedPositions positions) {
    consumedPositions = positions;
  }

  /** Adjusts the bytes that the instance is charged for. */
  void hold(long bytes) {
    heldBytes += bytes;
  }

  /** Bytes of payloads charged to the instance. */
  public long heldBytes() {
    return heldBytes;
  }

  /** Whether it differs from the view that a waiting client knows. */
  public boolean differsFrom(Query.WatchInstance known) {
    return events != known.sequence() || state() != known.state();
  }

  public InstanceState state() {
    if (state.isTerminal()) {
      return state;
    }
    if (suspended) {
      return InstanceState.SUSPENDED;
    }
    if (isPending()) {
      return InstanceState.PENDING;
    }
    return pending() == 0 && ready.isEmpty() ? InstanceState.WAITING : state;
  }

  public boolean hasEnded() {
    return state.isTerminal();
  }

  /** Whether it waits for the time that a client gave for its beginning. */
  public boolean isPending() {
    return root != null
        && root.activityPhase == ActivityPhase.ENTRY
        && root.armed(Activity.DELAY) != 0;
  }

  /** Time that a client gave for its beginning, in milliseconds since the epoch; 0 for none. */
  public long startAtEpochMillis() {
    return tags.startAtEpochMillis();
  }

  /** Whether the time that a client gave for its beginning was to come when it was accepted. */
  public boolean beginsLater() {
    return startAtEpochMillis() > startedAtEpochMillis;
  }

  /** Whether the time that a client gave for its beginning has come while it was suspended. */
  boolean isOverdue() {
    return advances == 0 && beginsLater() && root != null && !isPending();
  }

  /**
   * Whether later starts need not wait for it: its first task has done what it can and sent all
   * effects that it wants outside, or there will be none, or not before a time given by a client.
   */
  public boolean hasBegun() {
    if (hasEnded() || steps > 1 || isPending()) {
      return true;
    }
    return steps == 1 && ready.isEmpty() && !evaluates();
  }

  /** Ends the instance: the only way to a terminal state. */
  void end(
      InstanceState terminal,
      long epochMillis,
      @Nullable Payload result,
      @Nullable WorkflowError failure) {
    if (state.isTerminal() || !terminal.isTerminal()) {
      throw new IllegalStateException(
          "expected instance "
              + id
              + " to go from RUNNING to a terminal state, but it is "
              + state
              + " and was to become "
              + terminal);
    }
    state = terminal;
    endedAtEpochMillis = epochMillis;
    output = result;
    error = failure;
  }

  public InstanceView view() {
    return new InstanceView(
        id,
        graph.key(),
        state(),
        startedAtEpochMillis,
        endedAtEpochMillis,
        events,
        output,
        error,
        tags,
        parent == null ? null : parent.task(),
        compensationStatus());
  }

  /** The compiled definition. */
  public ProcessGraph graph() {
    return graph;
  }

  /** The id. */
  public InstanceId id() {
    return id;
  }

  /** Values while they are packed; null otherwise. */
  public @Nullable PackedValues packedValues() {
    return packedValues;
  }

  /** Heap bytes charged for its values as if nothing were packed. */
  public long heapBytes() {
    return heapBytes;
  }

  /** Wall-clock time of the last event. */
  public long nowEpochMillis() {
    return nowEpochMillis;
  }

  /** How durable its records must be. */
  public Durability durability() {
    return durability;
  }

  /** Number of events so far. */
  public int events() {
    return events;
  }

  /** Number of advances of ready activities: the progress of the instance. */
  public long advances() {
    return advances;
  }

  /** Input of the workflow. */
  public Payload rawInput() {
    return rawInput;
  }

  /** Wall-clock time of its start. */
  public long startedAtEpochMillis() {
    return startedAtEpochMillis;
  }

  /** Tags given by the client. */
  public Tags tags() {
    return tags;
  }

  /**
   * Serialized state before the task that made it fault; null when it cannot continue from there.
   */
  public byte @Nullable [] stateToRetry() {
    return stateToRetry;
  }

  /** Whether new activities wait until a client resumes it. */
  public boolean suspended() {
    return suspended;
  }

  /** Number of checks for room. */
  public int roomChecks() {
    return roomChecks;
  }

  /** Those heap bytes that are charged for the errors of its tries. */
  public long errorBytes() {
    return errorBytes;
  }
}
