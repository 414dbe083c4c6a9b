package dev.pinion.core.api.instance;

import dev.pinion.core.http.message.Problem;
import dev.pinion.core.http.message.ProblemException;
import dev.pinion.core.http.message.ProblemType;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.instance.InstanceView;

/** Problems that several operations on instances share. */
public final class InstanceProblems {
  private InstanceProblems() {}

  /** The problem of an id that no instance known here has. */
  public static ProblemException notFound(String id) {
    return new ProblemException(
        ProblemType.NOT_FOUND,
        "expected the id of an instance that is known here, found " + Problem.quoted(id));
  }

  /** The problem of an instance that existed, but is not stored any more. */
  public static ProblemException forgotten(InstanceId id) {
    return new ProblemException(
        Problem.of(
                ProblemType.FORGOTTEN,
                "the instance has ended, and what became of it is no longer kept: its time"
                    + " (kernel.keepEndedSeconds, history.retainDays) is over, or later ones needed"
                    + " the room (kernel.maxEnded, kernel.maxEndedBytes, kernel.maxEndedColdBytes,"
                    + " history.maxOutputBytes, a full disk)")
            .with("id", Payload.of(id.toString())));
  }

  /** The problem of a command that is not possible in the state of the instance. */
  public static ProblemException inOtherState(String expected, InstanceView view) {
    return new ProblemException(
        Problem.of(
                ProblemType.INSTANCE_STATE,
                "expected " + expected + ", found one in state " + view.state())
            .with("state", Payload.of(view.state().name())));
  }

  /** The problem of an instance that is being transferred to another replica. */
  public static ProblemException partitionMigrating() {
    return new ProblemException(
        Problem.of(
                ProblemType.REPLICA_UNAVAILABLE,
                "expected the instance in this replica, found that it moves to another one; ask"
                    + " again")
            .field("retry-after", "1"));
  }
}
