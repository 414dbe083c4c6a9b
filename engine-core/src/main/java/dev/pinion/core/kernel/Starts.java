package dev.pinion.core.kernel;

import dev.pinion.core.graph.GraphSource;
import dev.pinion.core.graph.ProcessGraph;
import dev.pinion.core.kernel.step.Instance;
import dev.pinion.core.kernel.table.Instances;
import dev.pinion.core.message.Command;
import dev.pinion.core.message.Event;
import dev.pinion.core.message.Reply;
import dev.pinion.core.message.ReplyAddress;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.instance.OrderingKey;
import dev.pinion.core.model.instance.StartKey;
import org.jspecify.annotations.Nullable;

/**
 * Starts of instances: each is answered if it was made before, waits for starts with its ordering
 * key that came earlier, and is refused or begins. Kernel thread only.
 *
 * <pre>
 *   start ─▶ made before? ─▶ in order? ─▶ admitted? ─▶ recorded ─▶ first turn
 *               └─▶ its reply   └─▶ waits    └─▶ refusal
 * </pre>
 */
final class Starts {
  static final Reply.LimitReached PARTITION_MOVING = new Reply.LimitReached("partitions that move");

  private final GraphSource graphs;
  private final Instances instances;
  private final Admission admission;
  private final DuplicateStarts duplicateStarts;
  private final OrderedStarts ordered;
  private final Turns turns;
  private final EffectRouter router;
  private boolean orderRestored;

  Starts(
      GraphSource graphs,
      Instances instances,
      Admission admission,
      DuplicateStarts duplicateStarts,
      OrderedStarts ordered,
      Turns turns,
      EffectRouter router) {
    this.graphs = graphs;
    this.instances = instances;
    this.admission = admission;
    this.duplicateStarts = duplicateStarts;
    this.ordered = ordered;
    this.turns = turns;
    this.router = router;
  }

  /** Starts an instance, now or when its predecessors have begun. */
  void start(Command.Start start) {
    if (isAnswered(start)) {
      return;
    }
    OrderingKey order = OrderingKey.of(start.definition(), start.tags());
    if (order == null || !ordered.hasPredecessor(order)) {
      begin(start);
      return;
    }
    Reply.StartReply refusal = admission.refusalToWait();
    if (refusal == null) {
      ordered.add(order, start);
    } else {
      answer(start, refusal);
    }
  }

  /** Begins a start whose predecessors have all begun; returns whether there was one. */
  boolean startNextInOrder() {
    Command.Start start = ordered.poll();
    if (start == null) {
      return false;
    }
    if (!isAnswered(start)) {
      begin(start);
    }
    return true;
  }

  /** Whether instances that came from a journal and have not begun hold later starts. */
  boolean isOrderRestored() {
    return orderRestored;
  }

  /** Records that instances have come from a journal. */
  void recheckOrder() {
    orderRestored = false;
  }

  /** Has restored instances that have not begun hold later starts. */
  void restoreOrder() {
    orderRestored = true;
    for (Instance instance : instances.running()) {
      OrderingKey order = OrderingKey.of(instance.graph().key(), instance.tags());
      if (order != null && !instance.hasBegun()) {
        ordered.block(order, instance);
      }
    }
  }

  /** Answers a start whose partition has moved away, or that was made before. */
  private boolean isAnswered(Command.Start start) {
    if (instances.isReleased(start.partition())) {
      instances.counters().onRefused();
      answer(start, PARTITION_MOVING);
      return true;
    }
    StartKey key = start.key();
    return key != null
        && duplicateStarts.answer(
            new DuplicateStarts.DuplicateStart(start.replyTo(), start.awaitEnd(), start.join()),
            key,
            turns.recorder().time().nowNanos());
  }

  private void begin(Command.Start start) {
    ProcessGraph graph = graphs.graph(start.definition());
    if (graph == null) {
      answer(start, new Reply.UnknownDefinition(start.definition()));
      return;
    }
    if (!graphs.isEnabled(start.definition())) {
      answer(start, new Reply.DefinitionDisabled(start.definition()));
      return;
    }
    Reply.StartReply refusal = admission.refusal(instances.durability(graph), start.key());
    if (refusal != null) {
      answer(start, refusal);
      return;
    }
    Instance instance = record(start, graph);
    router.started(instance);
    if (start.replyTo() != null) {
      accept(instance, start.replyTo(), start.awaitEnd());
    }
    turns.begin(instance);
  }

  private Instance record(Command.Start start, ProcessGraph graph) {
    CycleTime time = turns.recorder().time();
    InstanceId id = instances.nextId(time.epochMillis(), start.partition());
    Event.Started started = start.accepted(graph.fingerprint());
    Instance instance = instances.open(id, graph, started, time.epochMillis());
    instance.eventAt(time.nowNanos());
    turns.recorder().record(instance, started);
    if (start.key() != null) {
      instances.keys().add(start.key(), id, graph.key(), time.nowNanos());
    }
    return instance;
  }

  /** Reason why an instance of a definition cannot run again now, or null. */
  Reply.@Nullable StartReply refusal(ProcessGraph graph) {
    return admission.refusal(instances.durability(graph), null);
  }

  /** Reports an accepted instance, and later its end. */
  void accept(Instance instance, ReplyAddress<Reply.StartReply> replyTo, boolean awaitEnd) {
    router.reply(instance, replyTo, new Reply.Accepted(instance.id(), instance.graph().key()));
    if (awaitEnd) {
      instance.waiters().add(replyTo);
    }
  }

  private void answer(Command.Start start, Reply.StartReply reply) {
    if (start.replyTo() != null) {
      router.refuse(start.replyTo(), reply);
    }
  }
}
