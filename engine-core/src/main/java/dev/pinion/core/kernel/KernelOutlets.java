package dev.pinion.core.kernel;

import dev.pinion.core.message.Effect;
import dev.pinion.core.message.KernelReply;
import dev.pinion.core.message.ReplyAddress;

/**
 * Where a kernel's effects go: the lanes of the other stages. Each method returns whether there was
 * room.
 */
public interface KernelOutlets {
  /**
   * To the Invoker that performs the instance's calls. There is always room: the kernel takes a
   * permit for every call, and lanes are sized by the permits (see {@code
   * EngineLimits.Kernel.maxInvocations}).
   */
  boolean invoke(Effect.Invocation invocation);

  /** To the threads that evaluate long expressions. There is always room, by permits as above. */
  boolean evaluate(Effect.Evaluate evaluation);

  /**
   * To the Request Handler that asked. When there is no room the kernel keeps the reply and tries
   * again.
   */
  boolean reply(ReplyAddress to, KernelReply reply);
}
