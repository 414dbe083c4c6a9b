package dev.pinion.core.message;

import dev.pinion.core.model.CallOutcome;
import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.LateAnswer;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.StartKey;
import dev.pinion.core.model.Tags;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.core.model.WrittenState;
import org.jspecify.annotations.Nullable;

/** Event that changes instances. Replaying an instance's events in order rebuilds its state. */
public sealed interface KernelEvent extends KernelMessage {
  /**
   * Starts an instance.
   *
   * @param definition the definition to run
   * @param partition the partition that will own the instance
   * @param input raw workflow input
   * @param replyTo receiver of the acceptance and, when {@code awaitEnd}, of the end; null for none
   * @param awaitEnd whether the end is reported too
   * @param key idempotency key: a repetition with it starts no other instance; null for none
   * @param join whether a repetition waits for the end of an instance that is running
   * @param tags tags given by the client
   * @param fingerprint fingerprint of the definition at the start; 0 before the kernel has looked
   *     it up
   */
  record Start(
      DefinitionKey definition,
      int partition,
      Payload input,
      @Nullable ReplyAddress replyTo,
      boolean awaitEnd,
      @Nullable StartKey key,
      boolean join,
      Tags tags,
      long fingerprint)
      implements KernelEvent {
    /** A start without a fingerprint of the definition. */
    public Start(
        DefinitionKey definition,
        int partition,
        Payload input,
        @Nullable ReplyAddress replyTo,
        boolean awaitEnd,
        @Nullable StartKey key,
        boolean join,
        Tags tags) {
      this(definition, partition, input, replyTo, awaitEnd, key, join, tags, 0);
    }

    /** The start as it is recorded, with the definition's fingerprint. */
    public Start of(long graph) {
      return new Start(definition, partition, input, replyTo, awaitEnd, key, join, tags, graph);
    }

    /** A start without tags. */
    public Start(
        DefinitionKey definition,
        int partition,
        Payload input,
        @Nullable ReplyAddress replyTo,
        boolean awaitEnd,
        @Nullable StartKey key,
        boolean join) {
      this(definition, partition, input, replyTo, awaitEnd, key, join, Tags.NONE);
    }

    /** A start without a key. */
    public Start(
        DefinitionKey definition,
        int partition,
        Payload input,
        @Nullable ReplyAddress replyTo,
        boolean awaitEnd) {
      this(definition, partition, input, replyTo, awaitEnd, null, false);
    }
  }

  /**
   * End of a call.
   *
   * @param id the instance that called
   * @param activity the activity that called
   * @param attempt the number of the call; an outcome of an older attempt is dropped
   * @param outcome outcome of the call
   */
  record InvocationDone(InstanceId id, int activity, int attempt, CallOutcome outcome)
      implements KernelEvent {}

  /**
   * End of an evaluation that was handed to another thread.
   *
   * @param id the instance that asked
   * @param activity the activity that asked
   * @param attempt the number of the evaluation; a result of an older one is dropped
   * @param result the value, null when it failed
   * @param error the failure, null when there is a value
   */
  record Evaluated(
      InstanceId id,
      int activity,
      int attempt,
      @Nullable Object result,
      @Nullable WorkflowError error)
      implements KernelEvent {}

  /**
   * A fired timer.
   *
   * @param id the instance that set it
   * @param activity the activity that set it
   * @param timer which of the activity's timers
   * @param attempt the number under which it was set; has no effect when the timer was restarted or
   *     cancelled since
   */
  record TimerFired(InstanceId id, int activity, int timer, int attempt) implements KernelEvent {}

  /**
   * Failed check for room: an instance found no room for what it holds, because of what the other
   * instances held. Not applied: recorded, for the next replay.
   *
   * @param id the instance
   * @param check number of its check for room, from 1
   */
  record FoundNoRoom(InstanceId id, int check) implements KernelEvent {}

