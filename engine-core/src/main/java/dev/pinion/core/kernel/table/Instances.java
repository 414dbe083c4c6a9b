package dev.pinion.core.kernel.table;

import dev.pinion.core.graph.ProcessGraph;
import dev.pinion.core.kernel.counters.KernelCounters;
import dev.pinion.core.kernel.step.Instance;
import dev.pinion.core.kernel.step.MemoryAccount;
import dev.pinion.core.message.Event;
import dev.pinion.core.model.Durability;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.instance.InstanceView;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import org.agrona.collections.Long2ObjectHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The instances of one kernel: those that run, those that have ended and are kept, the keys under
 * which they were started, and the partitions that it does not own. Kernel thread only.
 */
public final class Instances {
  private final Long2ObjectHashMap<Instance> running = new Long2ObjectHashMap<>();
  private final FinishedInstances finished;
  private final StartKeyTable keys;
  private final MemoryAccount memoryAccount;
  private final Durability defaultDurability;
  private final KernelCounters counters;
  private final BitSet released = new BitSet();
  private final ScheduleTable schedules = new ScheduleTable();
  private @Nullable InstanceId lastId;

  /** The first assigned id, as far as it is known. */
  private @Nullable InstanceId firstId;

  /** Running instances that are not journalled, without those that keep schedules. */
  private int inMemory;

  private int onWallClock;

  /**
   * No instances.
   *
   * @param defaultDurability durability of instances whose definition does not say
   */
  public Instances(
      FinishedInstances finished,
      StartKeyTable keys,
      MemoryAccount memoryAccount,
      Durability defaultDurability,
      KernelCounters counters) {
    this.finished = finished;
    this.keys = keys;
    this.memoryAccount = memoryAccount;
    this.defaultDurability = defaultDurability;
    this.counters = counters;
  }

  /** Charges of the instances. */
  public MemoryAccount memoryAccount() {
    return memoryAccount;
  }

  /** A running instance, or null. */
  public @Nullable Instance running(InstanceId id) {
    return running.get(id.value());
  }

  /** All running instances. */
  public Collection<Instance> running() {
    return running.values();
  }

  /** Number of running instances. */
  public int size() {
    return running.size();
  }

  /** Number of running instances that may wait for a time of the wall clock. */
  public int onWallClock() {
    return onWallClock;
  }

  /**
   * Ids of the running instances. Ids only, so that the values of an instance that ends meanwhile
   * can be collected.
   */
  public List<InstanceId> runningIds() {
    return running.values().stream().map(instance -> instance.id()).toList();
  }

  /** The instances that keep schedules. */
  public ScheduleTable schedules() {
    return schedules;
  }

  /** The instances that have ended. */
  public FinishedInstances finished() {
    return finished;
  }

  /** The keys of starts. */
  public StartKeyTable keys() {
    return keys;
  }

  public KernelCounters counters() {
    return counters;
  }

  /** Durability of the instances of a definition. */
  public Durability durability(ProcessGraph graph) {
    Durability own = graph.durability();
    return own == null ? defaultDurability : own;
  }

  /** A new id in a partition. */
  public InstanceId nextId(long epochMillis, int partition) {
    return InstanceId.next(epochMillis, partition, lastId);
  }

  /** Adds a new running instance. */
  public Instance open(InstanceId id, ProcessGraph graph, Event.Started started, long epochMillis) {
    Instance instance =
        new Instance(id, graph, started.input(), epochMillis, durability(graph), started.tags());
    instance.startedBy(started.parent());
    open(instance);
    return instance;
  }

  /** Adds a running instance. */
  public void open(Instance instance) {
    running.put(instance.id().value(), instance);
    memoryAccount.opened(instance);
    reserve(instance.id());
    counters.onStarted(instance.graph().key());
    inMemory += isLostWithTheEngine(instance) ? 1 : 0;
    onWallClock += mayWaitForClock(instance) ? 1 : 0;
    schedules.opened(instance);
  }

  /** Whether its end matters before the engine ends; a schedule in memory is begun again. */
  private static boolean isLostWithTheEngine(Instance instance) {
    return !instance.durability().isJournalled() && instance.graph().scheduleTask() == null;
  }

  /** Whether it waits for times of the wall clock, or was to begin at one. */
  private static boolean mayWaitForClock(Instance instance) {
    return instance.graph().scheduleTask() != null || instance.startAtEpochMillis() != 0;
  }

  /** Keeps an instance that has ended among the ended ones. */
  public void end(Instance instance) {
    remove(instance.id());
    InstanceView view = instance.view();
    counters.onEnded(instance.graph().key(), view.state());
    FinishedInstance kept =
        new FinishedInstance(view, instance.rawInput(), instance.stateToRetry());
    if (instance.durability().isJournalled()) {
      finished.add(kept);
    } else {
      finished.addUnjournalled(kept);
    }
  }

  /** Removes and returns a running instance whose partition moves away; null when it has ended. */
  public @Nullable Instance release(InstanceId id) {
    Instance instance = remove(id);
    if (instance != null) {
      counters.onReleased();
    }
    return instance;
  }

  private @Nullable Instance remove(InstanceId id) {
    Instance instance = running.remove(id.value());
    if (instance != null) {
      inMemory -= isLostWithTheEngine(instance) ? 1 : 0;
      onWallClock -= mayWaitForClock(instance) ? 1 : 0;
      schedules.closed(instance);
    }
    return instance;
  }

  /** Forgets a running instance, as if it had never existed here. */
  public void forget(InstanceId id) {
    Instance instance = remove(id);
    if (instance != null) {
      memoryAccount.closed(instance);
    }
  }

  /** Adds an ended instance from a snapshot, or one that is left out. */
  public void restore(FinishedInstance instance) {
    reserve(instance.view.id());
    finished.add(instance);
  }

  /** Reserves an id: no later instance gets it or a lower one. */
  public void reserve(InstanceId id) {
    lastId = lastId == null || id.compareTo(lastId) > 0 ? id : lastId;
    firstId = firstId == null || id.compareTo(firstId) < 0 ? id : firstId;
  }

  /** The last assigned id and the first one, for a snapshot; zeros for none. */
  public long[] givenIds() {
    return lastId == null || firstId == null
        ? new long[] {0, 0}
        : new long[] {lastId.value(), firstId.value()};
  }

  /** Whether an id is between the first and last assigned ones: an absent instance is forgotten. */
  public boolean isGiven(InstanceId id) {
    return lastId != null
        && firstId != null
        && id.compareTo(lastId) <= 0
        && id.compareTo(firstId) >= 0;
  }

  /**
   * Publishes how many instances there are.
   *
   * @param underWay calls and evaluations in progress
   */
  public void publishCounters(int underWay) {
    counters.unfinished(inMemory + underWay);
    counters.startKeysFull(keys.isFull());
    counters.schedules().kept(schedules.size());
    counters.snapshotBytes(memoryAccount.journalledBytes() + finished.journalledBytes());
  }

  /** Whether a partition is not served here. */
  public boolean isReleased(int partition) {
    return released.get(partition);
  }

  /** Serves some partitions no longer. */
  public void release(BitSet partitions) {
    released.or(partitions);
  }

  /** Serves some partitions again. */
  public void acquire(BitSet partitions) {
    released.andNot(partitions);
  }

  /** Forgets the ended instances and the keys of partitions. */
  public void forget(BitSet partitions) {
    finished.remove(partitions);
    keys.remove(partitions);
  }
}
