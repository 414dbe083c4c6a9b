package dev.pinion.core.api;

import dev.pinion.core.http.HttpExchange;
import dev.pinion.core.http.Problem;
import dev.pinion.core.http.ProblemException;
import dev.pinion.core.http.ProblemType;
import dev.pinion.core.message.KernelReply;
import dev.pinion.core.stage.Stage;

/** A request that waits for kernels. Owned by the event loop of its Request Handler. */
public abstract class PendingRequest {
  /** Number of an inquiry that has not been given one. */
  static final long NO_NUMBER = -1;

  private final HttpExchange httpExchange;
  long number = NO_NUMBER;
  long deadlineNanos = Stage.NO_DEADLINE;

  /** The time to wait, until the next duty cycle computes a deadline; 0 for none. */
  public long waitMillis;

  PendingRequest(HttpExchange httpExchange) {
    this.httpExchange = httpExchange;
  }

  HttpExchange exchange() {
    return httpExchange;
  }

  /** Handles the reply of a kernel. */
  abstract void onReply(KernelReply reply) throws ProblemException;

  /** Handles the end of the wait. */
  void onDeadline() throws ProblemException {}

  /** Handles the end of the replica before that of the instance. */
  void onShutdown() throws ProblemException {
    throw new ProblemException(shutdownProblem());
  }

  /** The problem for a client whose instance outlives the replica. */
  static Problem shutdownProblem() {
    return Problem.of(
            ProblemType.REPLICA_LOST,
            "the engine shuts down before the instance has ended; what became of it is unknown")
        .field("retry-after", "1");
  }
}
