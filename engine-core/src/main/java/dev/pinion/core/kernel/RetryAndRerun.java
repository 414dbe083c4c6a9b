package dev.pinion.core.kernel;

import dev.pinion.core.graph.GraphSource;
import dev.pinion.core.graph.ProcessGraph;
import dev.pinion.core.message.Command;
import dev.pinion.core.message.Event;
import dev.pinion.core.message.Reply;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.HttpCall;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.InstanceState;
import dev.pinion.core.model.InstanceView;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.SerializedInstance;
import dev.pinion.core.model.StartKey;
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
final class RetryAndRerun {
  private final Long2ObjectHashMap<Instance> running;
  private final FinishedInstances ended;
  private final DuplicateStarts repeated;
  private final EffectRouter router;
  private final InstanceQueries instanceQueries;
  private final RetryHost retryHost;
  private final InstanceReader reader;

  /** Kernel that runs the instances. */
  interface RetryHost {
    /** Reason why an instance of a definition cannot begin now, or null. */
    Reply.@Nullable StartReply refusal(ProcessGraph graph);

    /** Adds a retried instance to the running ones. */
    void takeUp(
        InstanceReader.RestoredInstance restoredInstance,
        Event.Retried event,
        Command.Retry wish);

    /** Starts an instance. */
    void start(Command.Start start);
  }

  RetryAndRerun(
      Long2ObjectHashMap<Instance> running,
      FinishedInstances ended,
      DuplicateStarts repeated,
      GraphSource graphs,
      EffectRouter router,
      InstanceQueries instanceQueries,
      RetryHost retryHost) {
    this.running = running;
    this.ended = ended;
    this.repeated = repeated;
    this.router = router;
    this.instanceQueries = instanceQueries;
    this.retryHost = retryHost;
    this.reader = new InstanceReader(graphs, router);
  }

  /** Continues an instance from the task that failed, if it can. */
  void retry(Command.Retry wish, long nowNanos) {
    FinishedInstances.RetainedInstance retainedInstance = ended.find(wish.id());
    if (retainedInstance == null) {
      instanceQueries.send(wish.replyTo(), notEnded(wish.id(), "an instance that has faulted"));
      return;
    }
    byte[] state =
        retainedInstance.brief.state() == InstanceState.FAULTED
            ? retainedInstance.instance().stateToRetry
            : null;
    if (state == null) {
      instanceQueries.send(
          wish.replyTo(), notPossible(retainedInstance.brief, toRetry(retainedInstance.brief)));
    } else {
      retry(wish, retainedInstance.brief, state, nowNanos);
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

  private void retry(Command.Retry wish, InstanceView view, byte[] state, long nowNanos) {
    InstanceReader.RestoredInstance restoredInstance;
    try {
      Reply.StartReply refusal = retryHost.refusal(reader.graph(state));
      if (refusal != null) {
        instanceQueries.send(wish.replyTo(), refusal);
        return;
      }
      // last, because it sets the timers of the instance
      restoredInstance = reader.read(state, nowNanos - InstanceReader.header(state).eventNanos());
    } catch (RecoveryException e) {
      instanceQueries.send(wish.replyTo(), notPossible(view, String.valueOf(e.getMessage())));
      return;
    }
    ended.remove(wish.id());
    retryHost.takeUp(
        restoredInstance, new Event.Retried(wish.id(), new SerializedInstance(state)), wish);
  }

  /** Receiver of the calls and evaluations that a retried instance waits for. */
  EffectResumption.PendingEffects pendingEffects() {
    return new EffectResumption.PendingEffects() {
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
  void rerun(Command.Rerun wish, long nowNanos) {
    StartKey key = wish.key();
    if (key != null
        && repeated.answer(
            new DuplicateStarts.DuplicateStart(wish.replyTo(), wish.awaitEnd(), wish.join()),
            key,
            nowNanos)) {
      return; // also when the first instance runs again by now, or is forgotten
    }
    FinishedInstances.RetainedInstance first = ended.find(wish.id());
    if (first == null) {
      instanceQueries.send(wish.replyTo(), notEnded(wish.id(), "an instance that has ended"));
    } else {
      rerun(wish, first.brief, first.instance().input);
    }
  }

  private void rerun(Command.Rerun wish, InstanceView first, @Nullable Payload input) {
    if (input == null) {
      instanceQueries.send(wish.replyTo(), notPossible(first, "an instance whose input is known"));
      return;
    }
    retryHost.start(
        new Command.Start(
            first.definition(),
            wish.id().partition(),
            input,
            wish.replyTo(),
            wish.awaitEnd(),
            wish.key(),
            wish.join(),
            first.tags()));
  }

  private Reply.StartReply notEnded(InstanceId id, String expected) {
    Instance instance = running.get(id.value());
    if (instance == null && instanceQueries.isGiven(id)) {
      return new Reply.Evicted(id, false);
    }
    return new Reply.StateConflict(id, instance == null ? null : instance.view(), expected);
  }

  private static Reply.StartReply notPossible(InstanceView view, String expected) {
    return new Reply.StateConflict(view.id(), view, expected);
  }
}
