package dev.pinion.core.kernel;

import dev.pinion.core.kernel.output.EffectLanes;
import dev.pinion.core.message.Effect;
import dev.pinion.core.message.Reply;
import dev.pinion.core.message.ReplyAddress;
import dev.pinion.core.model.HeapAccount;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Receivers of kernels' effects in a test: lists for its assertions. */
public final class RecordedEffects implements EffectLanes {
  public final List<Effect.Invoke> calls = new ArrayList<>();
  final List<Effect.Abort> aborts = new ArrayList<>();
  final List<Effect.DeliverCallback> answers = new ArrayList<>();
  public final List<Effect.Evaluate> evaluations = new ArrayList<>();
  public final Map<Long, List<Reply>> replies = new HashMap<>();

  /** Number of further replies that find room. */
  int replyRoom = Integer.MAX_VALUE;

  /**
   * Whether clients receive their replies at once; otherwise the replies are {@link #unwritten}.
   */
  boolean writesAtOnce = true;

  /** Replies that no client has received yet. */
  final Deque<Reply> unwritten = new ArrayDeque<>();

  private final EffectLog log;
  private final HeapAccount heap;

  public RecordedEffects(EffectLog log) {
    this(log, new HeapAccount(Integer.MAX_VALUE));
  }

  /**
   * A receiver without effects.
   *
   * @param heap account of replies until they are written
   */
  public RecordedEffects(EffectLog log, HeapAccount heap) {
    this.log = log;
    this.heap = heap;
  }

  /** Delivers a reply to its client. */
  void write() {
    heap.endTransfer(unwritten.remove().carried());
  }

  @Override
  public boolean invoke(Effect.Invocation invocation) {
    log.invocation(invocation);
    switch (invocation) {
      case Effect.Invoke invoke -> calls.add(invoke);
      case Effect.Abort abort -> aborts.add(abort);
      case Effect.DeliverCallback deliverCallback -> answers.add(deliverCallback);
    }
    return true;
  }

  @Override
  public boolean evaluate(Effect.Evaluate evaluation) {
    if (evaluation.attempt() != EventDelivery.FILTER_ATTEMPT) { // else no step has requested it
      log.evaluation(evaluation.id(), evaluation.activity(), evaluation.attempt());
    }
    evaluations.add(evaluation);
    return true;
  }

  @Override
  public <R extends Reply> boolean reply(ReplyAddress<R> to, R reply) {
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
