package dev.pinion.core.kernel;

import dev.pinion.core.kernel.output.EffectLanes;
import dev.pinion.core.kernel.output.ReplyQueue;
import dev.pinion.core.kernel.step.Activity;
import dev.pinion.core.kernel.step.Instance;
import dev.pinion.core.kernel.table.Instances;
import dev.pinion.core.message.Command;
import dev.pinion.core.message.Completion;
import dev.pinion.core.message.Effect;
import dev.pinion.core.message.Reply;
import dev.pinion.core.message.Reply.CallbackStatus;
import dev.pinion.core.model.HeapAccount;
import org.jspecify.annotations.Nullable;

/**
 * Answers that arrive later than their calls, on their way from a client through the Invoker.
 *
 * <pre>
 *   answered late ──▶ kernel ──answer──▶ Invoker ──outcome, if it leads to one──▶ kernel ──▶ journal
 *                       │                   └──────────report─────────────────────▶ │
 *                       └─ not awaited, not yet, no room ─▶ reply ◀─ durable ───────┘
 * </pre>
 *
 * <p>The bytes of an answer are counted while it waits for the Invoker, which reads none for which
 * the heap has no room. The sender repeats it then.
 *
 * <p>The kernel keeps nothing of an answer while the Invoker has it: the reply is sent when the
 * Invoker reports it, behind the record of its outcome, so that a client with a positive reply need
 * not send the answer again whatever happens to the engine. Kernel thread only.
 */
final class CallbackRelay {
  private final int kernel;
  private final int most;
  private final HeapAccount heap;
  private final EffectLanes lanes;
  private final Instances instances;
  private final InstanceQueries instanceQueries;
  private final ReplyQueue replyQueue;
  private int underWay;

  /**
   * An empty set.
   *
   * @param kernel index of the kernel
   * @param most bound of the answers that the Invoker may have at a time
   * @param heap account of their bytes until the Invoker has them
   * @param instances the instances that call
   * @param instanceQueries sends replies when everything recorded before is durable
   * @param replyQueue sends replies at once
   */
  CallbackRelay(
      int kernel,
      int most,
      HeapAccount heap,
      EffectLanes lanes,
      Instances instances,
      InstanceQueries instanceQueries,
      ReplyQueue replyQueue) {
    this.kernel = kernel;
    this.most = most;
    this.heap = heap;
    this.lanes = lanes;
    this.instances = instances;
    this.instanceQueries = instanceQueries;
    this.replyQueue = replyQueue;
  }

  /** Handles an answer of a service. */
  void onCallback(Command.AcceptCallback late) {
    if (instances.isReleased(late.partition())) {
      replyQueue.send(late.replyTo(), new Reply.NotOwner());
    } else {
      onCallback(late, instances.running(late.id()));
    }
  }

  private void onCallback(Command.AcceptCallback late, @Nullable Instance instance) {
    Activity activity = instance == null ? null : instance.activity(late.activity());
    if (activity == null || activity.evaluating() != 0 || activity.awaiting() != late.attempt()) {
      reply(late, CallbackStatus.NOT_AWAITED);
    } else if (!activity.sent()) {
      reply(late, CallbackStatus.NOT_YET);
    } else if (underWay == most) {
      reply(late, CallbackStatus.FULL);
    } else if (!heap.hasRoomForResponses()) {
      reply(late, CallbackStatus.NO_ROOM);
    } else {
      send(late);
    }
  }

  private void send(Command.AcceptCallback late) {
    underWay++;
    heap.beginTransfer(late.answer().bytes().length);
    boolean taken =
        lanes.invoke(
            new Effect.DeliverCallback(
                kernel,
                late.id(),
                late.activity(),
                late.attempt(),
                late.service(),
                late.answer(),
                late.replyTo()));
    if (!taken) {
      throw new IllegalStateException(
          "expected room for each of "
              + most
              + " late answers, found none out of kernel-"
              + kernel);
    }
  }

  private void reply(Command.AcceptCallback late, CallbackStatus callbackStatus) {
    instanceQueries.send(late.replyTo(), new Reply.CallbackResult(callbackStatus));
  }

  /**
   * Handles the Invoker's report about an answer; its outcome was applied before.
   *
   * @param isAway whether the instance now belongs to another kernel, which makes the call again
   */
  void onHandled(Completion.CallbackHandled heard, boolean isAway) {
    underWay--;
    instanceQueries.send(
        heard.replyTo(), isAway ? new Reply.NotOwner() : new Reply.CallbackResult(heard.status()));
  }
}
