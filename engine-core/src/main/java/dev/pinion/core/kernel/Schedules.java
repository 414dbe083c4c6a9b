package dev.pinion.core.kernel;

import dev.pinion.core.graph.GraphSource;
import dev.pinion.core.graph.ProcessGraph;
import dev.pinion.core.kernel.step.Activity;
import dev.pinion.core.kernel.step.Instance;
import dev.pinion.core.kernel.step.MemoryAccount;
import dev.pinion.core.kernel.step.ScheduleTask;
import dev.pinion.core.message.Event;
import dev.pinion.core.model.DefinitionName;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.Tags;
import dev.pinion.core.schedule.ScheduleProgress;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.SequencedSet;
import java.util.concurrent.TimeUnit;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps one instance for each schedule whose partition is here: begins it when a definition gets a
 * schedule, replaces it when another version has it, and ends it when none has. Kernel thread only.
 *
 * <pre>
 *   definitions, partitions or instances change ─▶ names to check ─▶ begun, replaced, ended
 * </pre>
 *
 * <p>The partition follows from the name, so there is one such instance in all replicas. A
 * successor is recorded before the end of its predecessor: whatever a crash leaves, one of them
 * goes on.
 */
final class Schedules {
  private static final Logger LOG = LoggerFactory.getLogger(Schedules.class);

  /** Time until a schedule that found no room, or has faulted, is tried again. */
  private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final long NEVER = Long.MAX_VALUE;

  private final GraphSource graphs;
  private final IntPredicate owned;
  private final int maxEvents;
  private final Admission admission;
  private final ChildQueue children;
  private final Instances instances;
  private final ScheduleTable table;
  private final MemoryAccount memoryAccount;
  private final Turns turns;
  private final SequencedSet<DefinitionName> unchecked = new LinkedHashSet<>();

  /** The schedules that were wanted at the last look. */
  private Map<DefinitionName, ProcessGraph> wanted = Map.of();

  /** When everything is checked again; {@link #NEVER} unless something could not begin. */
  private long retryNanos = NEVER;

  /**
   * Schedules of one kernel.
   *
   * @param owned whether a partition belongs to this kernel
   * @param maxEvents events after which an instance is replaced by another one
   * @param admission decides whether an instance may begin
   * @param children runs that are about to begin, or under way
   */
  Schedules(
      GraphSource graphs,
      IntPredicate owned,
      int maxEvents,
      Admission admission,
      ChildQueue children,
      Instances instances,
      Turns turns) {
    this.graphs = graphs;
    this.owned = owned;
    this.maxEvents = maxEvents;
    this.admission = admission;
    this.children = children;
    this.instances = instances;
    this.table = instances.schedules();
    this.memoryAccount = instances.memoryAccount();
    this.turns = turns;
  }

  /** Whether {@link #workOnce} has something to do. */
  boolean hasWork() {
    return table.firstSuperseded() != null
        || (graphs.knowsAll() && (!unchecked.isEmpty() || table.hasChanged() || isOutdated()));
  }

  /** Time at which everything is to be checked again; {@link Long#MAX_VALUE} for none. */
  long nextDeadlineNanos() {
    return retryNanos;
  }

  /** Has everything checked again: partitions have moved. */
  void recheck() {
    unchecked.addAll(wanted.keySet());
    unchecked.addAll(table.names());
  }

  /** Checks one name; returns whether there was one. */
  boolean workOnce() {
    Instance old = table.firstSuperseded();
    if (old != null) {
      endSuperseded(old);
      return true;
    }
    if (!graphs.knowsAll()) {
      return false;
    }
    notice();
    DefinitionName name = unchecked.isEmpty() ? table.pollChanged() : unchecked.removeFirst();
    if (name == null) {
      return false;
    }
    check(name);
    return true;
  }

  /** Takes note of what has changed since the last look. */
  private void notice() {
    long nowNanos = turns.recorder().time().nowNanos();
    if (isOutdated()) {
      unchecked.addAll(wanted.keySet());
      wanted = graphs.schedules();
      retryNanos = NEVER;
      recheck();
    }
    if (table.pollFailure()) {
      retryNanos = nowNanos + RETRY_NANOS;
    }
    if (nowNanos >= retryNanos) {
      retryNanos = NEVER;
      recheck();
    }
  }

  @SuppressWarnings("ReferenceEquality") // there is another map after every change
  private boolean isOutdated() {
    return wanted != graphs.schedules();
  }

