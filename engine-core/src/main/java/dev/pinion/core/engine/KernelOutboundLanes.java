package dev.pinion.core.engine;

import dev.pinion.core.kernel.output.EffectLanes;
import dev.pinion.core.message.AddressedReply;
import dev.pinion.core.message.Effect;
import dev.pinion.core.message.Reply;
import dev.pinion.core.message.ReplyAddress;
import dev.pinion.core.stage.Lane;
import java.util.List;
import java.util.function.Predicate;

/**
 * The lanes out of one kernel. All calls of an instance go to the same Invoker, so that an abort
 * finds its call.
 *
 * @param home the Invoker on the kernel's own loop, or a negative number when there is none
 */
record KernelOutboundLanes(
    int home,
    List<Lane<Effect.Invocation>> invocations,
    Predicate<Effect.Evaluate> evaluators,
    List<Lane<AddressedReply>> replies)
    implements EffectLanes {
  @Override
  public boolean invoke(Effect.Invocation invocation) {
    int invoker =
        home >= 0 ? home : Math.floorMod(spread(invocation.id().value()), invocations.size());
    return invocations.get(invoker).offer(invocation);
  }

  /**
   * Ids of instances that start together differ little; their calls must be spread nevertheless.
   */
  private static int spread(long id) {
    return (int) ((id * 0x9e3779b97f4a7c15L) >>> 33);
  }

  @Override
  public boolean evaluate(Effect.Evaluate evaluation) {
    return evaluators.test(evaluation);
  }

  @Override
  public <R extends Reply> boolean reply(ReplyAddress<R> to, R reply) {
    return replies.get(to.handler()).offer(new AddressedReply(to.request(), reply));
  }
}
