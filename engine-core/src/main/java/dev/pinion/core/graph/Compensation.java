package dev.pinion.core.graph;

import java.util.List;

/**
 * How the effects of a completed task are undone.
 *
 * @param task the list of tasks that undoes them, as a task of its own
 * @param variables names of variables of loops and catches around the completed task, which its
 *     compensation sees as they were
 */
public record Compensation(Node.Do task, List<String> variables) {
  /** Variable of the error for which the task is compensated. */
  public static final String ERROR = "error";

  /** Variable of the input that the completed task had. */
  public static final String INPUT = "input";

  /** Variable of the output of the completed task. */
  public static final String OUTPUT = "output";

  /** Copies the list. */
  public Compensation {
    variables = List.copyOf(variables);
  }
}
