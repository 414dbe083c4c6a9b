package dev.pinion.core.graph;

import java.util.List;

/**
 * How the effects of a completed task are undone.
 *
 * @param task the list of tasks that undoes them, as a task of its own
 * @param variables names of variables that tasks around the completed task declare, which its
 *     compensation sees as they were
 */
public record Compensation(Node.Do task, List<String> variables) {
  /** Variable of the error for which the task is compensated. */
  public static final String ERROR = "error";

  /** Variable of the input that the completed task had; no expression can name it. */
  public static final String INPUT = "input of the completed task";

  /** Variable of the output of the completed task; no expression can name it. */
  public static final String OUTPUT = "output of the completed task";

  /** Copies the list. */
  public Compensation {
    variables = List.copyOf(variables);
  }
}
