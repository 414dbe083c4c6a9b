package dev.pinion.core.kernel;

import dev.pinion.core.ir.GraphSource;
import dev.pinion.core.ir.ProcessGraph;
import dev.pinion.core.message.KernelEvent;
import dev.pinion.core.message.KernelReply;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.HttpCall;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.InstanceState;
import dev.pinion.core.model.InstanceView;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.StartKey;
import dev.pinion.core.model.WrittenState;
import org.agrona.collections.Long2ObjectHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Retries and reruns of ended instances: a retry continues from the task that failed, a rerun
 * starts another instance. Kernel thread only.
 *
 * <p>A retried instance has the state in which the task began; its clock has stood still in
 * between. Calls that were abandoned because of the failure are made again under their keys, with a
 * higher attempt.
 */
final class Revival {
  private final Long2ObjectHashMap<Instance> running;
  private final EndedInstances ended;
  private final RepeatedStarts repeated;
  private final EffectRouter router;
  private final Queries queries;
  private final Kernel kernel;
  private final InstanceReader reader;

  /** Kernel that runs the instances. */
  interface Kernel {
    /** Reason why an instance of a definition cannot begin now, or null. */
    @Nullable KernelReply refusal(ProcessGraph graph);

    /** Adds a retried instance to the running ones. */
    void takeUp(
        InstanceReader.Restored restored, KernelEvent.Retried event, KernelEvent.Retry wish);

    /** Starts an instance. */
    void start(KernelEvent.Start start);
  }

  Revival(
      Long2ObjectHashMap<Instance> running,
      EndedInstances ended,
      RepeatedStarts repeated,
      GraphSource graphs,
      EffectRouter router,
      Queries queries,
      Kernel kernel) {
    this.running = running;
    this.ended = ended;
    this.repeated = repeated;
    this.router = router;
    this.queries = queries;
    this.kernel = kernel;
    this.reader = new InstanceReader(graphs, router);
  }

  /** Continues an instance from the task that failed, if it can. */
  void retry(KernelEvent.Retry wish, long nowNanos) {
    EndedInstances.Kept kept = ended.find(wish.id());
    if (kept == null) {
      queries.send(wish.replyTo(), notEnded(wish.id(), "an instance that has faulted"));
      return;
    }
    byte[] state =
        kept.brief.state() == InstanceState.FAULTED ? kept.instance().stateToRetry : null;
    if (state == null) {
      queries.send(wish.replyTo(), notPossible(kept.brief, toRetry(kept.brief)));
    } else {
      retry(wish, kept.brief, state, nowNanos);
    }
  }

  private static String toRetry(InstanceView view) {
    return switch (view.state()) {
      case FAULTED ->
          "an instance that faulted because one of its tasks failed, and whose state was not larger"
              + " than kernel.maxRetryBytes; rerun it instead";
      default -> "an instance that has faulted";
    };
  }

  private void retry(KernelEvent.Retry wish, InstanceView view, byte[] state, long nowNanos) {
    InstanceReader.Restored restored;
    try {
      KernelReply refusal = kernel.refusal(reader.graph(state));
      if (refusal != null) {
        queries.send(wish.replyTo(), refusal);
        return;
      }
      // last, because it sets the timers of the instance
      restored = reader.read(state, nowNanos - InstanceReader.header(state).eventNanos());
    } catch (RecoveryException e) {
      queries.send(wish.replyTo(), notPossible(view, String.valueOf(e.getMessage())));
      return;
    }
    ended.remove(wish.id());
    kernel.takeUp(restored, new KernelEvent.Retried(wish.id(), new WrittenState(state)), wish);
  }

  /** Receiver of the calls and evaluations that a retried instance waits for. */
  Settlement.Outside outside() {
    return new Settlement.Outside() {
      @Override
      public void called(Activity activity, int attempt, HttpCall call, int deliveries) {
        activity.deliveries = deliveries + 1;
        router.invoke(activity, attempt, call);
      }

      @Override
      public void evaluate(
          Activity activity, int attempt, Expression<?> expression, Payload input) {
        router.evaluate(activity, attempt, expression, input);
      }
    };
  }

  /** Starts another instance with the input of an ended one, if that is known. */
  void rerun(KernelEvent.Rerun wish, long nowNanos) {
    StartKey key = wish.key();
    if (key != null
        && repeated.answer(
            new RepeatedStarts.Request(wish.replyTo(), wish.awaitEnd(), wish.join()),
            key,
            nowNanos)) {
      return; // also when the first instance runs again by now, or is forgotten
    }
    EndedInstances.Kept first = ended.find(wish.id());
    if (first == null) {
      queries.send(wish.replyTo(), notEnded(wish.id(), "an instance that has ended"));
    } else {
      rerun(wish, first.brief, first.instance().input);
    }
  }

  private void rerun(KernelEvent.Rerun wish, InstanceView first, @Nullable Payload input) {
    if (input == null) {
      queries.send(wish.replyTo(), notPossible(first, "an instance whose input is known"));
      return;
    }
    kernel.start(
        new KernelEvent.Start(
            first.definition(),
            wish.id().partition(),
            input,
            wish.replyTo(),
            wish.awaitEnd(),
            wish.key(),
            wish.join(),
            first.tags()));
  }

  private KernelReply notEnded(InstanceId id, String expected) {
    Instance instance = running.get(id.value());
    if (instance == null && queries.isGiven(id)) {
      return new KernelReply.Forgotten(id, false);
    }
    return new KernelReply.NotPossible(id, instance == null ? null : instance.view(), expected);
  }

  private static KernelReply notPossible(InstanceView view, String expected) {
    return new KernelReply.NotPossible(view.id(), view, expected);
  }
}
