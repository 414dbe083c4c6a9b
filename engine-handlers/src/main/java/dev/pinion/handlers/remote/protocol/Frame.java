package dev.pinion.handlers.remote.protocol;

import dev.pinion.handlers.api.Verdict;
import java.util.List;
import java.util.UUID;

/** Messages between requesters and hosts; docs/handlers-remote.md defines the protocol. */
public sealed interface Frame {
  /** No host. */
  UUID NOBODY = new UUID(0, 0);

  /** The requester, which asks or receives the answer. */
  UUID requester();

  /** The number of the attempt among all of its requester. */
  long attempt();

  /** To any host of a kind: is there room for an attempt that must not run twice? */
  record Claim(UUID requester, long attempt, String kind, String table) implements Frame {}

  /** From a host: there is room here, and effects are recorded in that table. */
  record Grant(UUID requester, long attempt, UUID host, String table) implements Frame {}

  /**
   * To a host: run this attempt.
   *
   * @param delivery number of this delivery, from 1
   * @param lost the lost hosts that had the attempt before; any of them may have begun it
   * @param budgetMillis remaining time of the attempt
   */
  record Run(
      UUID requester,
      long attempt,
      int delivery,
      List<UUID> lost,
      int budgetMillis,
      HandlerTask task)
      implements Frame {
    /** Copies the list. */
    public Run {
      lost = List.copyOf(lost);
    }
  }

  /** From a host: the attempt is here; an answer will follow. */
  record Begun(UUID requester, long attempt, UUID host) implements Frame {}

  /**
   * From a host: the verdict.
   *
   * @param nanos time of the handler
   */
  record Done(UUID requester, long attempt, UUID host, long nanos, Verdict verdict)
      implements Frame {}

  /** From a host: there is no verdict. */
  record Failed(UUID requester, long attempt, UUID host, FailureReason reason, String detail)
      implements Frame {}

  /**
   * From a host to all: it is alive.
   *
   * @param last whether it leaves now
   */
  record Heartbeat(UUID host, boolean last) implements Frame {
    @Override
    public UUID requester() {
      return NOBODY;
    }

    @Override
    public long attempt() {
      return 0;
    }
  }
}
