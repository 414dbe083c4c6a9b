package dev.pinion.core.schema;

import com.networknt.schema.Error;
import com.networknt.schema.ExecutionContext;
import dev.pinion.core.model.Budget;
import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.ExpressionException;
import dev.pinion.core.model.WorkflowError;

/** One validation: charges each step of the validator to a budget and bounds its nesting. */
final class MeteredContext extends ExecutionContext {
  /** Steps that building one message costs. */
  private static final int ERROR_STEPS = 20;

  private final Budget budget;
  private final int maxDepth;
  private int depth;

  MeteredContext(Budget budget, int maxDepth) {
    this.budget = budget;
    this.maxDepth = maxDepth;
  }

  @Override
  public void evaluationPathAddLast(String keyword) {
    enter();
    super.evaluationPathAddLast(keyword);
  }

  @Override
  public void evaluationPathAddLast(int index) {
    enter();
    super.evaluationPathAddLast(index);
  }

  @Override
  public void evaluationPathRemoveLast() {
    depth--;
    super.evaluationPathRemoveLast();
  }

  @Override
  public void addError(Error error) {
    budget.charge(ERROR_STEPS);
    super.addError(error);
  }

  private void enter() {
    budget.charge(1);
    if (++depth > maxDepth) {
      throw new ExpressionException(
          WorkflowError.of(
              ErrorType.VALIDATION,
              "expected a value and schema that nest at most "
                  + maxDepth
                  + " keywords (twice expression.maxDepth), found more"));
    }
  }
}
