package dev.pinion.core.message;

import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.instance.InstanceView;
import dev.pinion.core.model.instance.ScheduleView;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reply of a kernel to a request: for each kind of request one type, which lists what it may be.
 */
public sealed interface Reply {
  /**
   * Heap bytes counted for its value on the way, by the account of the replica. The receiver
   * releases them after handling the reply.
   */
  default long carried() {
    return 0;
  }

  /** Reply to a start, a retry or a rerun. */
  sealed interface StartReply extends Reply {}

  /** Reply to a query about an instance. */
  sealed interface InstanceReply extends Reply {}

  /** Reply to those who wait for the end of an instance. */
  sealed interface EndReply extends StartReply, InstanceReply {}

  /** Reply to a request to cancel, suspend or resume an instance. */
  sealed interface ControlReply extends Reply {}

  /** Reply to a request about one schedule. */
  sealed interface ScheduleReply extends Reply {}

  /** Reply to an answer that came later than its call. */
  sealed interface CallbackReply extends Reply {}

  /**
   * The start was accepted; always the first reply to an accepted start.
   *
   * @param id the instance
   * @param definition its definition
   */
  record Accepted(InstanceId id, DefinitionKey definition) implements StartReply {}

  /**
   * The awaited instance has ended.
   *
   * @param instance its last view
   * @param carried heap bytes counted for its output, from 0
   */
  record Ended(InstanceView instance, long carried) implements EndReply {
    /** End of an instance whose output is not counted. */
    public Ended(InstanceView instance) {
      this(instance, 0);
    }
  }

  /**
   * The requested instance.
   *
   * @param instance its view
   */
  record InstanceFound(InstanceView instance) implements InstanceReply {}

  /** The partition of the instance is not here: it moves, or has moved, to another replica. */
  record NotOwner() implements EndReply, ControlReply, CallbackReply, ScheduleReply {}

  /** No such instance, or one that is no longer kept. */
  record NotFound() implements InstanceReply, ControlReply {}

  /**
   * One kernel's part of a list.
   *
   * @param instances newest first
   */
  record Page(List<InstanceView> instances) implements Reply {}

  /**
   * The schedule, as it is or after a change.
   *
   * @param schedule its view
   */
  record ScheduleFound(ScheduleView schedule) implements ScheduleReply {}

  /** No enabled definition of the name has a schedule. */
  record NoSchedule() implements ScheduleReply {}

  /**
   * One kernel's part of a list of schedules.
   *
   * @param schedules in the order of their names
   */
  record SchedulePage(List<ScheduleView> schedules) implements Reply {}

  /**
   * The instance is in the state that a client wanted: cancelled, suspended or resumed.
   *
   * @param instance its view
   */
  record Controlled(InstanceView instance) implements ControlReply {}

  /** The instance had ended before the client's request. */
  record AlreadyEnded(InstanceView instance) implements ControlReply {}

  /**
   * An instance cannot continue or run again: it does not exist, or its state does not allow it.
   * Nothing was changed.
   *
   * @param id the instance
   * @param instance its view, or null when it is not known
   * @param expected instances that can
   */
  record StateConflict(InstanceId id, @Nullable InstanceView instance, String expected)
      implements StartReply {}

  /**
   * The start was refused because the kernel is full. Nothing was kept.
   *
   * @param limit name of the limit that was reached
   */
  record LimitReached(String limit) implements EndReply {}

  /** The start was refused because the journal has no room on the disk. Nothing was kept. */
  record JournalDiskFull() implements StartReply {}

  /** The key belongs to a start with another body. Nothing was started. */
  record KeyReused() implements StartReply {}

  /**
   * The start repeats one whose instance is running.
   *
   * @param id the instance
   */
  record StillRunning(InstanceId id) implements StartReply {}

  /**
   * The instance has ended, and is not kept here any more.
   *
   * @param id the instance
   * @param repeated whether the request is a repeated start
   */
  record Evicted(InstanceId id, boolean repeated) implements EndReply, ControlReply {}

  /** The start has a key, but its instance would be kept in memory only. Nothing was started. */
  record NotDurable() implements StartReply {}

  /** The definition to start is not known here. */
  record UnknownDefinition(DefinitionKey definition) implements StartReply {}

  /** The definition to start is disabled. Nothing was started. */
  record DefinitionDisabled(DefinitionKey definition) implements StartReply {}

  /**
   * Result of an answer that came later than its call.
   *
   * @param status result of the answer
   */
  record CallbackResult(CallbackStatus status) implements CallbackReply {}

  /** Result of an answer that came later than its call. */
  enum CallbackStatus {
    /** It was accepted; an outcome that it led to is recorded. */
    TAKEN,
    /** Its call has ended, or was never made. Nothing was changed. */
    NOT_AWAITED,
    /** Its call waits to be made again. Nothing was changed; the answer must be sent again. */
    NOT_YET,
    /** Too many answers are on their way. Nothing was changed; the answer must be sent again. */
    FULL,
    /** The heap has no room for its value. Nothing was changed; the answer must be sent again. */
    NO_ROOM
  }
}
