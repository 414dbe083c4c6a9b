package dev.pinion.core.kernel;

import dev.pinion.core.kernel.step.Instance;
import dev.pinion.core.kernel.table.FinishedInstances;
import dev.pinion.core.kernel.table.Instances;
import dev.pinion.core.message.Command;
import dev.pinion.core.message.Event;
import dev.pinion.core.message.Reply;
import dev.pinion.core.message.ReplyAddress;
import dev.pinion.core.model.InstanceId;
import org.jspecify.annotations.Nullable;

/** Requests of clients to cancel, suspend and resume instances. Kernel thread only. */
final class Controls {
  private final Instances instances;
  private final Turns turns;
  private final EffectRouter router;
  private final InstanceQueries instanceQueries;

  Controls(Instances instances, Turns turns, EffectRouter router, InstanceQueries instanceQueries) {
    this.instances = instances;
    this.turns = turns;
    this.router = router;
    this.instanceQueries = instanceQueries;
  }

  /** Carries out a request, and replies when its record is durable. */
  void control(Command.InstanceControl control) {
    ReplyAddress<Reply.ControlReply> replyTo = control.replyTo();
    Instance instance = instances.running(control.id());
    if (instances.isReleased(control.partition())) {
      if (replyTo != null) {
        router.refuse(replyTo, new Reply.NotOwner());
      }
    } else if (instance != null && !isNoOp(instance, control)) {
      boolean wasIdle = instance.isIdle();
      turns.apply(instance, event(control));
      if (replyTo != null) {
        router.reply(instance, replyTo, new Reply.Controlled(instance.view()));
      }
      turns.proceed(instance, wasIdle);
      instances.schedules().recheck(instance);
    } else if (replyTo != null) {
      instanceQueries.send(replyTo, unchanged(instance, control.id()));
    }
  }

  private static Event.Trigger event(Command.InstanceControl control) {
    return switch (control) {
      case Command.Cancel(InstanceId id, _, boolean compensates) ->
          new Event.Cancelled(id, compensates);
      case Command.Suspend(InstanceId id, _) -> new Event.Suspended(id);
      case Command.Resume(InstanceId id, _) -> new Event.Resumed(id);
    };
  }

  /**
   * Whether the instance is already in the wanted state, or on its way there: then this is no event
   * and is not recorded.
   */
  private static boolean isNoOp(Instance instance, Command.InstanceControl control) {
    return switch (control) {
      case Command.Cancel cancel ->
          cancel.compensates() && instance.isCompensating() && !instance.suspended();
      case Command.Suspend _ -> instance.suspended();
      case Command.Resume _ -> !instance.suspended();
    };
  }

  private Reply.ControlReply unchanged(@Nullable Instance instance, InstanceId id) {
    if (instance != null) {
      return new Reply.Controlled(instance.view());
    }
    FinishedInstances.RetainedInstance retainedInstance = instances.finished().find(id);
    if (retainedInstance != null) {
      return new Reply.AlreadyEnded(retainedInstance.brief);
    }
    return instances.isGiven(id) ? new Reply.Evicted(id, false) : new Reply.NotFound();
  }
}
