package dev.pinion.core.message;

import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.DefinitionName;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.call.CallbackResponse;
import dev.pinion.core.model.instance.StartKey;
import dev.pinion.core.model.instance.Tags;
import org.jspecify.annotations.Nullable;

/**
 * Request of a client for a change. A kernel that carries it out records an {@link Event}; a
 * command itself is never recorded.
 */
public sealed interface Command extends KernelMessage {
  /** The partition whose kernel carries it out. */
  int partition();

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
   */
  record Start(
      DefinitionKey definition,
      int partition,
      Payload input,
      @Nullable ReplyAddress<Reply.StartReply> replyTo,
      boolean awaitEnd,
      @Nullable StartKey key,
      boolean join,
      Tags tags)
      implements Command {
    /** A start without tags. */
    public Start(
        DefinitionKey definition,
        int partition,
        Payload input,
        @Nullable ReplyAddress<Reply.StartReply> replyTo,
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
        @Nullable ReplyAddress<Reply.StartReply> replyTo,
        boolean awaitEnd) {
      this(definition, partition, input, replyTo, awaitEnd, null, false);
    }

    /**
     * The event of an accepted start.
     *
     * @param fingerprint fingerprint of the definition
     */
    public Event.Started accepted(long fingerprint) {
      return new Event.Started(definition, partition, input, key, tags, fingerprint);
    }
  }

  /** Command to one instance. */
  sealed interface InstanceCommand extends Command {
    /** The instance. */
    InstanceId id();

    @Override
    default int partition() {
      return id().partition();
    }
  }

  /** Control of a running instance. */
  sealed interface InstanceControl extends InstanceCommand {
    /** Receiver of the result; null for none. */
    @Nullable ReplyAddress<Reply.ControlReply> replyTo();
  }

  /**
   * Ends an instance.
   *
   * @param id the instance
   * @param replyTo receiver of the result; null for none
   * @param compensates whether it compensates its completed tasks before it ends
   */
  record Cancel(
      InstanceId id, @Nullable ReplyAddress<Reply.ControlReply> replyTo, boolean compensates)
      implements InstanceControl {
    /** The usual end, with compensation. */
    public Cancel(InstanceId id, @Nullable ReplyAddress<Reply.ControlReply> replyTo) {
      this(id, replyTo, true);
    }
  }

  /** Suspends an instance: it begins nothing more until it is resumed. */
  record Suspend(InstanceId id, @Nullable ReplyAddress<Reply.ControlReply> replyTo)
      implements InstanceControl {}

  /** Resumes an instance. */
  record Resume(InstanceId id, @Nullable ReplyAddress<Reply.ControlReply> replyTo)
      implements InstanceControl {}

  /**
   * Pauses or resumes a schedule.
   *
   * @param name the definition whose schedule it is
   * @param pause whether nothing is due until the schedule is resumed
   * @param replyTo receiver of the result
   */
  record ControlSchedule(
      DefinitionName name, boolean pause, ReplyAddress<Reply.ScheduleReply> replyTo)
      implements Command {
    @Override
    public int partition() {
      return name.partition();
    }
  }

  /**
   * Continues a faulted instance from the task that failed.
   *
   * @param id the instance
   * @param replyTo receiver of the acceptance and, when {@code awaitEnd}, of the end
   * @param awaitEnd whether the end is reported too
   */
  record Retry(InstanceId id, ReplyAddress<Reply.StartReply> replyTo, boolean awaitEnd)
      implements InstanceCommand {}

  /**
   * Starts another instance like one that has ended: of the same definition, with the same input
   * and tags.
   *
   * @param id the instance that has ended
   * @param replyTo receiver of the acceptance of the new one and, when {@code awaitEnd}, of its end
   * @param awaitEnd whether the end is reported too
   * @param key idempotency key: a repetition with it starts no third instance; null for none
   * @param join whether a repetition waits for the end of an instance that is running
   */
  record Rerun(
      InstanceId id,
      ReplyAddress<Reply.StartReply> replyTo,
      boolean awaitEnd,
      @Nullable StartKey key,
      boolean join)
      implements InstanceCommand {}

  /**
   * Passes the late answer of a service that had announced it to its call.
   *
   * @param id the instance that called
   * @param activity the activity that called
   * @param attempt the number of the call
   * @param service the concrete service
   * @param answer its answer
   * @param replyTo receiver of the reply
   */
  record AcceptCallback(
      InstanceId id,
      int activity,
      int attempt,
      String service,
      CallbackResponse answer,
      ReplyAddress<Reply.CallbackReply> replyTo)
      implements InstanceCommand {}
}