  /** The instance that keeps the schedule of a name by now, or null. */
  @Nullable Instance find(DefinitionName name) {
    if (graphs.knowsAll()) {
      notice();
      if (retryNanos == NEVER || table.find(name) != null) { // a query hurries no retry
        check(name);
      }
    }
    return table.find(name);
  }

  private void check(DefinitionName name) {
    ProcessGraph graph = wanted.get(name);
    Instance keeper = table.find(name);
    if (graph == null) {
      if (keeper != null) {
        LOG.info("the schedule of {} ends: its newest enabled version has none", name);
        end(keeper);
      }
    } else if ((keeper == null || mayReplace(keeper, graph)) && isHere(name.partition())) {
      begin(name, graph, keeper);
    }
  }

  private boolean mayReplace(Instance keeper, ProcessGraph graph) {
    return !keeps(keeper, graph) && !isStarting(keeper);
  }

  /** Whether a run is about to begin, or a report about one to come: it is checked again then. */
  private boolean isStarting(Instance keeper) {
    Activity activity = ScheduleTask.activity(keeper);
    return activity != null && activity.awaitsChild() && children.awaitedChild(activity) == null;
  }

  private boolean keeps(Instance keeper, ProcessGraph graph) {
    return keeper.graph().key().equals(graph.key())
        && keeper.graph().fingerprint() == graph.fingerprint()
        && !isWorn(keeper);
  }

  /** Whether an instance has had many events, and waits for nothing that a successor would miss. */
  private boolean isWorn(Instance keeper) {
    Activity activity = ScheduleTask.activity(keeper);
    boolean busy = activity == null || activity.awaitsChild() || !keeper.isIdle();
    return keeper.events() >= maxEvents && !busy;
  }

  private boolean isHere(int partition) {
    return owned.test(partition) && !instances.isReleased(partition);
  }

  private void begin(DefinitionName name, ProcessGraph graph, @Nullable Instance before) {
    if (admission.refusal(instances.durability(graph), null) != null) {
      if (retryNanos == NEVER) {
        LOG.warn("the schedule of {} finds no room to begin; it is tried again", name);
      }
      retryNanos = turns.recorder().time().nowNanos() + RETRY_NANOS;
      return;
    }
    Instance instance = record(name, graph, before);
    turns.begin(instance);
    LOG.info("the schedule of {} is kept by {}", graph.key(), instance.id());
    if (before != null) {
      succeed(before, instance);
    }
  }

  private Instance record(DefinitionName name, ProcessGraph graph, @Nullable Instance before) {
    CycleTime time = turns.recorder().time();
    Event.Started started =
        new Event.Started(
            graph.key(),
            name.partition(),
            before == null ? Payload.EMPTY_OBJECT : progress(before),
            null,
            Tags.NONE,
            graph.fingerprint());
    InstanceId id = instances.nextId(time.epochMillis(), started.partition());
    Instance instance = instances.open(id, graph, started, time.epochMillis());
    instance.eventAt(time.nowNanos());
    turns.recorder().record(instance, started);
    return instance;
  }

  /** The value that a successor goes on with. */
  private Payload progress(Instance before) {
    return memoryAccount
        .packing()
        .readUnpacked(
            before,
            () -> {
              ScheduleProgress progress = ScheduleTask.progressOf(before);
              return progress == null ? before.rawInput() : left(before, progress);
            });
  }

  /** The value with the run that is under way: a successor is not told of its end. */
  private Payload left(Instance before, ScheduleProgress progress) {
    Activity activity = ScheduleTask.activity(before);
    InstanceId id = activity == null ? null : children.awaitedChild(activity);
    Instance run = id == null ? null : instances.running(id);
    if (run != null) {
      progress.left(run.id().toString(), run.startedAtEpochMillis());
    }
    return progress.write();
  }

  private void endSuperseded(Instance old) {
    Instance successor = table.successorOf(old);
    if (successor == null) {
      end(old);
    } else {
      succeed(old, successor);
    }
  }

  /** Ends an instance that has a successor, which is paused as well. */
  private void succeed(Instance before, Instance successor) {
    if (before.suspended() && !successor.suspended()) {
      turns.submit(successor.id(), new Event.Suspended(successor.id()));
    }
    end(before);
  }

  private void end(Instance instance) {
    turns.submit(instance.id(), new Event.Cancelled(instance.id()));
  }
}
