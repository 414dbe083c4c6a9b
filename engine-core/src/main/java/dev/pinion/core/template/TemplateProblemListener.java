package dev.pinion.core.template;

import dev.pinion.core.jq.syntax.ExpressionProblem;

/** Receives the problems of a template. */
@FunctionalInterface
public interface TemplateProblemListener {
  /**
   * Reports a problem.
   *
   * @param pointer JSON pointer (RFC 6901) of the string, from the root of the template
   * @param problem the problem, its offset counted from the start of the string
   */
  void report(String pointer, ExpressionProblem problem);
}
