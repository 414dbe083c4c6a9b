package dev.pinion.core.message;

import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.InstanceView;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reply of a kernel to a request. */
public sealed interface KernelReply {
  /**
   * Heap bytes counted for its value on the way, by the account of the replica. The receiver
   * releases them after handling the reply.
   */
  default long carried() {
    return 0;
  }

  /**
   * The start was accepted; always the first reply to an accepted start.
   *
   * @param id the instance
   * @param definition its definition
   */
  record Accepted(InstanceId id, DefinitionKey definition) implements KernelReply {}

  /**
   * The awaited instance has ended.
   *
   * @param instance its last view
   * @param carried heap bytes counted for its output, from 0
   */
  record Ended(InstanceView instance, long carried) implements KernelReply {
    /** End of an instance whose output is not counted. */
    public Ended(InstanceView instance) {
      this(instance, 0);
    }
  }

  /**
   * The requested instance.
   *
   * @param instance its view
   * @param carried heap bytes counted for its output, from 0
   */
  record InstanceFound(InstanceView instance, long carried) implements KernelReply {
    /** An instance whose output is not counted. */
    public InstanceFound(InstanceView instance) {
      this(instance, 0);
    }
  }

  /** The partition of the instance is not here: it moves, or has moved, to another replica. */
  record NotOwner() implements KernelReply {}

  /** No such instance, or one that is no longer kept. */
  record NotFound() implements KernelReply {}

  /**
   * One kernel's part of a list.
   *
   * @param instances newest first
   */
  record Page(List<InstanceView> instances) implements KernelReply {}

  /**
   * The instance is in the state that a client wanted: cancelled, suspended or resumed.
   *
   * @param instance its view
   */
  record Controlled(InstanceView instance) implements KernelReply {}

  /** The instance had ended before the client's request. */
  record AlreadyEnded(InstanceView instance) implements KernelReply {}

  /**
   * An instance cannot continue or run again: it does not exist, or its state does not allow it.
   * Nothing was changed.
   *
   * @param id the instance
   * @param instance its view, or null when it is not known
   * @param expected instances that can
   */
  record StateConflict(InstanceId id, @Nullable InstanceView instance, String expected)
      implements KernelReply {}

  /**
   * The start was refused because the kernel is full. Nothing was kept.
   *
   * @param limit name of the limit that was reached
   */
  record LimitReached(String limit) implements KernelReply {}

  /** The start was refused because the journal has no room on the disk. Nothing was kept. */
  record JournalDiskFull() implements KernelReply {}

  /** The key belongs to a start with another body. Nothing was started. */
  record KeyReused() implements KernelReply {}

  /**
   * The start repeats one whose instance is running.
   *
   * @param id the instance
   */
  record StillRunning(InstanceId id) implements KernelReply {}

  /**
   * The instance has ended, and is not kept here any more.
   *
   * @param id the instance
   * @param repeated whether the request is a repeated start
   */
  record Evicted(InstanceId id, boolean repeated) implements KernelReply {}

  /** The start has a key, but its instance would be kept in memory only. Nothing was started. */
  record NotDurable() implements KernelReply {}

  /** The definition to start is not known here. */
  record UnknownDefinition(DefinitionKey definition) implements KernelReply {}

  /**
   * Result of an answer that came later than its call.
   *
   * @param reception result of the answer
   */
  record CallbackReply(CallbackStatus reception) implements KernelReply {}

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
