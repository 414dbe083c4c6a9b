package dev.pinion.core.kernel;

import dev.pinion.core.graph.GraphSource;
import dev.pinion.core.kernel.step.Activity;
import dev.pinion.core.kernel.step.EffectResumption;
import dev.pinion.core.kernel.step.Instance;
import dev.pinion.core.kernel.step.InstanceReader;
import dev.pinion.core.kernel.step.MemoryAccount;
import dev.pinion.core.kernel.step.codec.RecoveryException;
import dev.pinion.core.kernel.table.FinishedInstances;
import dev.pinion.core.kernel.table.Instances;
import dev.pinion.core.message.Command;
import dev.pinion.core.message.Event;
import dev.pinion.core.message.Reply;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.call.CallRequest;
import dev.pinion.core.model.instance.InstanceState;
import dev.pinion.core.model.instance.InstanceView;
import dev.pinion.core.model.instance.SerializedInstance;
import dev.pinion.core.model.instance.StartKey;
import dev.pinion.core.model.instance.Tags;
import org.jspecify.annotations.Nullable;

/**
 * Retries and reruns of ended instances: a retry continues from the task that failed, a rerun
 * starts another instance. Kernel thread only.
 *
 * <p>A retried instance has the state in which the task began; its clock has stood still in
 * between. Calls that were abandoned because of the failure are made again under their keys, with a
 * higher attempt. One that was compensated when it failed has no such state.
 */
final class RetryAndRerun {
  private final Instances instances;
  private final DuplicateStarts duplicateStarts;
  private final EffectRouter router;
  private final InstanceQueries instanceQueries;
  private final MemoryAccount memoryAccount;
  private final Starts starts;
  private final Turns turns;
  private final InstanceReader reader;

  RetryAndRerun(
      GraphSource graphs,
      Instances instances,
      DuplicateStarts duplicateStarts,
      EffectRouter router,
      InstanceQueries instanceQueries,
      Starts starts,
      Turns turns) {
    this.instances = instances;
    this.duplicateStarts = duplicateStarts;
    this.router = router;
    this.instanceQueries = instanceQueries;
    this.memoryAccount = instances.memoryAccount();
    this.starts = starts;
    this.turns = turns;
    this.reader = new InstanceReader(graphs, router);
  }

  /** Continues an instance from the task that failed, if it can. */
  void retry(Command.Retry wish) {
    if (instances.isReleased(wish.partition())) {
      router.refuse(wish.replyTo(), Starts.PARTITION_MOVING);
      return;
    }
    FinishedInstances.RetainedInstance retainedInstance = instances.finished().find(wish.id());
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
      retry(wish, retainedInstance.brief, state);
    }
  }

  private static String toRetry(InstanceView view) {
    return switch (view.state()) {
      case FAULTED ->
          "an instance that faulted because one of its tasks failed, whose completed tasks were not"
              + " compensated then, and whose state was not larger than kernel.maxRetryBytes; rerun"
              + " it instead";
      default -> "an instance that has faulted";
    };
  }

  private void retry(Command.Retry wish, InstanceView view, byte[] state) {
    long nowNanos = turns.recorder().time().nowNanos();
    InstanceReader.RestoredInstance restoredInstance;
    try {
      Reply.StartReply refusal = starts.refusal(reader.graph(state));
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
    instances.finished().remove(wish.id());
    Event.Retried event = new Event.Retried(wish.id(), new SerializedInstance(state));
    Instance instance = restoredInstance.instance();
    instance.detach(); // its parent has its error already
    instances.open(instance);
    memoryAccount.restored(instance, restoredInstance.heldBytes());
    turns.recorder().record(instance, event);
    starts.accept(instance, wish.replyTo(), wish.awaitEnd());
    turns.retry(restoredInstance, event, pendingEffects());
  }

  /** Receiver of the calls and evaluations that a retried instance waits for. */
  private EffectResumption.PendingEffects pendingEffects() {
    return new EffectResumption.PendingEffects() {
      @Override
      public void called(Activity activity, int attempt, CallRequest call, int deliveries) {
        activity.delivered(deliveries + 1);
        router.invoke(activity, attempt, call);
      }

      @Override
      public void awaitsChild(Activity activity) {
        activity.awaitAnew(); // the child of the first life was cancelled
        router.children().request(activity);
      }

      @Override
      public void listening(Activity activity) {
        router.listen(activity);
      }

      @Override
      public void evaluate(
          Activity activity, int attempt, Expression<?> expression, Payload input) {
        router.evaluate(activity, attempt, expression, input);
      }
    };
  }

  /** Starts another instance with the input of an ended one, if that is known. */
  void rerun(Command.Rerun wish) {
    if (instances.isReleased(wish.partition())) {
      router.refuse(wish.replyTo(), Starts.PARTITION_MOVING);
      return;
    }
    StartKey key = wish.key();
    if (key != null
        && duplicateStarts.answer(
            new DuplicateStarts.DuplicateStart(wish.replyTo(), wish.awaitEnd(), wish.join()),
            key,
            turns.recorder().time().nowNanos())) {
      return; // also when the first instance runs again by now, or is forgotten
    }
    FinishedInstances.RetainedInstance first = instances.finished().find(wish.id());
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
    starts.start(
        new Command.Start(
            first.definition(),
            wish.id().partition(),
            input,
            wish.replyTo(),
            wish.awaitEnd(),
            wish.key(),
            wish.join(),
            first.tags().without(Tags.START_AT)));
  }

  private Reply.StartReply notEnded(InstanceId id, String expected) {
    Instance instance = instances.running(id);
    if (instance == null && instances.isGiven(id)) {
      return new Reply.Evicted(id, false);
    }
    return new Reply.StateConflict(id, instance == null ? null : instance.view(), expected);
  }

  private static Reply.StartReply notPossible(InstanceView view, String expected) {
    return new Reply.StateConflict(view.id(), view, expected);
  }
}
