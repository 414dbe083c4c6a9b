package dev.pinion.core.kernel;

import dev.pinion.core.graph.GraphSource;
import dev.pinion.core.graph.Node;
import dev.pinion.core.graph.ProcessGraph;
import dev.pinion.core.kernel.listen.EventMatcher;
import dev.pinion.core.kernel.step.Activity;
import dev.pinion.core.kernel.step.Instance;
import dev.pinion.core.kernel.step.MemoryAccount;
import dev.pinion.core.kernel.step.ScheduleHandover;
import dev.pinion.core.kernel.step.ScheduleTask;
import dev.pinion.core.kernel.table.Instances;
import dev.pinion.core.kernel.table.ScheduleTable;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.message.Event;
import dev.pinion.core.model.DefinitionName;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.instance.Tags;
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
 * schedule, replaces it when another version has it, and ends it when none has. One that is paused
 * is left as it is while its version is disabled. Kernel thread only.
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
  private final int maxBytes;
  private final Admission admission;
  private final ChildQueue children;
  private final EventMatcher matcher;
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
   * @param limits events after which an instance is replaced by another one, and what it hands over
   * @param admission decides whether an instance may begin
   * @param children runs that are about to begin, or under way
   * @param matcher knows which events were compared with whom
   */
  Schedules(
      GraphSource graphs,
      IntPredicate owned,
      EngineLimits limits,
      Admission admission,
      ChildQueue children,
      EventMatcher matcher,
      Instances instances,
      Turns turns) {
    this.graphs = graphs;
    this.owned = owned;
    this.maxEvents = limits.instance().maxEvents();
    this.maxBytes = limits.maxRecordedBytes();
    this.admission = admission;
    this.children = children;
    this.matcher = matcher;
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
    return isWanted(name) ? table.find(name) : null;
  }

  /** Whether a name has a schedule by now, as far as definitions are known. */
  boolean isWanted(DefinitionName name) {
    return !graphs.knowsAll() || graphs.schedules().containsKey(name);
  }

  private void check(DefinitionName name) {
    ProcessGraph graph = wanted.get(name);
    Instance keeper = table.find(name);
    if (graph == null) {
      if (keeper != null && !rests(keeper)) {
        LOG.info("the schedule of {} ends: its newest enabled version has none", name);
        end(keeper);
      }
    } else if ((keeper == null || mayReplace(keeper, graph)) && isHere(name.partition())) {
      begin(name, graph, keeper);
    }
  }

  /** Whether an instance keeps a pause until its version is enabled again. */
  private boolean rests(Instance keeper) {
    Node.Schedule task = keeper.graph().scheduleTask();
    return keeper.suspended() && task != null && !graphs.isEnabled(task.definition());
  }

  private boolean mayReplace(Instance keeper, ProcessGraph graph) {
    return !keeps(keeper, graph) && !isStarting(keeper);
  }

  /**
   * Whether a run is about to begin, or a report about one to come: it is checked again then. A run
   * of events that is only wanted can begin under the successor, which gets the events.
   */
  private boolean isStarting(Instance keeper) {
    Activity activity = ScheduleTask.activity(keeper);
    return activity != null
        && activity.awaitsChild()
        && children.awaitedChild(activity) == null
        && (activity.listening() == null || !children.isRequested(activity));
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
            before == null ? beginning(graph) : handover(before, graph),
            null,
            Tags.NONE,
            graph.fingerprint());
    InstanceId id = instances.nextId(time.epochMillis(), started.partition());
    Instance instance = instances.open(id, graph, started, time.epochMillis());
    instance.eventAt(time.nowNanos());
    turns.recorder().record(instance, started);
    return instance;
  }

  /** The value that the first instance begins with. */
  private Payload beginning(ProcessGraph graph) {
    return listens(graph) ? ScheduleHandover.firstBehind(matcher.knownEnd()) : Payload.EMPTY_OBJECT;
  }

  private static boolean listens(ProcessGraph graph) {
    Node.Schedule task = graph.scheduleTask();
    return task != null && task.listens() != null;
  }

  /** The value that a successor goes on with. */
  private Payload handover(Instance before, ProcessGraph graph) {
    ScheduleHandover.RunUnderWay run = runUnderWay(before);
    Activity activity = ScheduleTask.activity(before);
    long compared = activity == null ? -1 : matcher.comparedUpTo(activity);
    return memoryAccount
        .packing()
        .readUnpacked(
            before,
            () ->
                listens(graph)
                    ? ScheduleHandover.toEvents(before, run, maxBytes, compared, matcher.knownEnd())
                    : ScheduleHandover.of(before, run, maxBytes));
  }

  /** The run whose end an instance awaits, or null. */
  private ScheduleHandover.@Nullable RunUnderWay runUnderWay(Instance keeper) {
    Activity activity = ScheduleTask.activity(keeper);
    InstanceId id = activity == null ? null : children.awaitedChild(activity);
    Instance run = id == null ? null : instances.running(id);
    return run == null
        ? null
        : new ScheduleHandover.RunUnderWay(run.id(), run.startedAtEpochMillis());
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
