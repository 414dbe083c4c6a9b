package dev.pinion.handlers.remote;

import dev.pinion.handlers.api.Verdict;
import java.util.List;
import java.util.UUID;

/** What travels between requesters and hosts; docs/handlers-remote.md says who sends what when. */
sealed interface Frame {
  /** No host. */
  UUID NOBODY = new UUID(0, 0);

  /** Who asks, or whom an answer goes to. */
  UUID requester();

  /** The number of the attempt among all of its requester. */
  long attempt();

  /** To any host of a kind: who has room for an attempt that must not run twice? */
  record Claim(UUID requester, long attempt, String kind, String table) implements Frame {}

  /** From a host: there is room here, and effects are noted in that table. */
  record Grant(UUID requester, long attempt, UUID host, String table) implements Frame {}

  /**
   * To a host: do this.
   *
   * @param delivery how often it was sent until now, from 1
   * @param lost the hosts that had the attempt before and are lost; any of them may have begun it
   * @param budgetMillis how long the attempt may still take
   */
  record Run(
      UUID requester, long attempt, int delivery, List<UUID> lost, int budgetMillis, Task task)
      implements Frame {
    /** Copies the list. */
    public Run {
      lost = List.copyOf(lost);
    }
  }

  /** From a host: the attempt is mine; you will hear of it. */
  record Begun(UUID requester, long attempt, UUID host) implements Frame {}

  /**
   * From a host: the verdict.
   *
   * @param nanos how long the handler took
   */
  record Done(UUID requester, long attempt, UUID host, long nanos, Verdict verdict)
      implements Frame {}

  /** From a host: there is no verdict. */
  record Failed(UUID requester, long attempt, UUID host, Reason reason, String detail)
      implements Frame {}

  /**
   * From a host to everyone: I live.
   *
   * @param last whether it leaves now
   */
  record Beat(UUID host, boolean last) implements Frame {
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
