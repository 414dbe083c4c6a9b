package dev.pinion.core.kernel;

import dev.pinion.core.message.Effect;
import dev.pinion.core.message.KernelReply;
import dev.pinion.core.message.ReplyAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What the effects of kernels reach in a test: lists that the test looks at. */
final class Outside implements KernelOutlets {
  final List<Effect.Invoke> calls = new ArrayList<>();
  final List<Effect.Abort> aborts = new ArrayList<>();
  final List<Effect.Answer> answers = new ArrayList<>();
  final List<Effect.Evaluate> evaluations = new ArrayList<>();
  final Map<Long, List<KernelReply>> replies = new HashMap<>();

  /** So many more replies find room. */
  int replyRoom = Integer.MAX_VALUE;

  private final EffectLog log;

  Outside(EffectLog log) {
    this.log = log;
  }

  @Override
  public boolean invoke(Effect.Invocation invocation) {
    log.invocation(invocation);
    switch (invocation) {
      case Effect.Invoke invoke -> calls.add(invoke);
      case Effect.Abort abort -> aborts.add(abort);
      case Effect.Answer answer -> answers.add(answer);
    }
    return true;
  }

  @Override
  public boolean evaluate(Effect.Evaluate evaluation) {
    log.evaluation(evaluation.id(), evaluation.activity(), evaluation.attempt());
    evaluations.add(evaluation);
    return true;
  }

  @Override
  public boolean reply(ReplyAddress to, KernelReply reply) {
    if (replyRoom == 0) {
      return false;
    }
    replyRoom--;
    replies.computeIfAbsent(to.request(), request -> new ArrayList<>()).add(reply);
    return true;
  }
}
