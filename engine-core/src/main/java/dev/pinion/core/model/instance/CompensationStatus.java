package dev.pinion.core.model.instance;

import dev.pinion.core.model.WorkflowError;
import java.util.List;

/**
 * How far an instance has come with the compensation of its tasks.
 *
 * @param running whether tasks are being compensated
 * @param compensated number of tasks that were compensated
 * @param pending number of completed tasks that could be compensated and were not
 * @param failed number of tasks whose compensation failed
 * @param failures the first of these
 */
public record CompensationStatus(
    boolean running, int compensated, int pending, int failed, List<Failure> failures) {
  /** Copies the list. */
  public CompensationStatus {
    failures = List.copyOf(failures);
  }

  /**
   * A compensation that failed.
   *
   * @param task JSON pointer of the task that it was to undo
   * @param error its error, with its texts cut where they are long
   */
  public record Failure(String task, WorkflowError error) {}

  /** A copy with numbers alone. */
  public CompensationStatus brief() {
    return failures.isEmpty()
        ? this
        : new CompensationStatus(running, compensated, pending, failed, List.of());
  }
}
