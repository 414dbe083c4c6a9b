package dev.pinion.core.message;

import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.InstanceView;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a kernel answers to a request. */
public sealed interface KernelReply {
  /**
   * Bytes of the heap that its value is counted for on its way, by the account of the replica. Who
   * has handled the reply gives them back.
   */
  default long carried() {
    return 0;
  }

  /**
   * A start was accepted; always the first answer to an accepted start.
   *
   * @param id the instance
   * @param definition what it runs
   */
  record Accepted(InstanceId id, DefinitionKey definition) implements KernelReply {}

  /**
   * The awaited instance has ended.
   *
   * @param instance its last view
   * @param carried bytes of the heap that its output is counted for, from 0
   */
  record Ended(InstanceView instance, long carried) implements KernelReply {
    /** One whose output is not counted. */
    public Ended(InstanceView instance) {
      this(instance, 0);
    }
  }

  /**
   * The instance asked for.
   *
   * @param instance its view
   * @param carried bytes of the heap that its output is counted for, from 0
   */
  record Found(InstanceView instance, long carried) implements KernelReply {
    /** One whose output is not counted. */
    public Found(InstanceView instance) {
      this(instance, 0);
    }
  }

  /** The partition of the instance is not here: it moves, or has moved, to another replica. */
  record Elsewhere() implements KernelReply {}

  /** No such instance, or no longer kept. */
  record NotFound() implements KernelReply {}

  /**
   * One kernel's part of a list.
   *
   * @param instances newest first
   */
  record Page(List<InstanceView> instances) implements KernelReply {}

  /**
   * The instance is as a client wanted it: cancelled, suspended or resumed.
   *
   * @param instance its view
   */
  record Controlled(InstanceView instance) implements KernelReply {}

  /** The instance had ended before it could be what a client wanted. */
  record AlreadyEnded(InstanceView instance) implements KernelReply {}

  /**
   * An instance cannot go on or run again: it is not there, or its state does not allow it. Nothing
   * was changed.
   *
   * @param id the instance
   * @param instance its view, or null when it is not known
   * @param expected which instances can
   */
  record NotPossible(InstanceId id, @Nullable InstanceView instance, String expected)
      implements KernelReply {}

  /**
   * The start was refused because the kernel is full. Nothing was kept.
   *
   * @param limit name of the limit that was reached
   */
  record Refused(String limit) implements KernelReply {}

  /** The start was refused because the journal has no room on the disk. Nothing was kept. */
  record DiskFull() implements KernelReply {}

  /** The key of the start stands for a start with another body. Nothing was begun. */
  record KeyReused() implements KernelReply {}

  /**
   * The start repeats one whose instance is under way.
   *
   * @param id the instance
   */
  record StillRunning(InstanceId id) implements KernelReply {}

  /**
   * The instance has ended, and nothing is kept of it here any more.
   *
   * @param id the instance
   * @param repeated whether a start is repeated, and its end is wanted
   */
  record Forgotten(InstanceId id, boolean repeated) implements KernelReply {}

  /** The start has a key, but what it starts is kept in memory only. Nothing was begun. */
  record NotJournalled() implements KernelReply {}

  /** The definition to start is not known here. */
  record UnknownDefinition(DefinitionKey definition) implements KernelReply {}

  /**
   * What became of an answer that came later than its call.
   *
   * @param reception how it was received
   */
  record LateAnswerReceived(Reception reception) implements KernelReply {}

  /** How an answer that came later than its call was received. */
  enum Reception {
    /** It counts; an outcome that it led to is recorded. */
    TAKEN,
    /** Its call has ended, or was never made. Nothing was changed. */
    NOT_AWAITED,
    /** Its call waits to be made again. Nothing was changed; to be sent again. */
    NOT_YET,
    /** Too many are on their way. Nothing was changed; to be sent again. */
    FULL,
    /** The heap has no room for its value. Nothing was changed; to be sent again. */
    NO_ROOM
  }
}
