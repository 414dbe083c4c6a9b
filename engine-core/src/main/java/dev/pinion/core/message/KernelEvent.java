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

/** What changes instances. Replaying an instance's events in order rebuilds its state. */
public sealed interface KernelEvent extends KernelMessage {
  /**
   * Starts an instance.
   *
   * @param definition the definition to run
   * @param partition the partition that will own the instance
   * @param input raw workflow input
   * @param replyTo who hears that the instance was accepted and, when {@code awaitEnd}, how it
   *     ended; null for nobody
   * @param awaitEnd whether the end is reported too
   * @param key under which it may be repeated without starting another instance; null for none
   * @param join whether a repetition waits for the end of an instance that is under way
   * @param tags what the client calls the instance
   * @param fingerprint of what the definition held when it was started; 0 before the kernel has
   *     looked it up
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
    /** A start of whatever the definition holds. */
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

    /** The start as it is recorded, of a definition with a fingerprint. */
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
   * A call has ended.
   *
   * @param id the instance that called
   * @param activity the activity that called
   * @param attempt the number of the call; an outcome of an older attempt is dropped
   * @param outcome how it ended
   */
  record InvocationDone(InstanceId id, int activity, int attempt, CallOutcome outcome)
      implements KernelEvent {}

  /**
   * An evaluation that was handed to another thread has ended.
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
   * A timer has fired.
   *
   * @param id the instance that set it
   * @param activity the activity that set it
   * @param timer which of the activity's timers
   * @param attempt the number under which it was set; one that was set anew or taken back means
   *     nothing any more
   */
  record TimerFired(InstanceId id, int activity, int timer, int attempt) implements KernelEvent {}

  /**
   * An instance found no room for what it holds, because of what the other instances held. Not
   * applied: recorded, for the next replay.
   *
   * @param id the instance
   * @param check at which of its checks for room, from 1
   */
  record FoundNoRoom(InstanceId id, int check) implements KernelEvent {}

  /**
   * An instance has worked off what was ready, in more turns than the one that follows an event.
   * Not applied: recorded, so that who replays knows how far it came although no further event
   * tells.
   *
   * @param id the instance
   */
  record Advanced(InstanceId id) implements KernelEvent {}

  /**
   * A call was bound to a service. Not applied by steps: recorded before the call goes out, so that
   * it goes to the same service when it is made again.
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
    /** In the place of an activity: all of them. */
    public static final int WHOLE_INSTANCE = -1;

    /** All calls of an abstract service by an instance are bound. */
    public static Bound ofInstance(InstanceId id, String service, String to) {
      return new Bound(id, WHOLE_INSTANCE, 0, service, to);
    }
  }

  /**
   * A service that said it would answer later does so. Not applied: what the Invoker makes of it
   * is.
   *
   * @param id the instance that called
   * @param activity the activity that called
   * @param attempt the number of the call
   * @param service the concrete service
   * @param answer its answer
   * @param replyTo who hears what became of it
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
   * The Invoker has taken a late answer, or had no use or no room for it. Not applied: an outcome
   * that it led to was told before.
   *
   * @param id the instance that called
   * @param reception how it was received
   * @param replyTo who hears of it
   */
  record LateAnswerHeard(InstanceId id, KernelReply.Reception reception, ReplyAddress replyTo)
      implements KernelEvent {}

  /** What a client wants of an instance. */
  sealed interface Control extends KernelEvent {
    /** The instance. */
    InstanceId id();

    /** Who hears what became of it; null for nobody. */
    @Nullable ReplyAddress replyTo();
  }

  /** A client wants an instance to end. */
  record Cancel(InstanceId id, @Nullable ReplyAddress replyTo) implements Control {}

  /** A client wants an instance to begin nothing more until it is resumed. */
  record Suspend(InstanceId id, @Nullable ReplyAddress replyTo) implements Control {}

  /** A client wants an instance to go on. */
  record Resume(InstanceId id, @Nullable ReplyAddress replyTo) implements Control {}

  /**
   * A client wants an instance that has faulted to go on from the task that failed. Not applied:
   * {@link Retried} is, when the instance can.
   *
   * @param id the instance
   * @param replyTo who hears that it goes on and, when {@code awaitEnd}, how it ended
   * @param awaitEnd whether the end is reported too
   */
  record Retry(InstanceId id, ReplyAddress replyTo, boolean awaitEnd) implements KernelEvent {}

  /**
   * An instance that had faulted goes on from before the task that failed. The first event of an
   * instance that is under way again; nothing before it is needed to replay it.
   *
   * @param id the instance
   * @param state how it stood before the task
   */
  record Retried(InstanceId id, WrittenState state) implements KernelEvent {}

  /**
   * A client wants another instance like one that has ended: of the same definition, with the same
   * input and tags. Not applied: a {@link Start} is.
   *
   * @param id the instance that has ended
   * @param replyTo who hears that the other one was accepted and, when {@code awaitEnd}, how it
   *     ended
   * @param awaitEnd whether the end is reported too
   * @param key under which it may be repeated without starting a third; null for none
   * @param join whether a repetition waits for the end of an instance that is under way
   */
  record Rerun(
      InstanceId id, ReplyAddress replyTo, boolean awaitEnd, @Nullable StartKey key, boolean join)
      implements KernelEvent {}
}