  /**
   * Progress of an instance that has run its ready activities in more turns than the one that
   * follows an event, or ended in one during which it made records. Not applied: recorded, so that
   * a replay knows the progress although no further event shows it.
   *
   * @param id the instance
   */
  record Advanced(InstanceId id) implements KernelEvent {}

  /**
   * Binding of a call to a service. Not applied by steps: recorded before the call is sent, so that
   * a repetition goes to the same service.
   *
   * @param id the instance
   * @param activity the activity that calls; {@link #WHOLE_INSTANCE} when all calls of the abstract
   *     service by the instance are bound
   * @param attempt the number of the call within the activity, or 0
   * @param service the abstract service
   * @param to the concrete service
   */
  record Bound(InstanceId id, int activity, int attempt, String service, String to)
      implements KernelEvent {
    /** Placeholder for the activity: all activities. */
    public static final int WHOLE_INSTANCE = -1;

    /** Binding of all calls of an abstract service by an instance. */
    public static Bound ofInstance(InstanceId id, String service, String to) {
      return new Bound(id, WHOLE_INSTANCE, 0, service, to);
    }
  }

  /**
   * Late answer of a service that had announced it. Not applied: the outcome that the Invoker
   * derives from it is.
   *
   * @param id the instance that called
   * @param activity the activity that called
   * @param attempt the number of the call
   * @param service the concrete service
   * @param answer its answer
   * @param replyTo receiver of the reply
   */
  record AnsweredLate(
      InstanceId id,
      int activity,
      int attempt,
      String service,
      LateAnswer answer,
      ReplyAddress replyTo)
      implements KernelEvent {}

  /**
   * Report of the Invoker that it has accepted a late answer, or had no use or no room for it. Not
   * applied: an outcome that it led to was reported before.
   *
   * @param id the instance that called
   * @param reception result of the answer
   * @param replyTo receiver of the reply
   */
  record LateAnswerHeard(InstanceId id, KernelReply.Reception reception, ReplyAddress replyTo)
      implements KernelEvent {}

  /** Control of an instance by a client. */
  sealed interface Control extends KernelEvent {
    /** The instance. */
    InstanceId id();

    /** Receiver of the result; null for none. */
    @Nullable ReplyAddress replyTo();
  }

  /** Request to end an instance. */
  record Cancel(InstanceId id, @Nullable ReplyAddress replyTo) implements Control {}

  /** Request to suspend an instance: it begins nothing more until it is resumed. */
  record Suspend(InstanceId id, @Nullable ReplyAddress replyTo) implements Control {}

  /** Request to resume an instance. */
  record Resume(InstanceId id, @Nullable ReplyAddress replyTo) implements Control {}

  /**
   * Request to continue a faulted instance from the task that failed. Not applied: {@link Retried}
   * is, when the instance can continue.
   *
   * @param id the instance
   * @param replyTo receiver of the acceptance and, when {@code awaitEnd}, of the end
   * @param awaitEnd whether the end is reported too
   */
  record Retry(InstanceId id, ReplyAddress replyTo, boolean awaitEnd) implements KernelEvent {}

  /**
   * Retry of a faulted instance from before the task that failed. The first event of an instance
   * that is running again; a replay needs no events before it.
   *
   * @param id the instance
   * @param state its state before the task
   */
  record Retried(InstanceId id, WrittenState state) implements KernelEvent {}

  /**
   * Request for another instance like one that has ended: of the same definition, with the same
   * input and tags. Not applied: a {@link Start} is.
   *
   * @param id the instance that has ended
   * @param replyTo receiver of the acceptance of the new one and, when {@code awaitEnd}, of its end
   * @param awaitEnd whether the end is reported too
   * @param key idempotency key: a repetition with it starts no third instance; null for none
   * @param join whether a repetition waits for the end of an instance that is running
   */
  record Rerun(
      InstanceId id, ReplyAddress replyTo, boolean awaitEnd, @Nullable StartKey key, boolean join)
      implements KernelEvent {}
}
