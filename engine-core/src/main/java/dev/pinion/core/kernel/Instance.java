package dev.pinion.core.kernel;

import dev.pinion.core.ir.ProcessGraph;
import dev.pinion.core.message.KernelEvent;
import dev.pinion.core.message.KernelQuery;
import dev.pinion.core.message.ReplyAddress;
import dev.pinion.core.model.Durability;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.InstanceState;
import dev.pinion.core.model.InstanceView;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.Tags;
import dev.pinion.core.model.WorkflowError;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The state of one run of a process graph. Written by the kernel that owns it only. */
final class Instance {
  private static final int FIRST_SLOTS = 4;

  final InstanceId id;
  final ProcessGraph graph;
  Payload rawInput;
  final long startedAtEpochMillis;
  final Durability durability;

  /** What the client calls it. */
  final Tags tags;

  /** How many records the journal had when it took the last one of this instance. */
  long journalled;

  /** Activities that can go on now, in the order in which they became ready. */
  final Deque<Activity> ready = new ArrayDeque<>(FIRST_SLOTS);

  /** Whether the instance stands in the kernel's queue for another turn. */
  boolean queued;

  /** Its values while they are packed; null while they are in their places. */
  @Nullable Packed packed;

  /** Bytes of the heap that it is charged for its values, were nothing packed. */
  long heapBytes;

  /** What it was charged when its charge was last made anew; 0 while it has never been large. */
  long chargedAnew;

  /** Whether that was within a step. */
  boolean chargedWithinStep;

  /** The room check from which on that may be done again, by how many values it looked at. */
  int chargeableFrom;

  /** Those of them that errors take which its tries keep. */
  long errorBytes;

  /** Evaluations of it that another thread has: that one looks at its values. */
  int evaluations;

  /** Whether it goes on elsewhere: this kernel does nothing more with it. */
  boolean hasLeft;

  /** Whether starts with its ordering key wait until it has {@linkplain #hasBegun begun}. */
  boolean holdsOthers;

  /** Whether nothing more is to begin until a client wants it. */
  boolean suspended;

  /** Whether it was told that it has begun: what becomes of it is told then. */
  boolean observed;

  int steps;
  int events;

  /** The most attempts that any call had which has ended. */
  int mostAttempts;

  /** Times that a ready activity was taken up: how far the instance has come. */
  long advances;

  /** Times that the instance was checked for room for what it holds. */
  int roomChecks;

  /** In a replay, which of these checks found none; 0 for none of those to come. */
  int failingRoomCheck;

  /**
   * Monotonic time of the last event, of an instance that is journalled: what the timers of a
   * replay count from.
   */
  long eventNanos;

  /** Wall-clock time of the last event. */
  long nowEpochMillis;

  /** The task that stands for the workflow itself; null before the start and after the end. */
  @Nullable Activity root;

  /** The concrete services that it calls for abstract ones, by these; sorted. */
  private SortedMap<String, String> bindings = Collections.emptySortedMap();

  private @Nullable Activity[] slots = new Activity[FIRST_SLOTS];
  private int[] freeSlots = new int[FIRST_SLOTS];
  private int freeCount;
  private int usedSlots;
  private int activities;
  private int lastAttempt;
  private int busy;
  private long heldBytes;

  /** Which concrete service all its calls of an abstract one go to; null when that is open. */
  @Nullable String boundTo(String service) {
    return bindings.get(service);
  }

  /** The concrete services that it calls for abstract ones, by these; unmodifiable, sorted. */
  SortedMap<String, String> bindings() {
    return Collections.unmodifiableSortedMap(bindings);
  }

  /** Takes note of a choice. */
  void apply(KernelEvent.Bound bound) {
    if (bound.activity() == KernelEvent.Bound.WHOLE_INSTANCE) {
      if (bindings.isEmpty()) {
        bindings = new TreeMap<>();
      }
      bindings.put(bound.service(), bound.to());
      return;
    }
    Activity activity = activity(bound.activity());
    if (activity != null) {
      activity.boundAttempt = bound.attempt();
      activity.boundTo = bound.to();
    }
  }

  /**
   * Once it has faulted, how it stood before the task that failed, as it is written down; null when
   * it cannot go on from there.
   */
  byte @Nullable [] stateToRetry;

  private final List<ReplyAddress> waiters = new ArrayList<>(1);
  private final List<KernelQuery.WatchInstance> watches = new ArrayList<>(0);
  private InstanceState state = InstanceState.RUNNING;
  private long endedAtEpochMillis;
  private @Nullable Payload output;
  private @Nullable WorkflowError error;

