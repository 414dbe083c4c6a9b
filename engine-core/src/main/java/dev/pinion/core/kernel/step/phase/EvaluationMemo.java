package dev.pinion.core.kernel.step.phase;

import dev.pinion.core.model.ExpressionException;
import dev.pinion.core.model.WorkflowError;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Result of an evaluation that was made elsewhere, kept until the phase that needs it is over.
 *
 * @param question number of the evaluation within its phase
 * @param value the result; null when it failed
 * @param error the failure; null when there is a result
 * @param older the result before it, or null
 */
public record EvaluationMemo(
    int question,
    @Nullable Object value,
    @Nullable WorkflowError error,
    @Nullable EvaluationMemo older) {
  /** The result of a question, this one or an older one; null when it is not kept. */
  public @Nullable EvaluationMemo find(int wanted) {
    EvaluationMemo memo = this;
    while (memo != null && memo.question != wanted) {
      memo = memo.older;
    }
    return memo;
  }

  /**
   * The value.
   *
   * @throws ExpressionException when the evaluation failed
   */
  public @Nullable Object result() {
    if (error != null) {
      throw new ExpressionException(error);
    }
    return value;
  }

  /** This and the older results with other values; the newest value is replaced first. */
  public EvaluationMemo replaced(UnaryOperator<@Nullable Object> each) {
    Deque<EvaluationMemo> oldestFirst = new ArrayDeque<>();
    for (EvaluationMemo memo = this; memo != null; memo = memo.older) {
      oldestFirst.push(new EvaluationMemo(memo.question, each.apply(memo.value), memo.error, null));
    }
    EvaluationMemo newest = oldestFirst.pop();
    for (EvaluationMemo memo : oldestFirst) {
      newest = new EvaluationMemo(memo.question, memo.value, memo.error, newest);
    }
    return newest;
  }
}
