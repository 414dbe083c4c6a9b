package dev.pinion.core.request;

import dev.pinion.core.message.KernelReply;
import dev.pinion.core.stage.Stage;

/** A request that waits for kernels. Owned by the event loop of its Request Handler. */
abstract class Inquiry {
  /** The request's number when it has none. */
  static final long NO_NUMBER = -1;

  private final Exchange exchange;
  long number = NO_NUMBER;
  long deadlineNanos = Stage.NO_DEADLINE;

  /** The time to wait, until the next duty cycle makes a deadline of it; 0 for none. */
  long waitMillis;

  Inquiry(Exchange exchange) {
    this.exchange = exchange;
  }

  Exchange exchange() {
    return exchange;
  }

  /** A kernel has answered. */
  abstract void onReply(KernelReply reply) throws Refusal;

  /** The wait is over. */
  void onDeadline() throws Refusal {}

  /** The replica ends before the instance does. */
  void onOutOfTime() throws Refusal {
    throw new Refusal(outOfTime());
  }

  /** What a client is told whose instance outlives the replica. */
  static Problem outOfTime() {
    return Problem.of(
            ProblemType.REPLICA_LOST,
            "the engine shuts down before the instance has ended; what became of it is unknown")
        .field("retry-after", "1");
  }
}
