package dev.pinion.core.kernel;

import dev.pinion.core.message.Effect;
import dev.pinion.core.message.KernelReply;
import dev.pinion.core.message.ReplyAddress;
import dev.pinion.core.model.HeapAccount;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
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

  /** Whether clients have their answers at once; else the replies are {@link #unwritten}. */
  boolean writesAtOnce = true;

  /** Replies that no client has yet. */
  final Deque<KernelReply> unwritten = new ArrayDeque<>();

  private final EffectLog log;
  private final HeapAccount heap;

  Outside(EffectLog log) {
    this(log, new HeapAccount(Integer.MAX_VALUE));
  }

  /**
   * Nothing yet.
   *
   * @param heap counts replies until they are written
   */
  Outside(EffectLog log, HeapAccount heap) {
    this.log = log;
    this.heap = heap;
  }

  /** A client has its answer. */
  void write() {
    heap.arrived(unwritten.remove().carried());
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
    unwritten.add(reply);
    if (writesAtOnce) {
      write();
    }
    return true;
  }
}
