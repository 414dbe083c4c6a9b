package dev.pinion.core.message;

import dev.pinion.core.model.DefinitionName;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.instance.InstanceState;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Query that changes nothing. */
public sealed interface Query extends KernelMessage {
  /** Query about one instance. */
  sealed interface InstanceQuery extends Query {
    /** The instance. */
    InstanceId id();
  }

  /** Query that every kernel answers with its part. */
  sealed interface ListQuery extends Query {}

  /** Query about schedules. */
  sealed interface ScheduleQuery extends Query {}

  /**
   * View of one schedule.
   *
   * @param name the definition whose schedule it is
   * @param replyTo receiver of the answer
   */
  record GetSchedule(DefinitionName name, ReplyAddress<Reply.ScheduleReply> replyTo)
      implements ScheduleQuery {}

  /**
   * The first schedules that match a filter, in the order of their names.
   *
   * @param namespace only of this namespace, or null
   * @param name only of definitions of this name, or null
   * @param paused only paused ones, or only others; null for all
   * @param after only behind this name, or null
   * @param limit the most to return, positive
   * @param replyTo receiver of the answer
   */
  record ListSchedules(
      @Nullable String namespace,
      @Nullable String name,
      @Nullable Boolean paused,
      @Nullable DefinitionName after,
      int limit,
      ReplyAddress<Reply.SchedulePage> replyTo)
      implements ScheduleQuery, ListQuery {}

  /**
   * View of one instance.
   *
   * @param id the instance
   * @param awaitEnd whether the answer waits until the instance has ended; {@link StopWaiting} or a
   *     query from the same address without it ends the wait
   * @param replyTo receiver of the answer
   */
  record GetInstance(InstanceId id, boolean awaitEnd, ReplyAddress<Reply.InstanceReply> replyTo)
      implements InstanceQuery {}

  /**
   * View of one instance as soon as it differs from the view that the client has; at once when the
   * instance has ended. {@link StopWaiting} or a {@link GetInstance} from the same address ends the
   * wait.
   *
   * @param id the instance
   * @param sequence number of its last event that the client knows
   * @param state its state that the client knows
   * @param replyTo receiver of the answer
   */
  record WatchInstance(
      InstanceId id, long sequence, InstanceState state, ReplyAddress<Reply.InstanceReply> replyTo)
      implements InstanceQuery {}

  /**
   * End of the wait of a client for an instance; there is no reply.
   *
   * @param id the instance
   * @param waiter address of the request that waits
   */
  record StopWaiting(InstanceId id, ReplyAddress<?> waiter) implements InstanceQuery {}

  /**
   * The newest instances that match a filter, newest first.
   *
   * @param namespace only of definitions in this namespace, or null
   * @param name only of definitions of this name, or null
   * @param version only of definitions of this version, or null
   * @param states only in one of these states; in any when there are none
   * @param parent only children of this instance, or null
   * @param before only ids below this one, or null
   * @param limit the most to return, positive
   * @param replyTo receiver of the answer
   */
  record ListInstances(
      @Nullable String namespace,
      @Nullable String name,
      @Nullable String version,
      Set<InstanceState> states,
      @Nullable InstanceId parent,
      @Nullable InstanceId before,
      int limit,
      ReplyAddress<Reply.Page> replyTo)
      implements ListQuery {
    /** A query for instances whoever started them. */
    public ListInstances(
        @Nullable String namespace,
        @Nullable String name,
        @Nullable String version,
        Set<InstanceState> states,
        @Nullable InstanceId before,
        int limit,
        ReplyAddress<Reply.Page> replyTo) {
      this(namespace, name, version, states, null, before, limit, replyTo);
    }
  }
}
