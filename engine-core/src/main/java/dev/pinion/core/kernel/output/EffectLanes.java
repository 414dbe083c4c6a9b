package dev.pinion.core.kernel.output;

import dev.pinion.core.message.Effect;
import dev.pinion.core.message.Reply;
import dev.pinion.core.message.ReplyAddress;

/**
 * Receivers of a kernel's effects: the lanes of the other stages. Each method returns whether there
 * was room.
 */
public interface EffectLanes {
  /**
   * Sends a call to the Invoker of the instance. There is always room: the kernel takes a permit
   * for every call, and lanes are sized by the permits (see {@code KernelLimits.maxInvocations}).
   */
  boolean invoke(Effect.Invocation invocation);

  /**
   * Sends an evaluation to the threads for long expressions. There is always room, by permits as
   * above.
   */
  boolean evaluate(Effect.Evaluate evaluation);

  /**
   * Sends a reply to the Request Handler that asked. Without room the kernel keeps the reply and
   * tries again.
   */
  <R extends Reply> boolean reply(ReplyAddress<R> to, R reply);
}