  Instance(
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

  /** How many records must be durable before anybody outside may see what the instance has done. */
  long due() {
    return durability == Durability.SYNC ? journalled : DurableGate.AT_ONCE;
  }

  /** Gives an activity its slot, by which events name it. */
  void add(Activity activity) {
    int slot = freeCount > 0 ? freeSlots[--freeCount] : usedSlots++;
    if (slot == slots.length) {
      slots = Arrays.copyOf(slots, slots.length * 2);
    }
    slots[slot] = activity;
    activity.slot = slot;
    activities++;
  }

  /** Takes an activity out; its slot is given to a later one. */
  void remove(Activity activity) {
    slots[activity.slot] = null;
    if (freeCount == freeSlots.length) {
      freeSlots = Arrays.copyOf(freeSlots, freeSlots.length * 2);
    }
    freeSlots[freeCount++] = activity.slot;
    activities--;
  }

  /** The activity in a slot, or null. */
  @Nullable Activity activity(int slot) {
    return slot >= 0 && slot < usedSlots ? slots[slot] : null;
  }

  /** Looks at every activity under way, by slots. */
  void forEachActivity(Consumer<Activity> look) {
    for (int slot = 0; slot < usedSlots; slot++) {
      Activity activity = slots[slot];
      if (activity != null) {
        look.accept(activity);
      }
    }
  }

  /** Activities under way. */
  int activities() {
    return activities;
  }

  /** A number that no earlier call or evaluation of this instance had; from 1. */
  int nextAttempt() {
    return ++lastAttempt;
  }

  /** The last of these numbers. */
  int lastAttempt() {
    return lastAttempt;
  }

  /** Calls and evaluations under way. */
  int busy() {
    return busy;
  }

  /** Slots that were given to activities at any time: the next new one. */
  int usedSlots() {
    return usedSlots;
  }

  /** Slots that were given back, the one to be given next last. */
  int[] freeSlots() {
    return Arrays.copyOf(freeSlots, freeCount);
  }

  /** Takes over slots and counts as they were when the state was written down. */
  void restore(int used, int[] free, int attempts, int underWay) {
    usedSlots = used;
    slots = new Activity[Math.max(FIRST_SLOTS, used)];
    freeCount = free.length;
    freeSlots = Arrays.copyOf(free, Math.max(FIRST_SLOTS, free.length));
    lastAttempt = attempts;
    busy = underWay;
  }

  /** Puts an activity into the slot that it had when the state was written down. */
  void restore(Activity activity, int slot) {
    if (slot >= usedSlots || slots[slot] != null) {
      throw new IllegalArgumentException(
          "expected a slot of " + usedSlots + " that is free, found " + slot);
    }
    slots[slot] = activity;
    activity.slot = slot;
    activities++;
  }

  /**
   * Counts the calls and evaluations under way: an instance without any, and with nothing ready, is
   * waiting for a timer.
   */
  void busy(int change) {
    busy += change;
  }

  /** Changes what the instance is charged for. */
  void hold(long bytes) {
    heldBytes += bytes;
  }

  /** Bytes of payloads the instance is charged for. */
  long heldBytes() {
    return heldBytes;
  }

  /** Who waits for the end. */
  List<ReplyAddress> waiters() {
    return waiters;
  }

  /** Who waits for a change. */
  List<KernelQuery.WatchInstance> watches() {
    return watches;
  }

  /** Whether it looks different from what somebody knows who waits for a change. */
  boolean isOtherThan(KernelQuery.WatchInstance known) {
    return events != known.sequence() || state() != known.state();
  }

  InstanceState state() {
    if (state.isTerminal()) {
      return state;
    }
    if (suspended) {
      return InstanceState.SUSPENDED;
    }
    return busy == 0 && ready.isEmpty() ? InstanceState.WAITING : state;
  }

  boolean hasEnded() {
    return state.isTerminal();
  }

  /**
   * Whether its first task has done what it can, or there will be none: whatever it wants to have
   * done outside was handed out.
   */
  boolean hasBegun() {
    if (hasEnded() || steps > 1) {
      return true;
    }
    return steps == 1 && ready.isEmpty() && !evaluates();
  }

  /** Whether an expression of it is being evaluated elsewhere. */
  boolean evaluates() {
    for (int slot = 0; slot < usedSlots; slot++) {
      Activity activity = slots[slot];
      if (activity != null && activity.evaluating != 0) {
        return true;
      }
    }
    return false;
  }

  /** Ends the instance: the only door to a terminal state. */
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

  InstanceView view() {
    return new InstanceView(
        id,
        graph.key(),
        state(),
        startedAtEpochMillis,
        endedAtEpochMillis,
        events,
        output,
        error,
        tags);
  }
}
