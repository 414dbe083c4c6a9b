package dev.pinion.core.kernel.step.phase;

import dev.pinion.core.model.Budget;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.Scope;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * Answers the questions that a phase had asked when the state of its activity was serialized, and
 * stops the phase after the last of them.
 *
 * <p>Expressions are pure, so those that were evaluated elsewhere are evaluated again here, and
 * their results are stored. The one in progress is only recorded.
 */
public final class PhaseReplay {
  private final BitSet answered;
  private final int underWay;
  private final int last;
  private final long maxSteps;
  private @Nullable Expression<?> expression;
  private @Nullable Payload input;

  /**
   * A repetition with at least one answer or a question in progress.
   *
   * @param answered questions that were answered elsewhere
   * @param underWay the question that is not answered yet; 0 for none
   * @param maxSteps steps that an evaluation may have taken
   */
  public PhaseReplay(BitSet answered, int underWay, long maxSteps) {
    this.answered = answered;
    this.underWay = underWay;
    this.last = underWay == 0 ? answered.length() - 1 : underWay;
    this.maxSteps = maxSteps;
  }

  /**
   * The answer to a question.
   *
   * @throws EvaluationPendingException when it is the question in progress
   */
  public <T> T answer(Scope scope, int question, Expression<T> asked, Payload about) {
    if (question == underWay) {
      expression = asked;
      input = about;
      throw EvaluationPendingException.INSTANCE;
    }
    return asked.evaluate(about, scope, new Budget(maxSteps));
  }

  /** Whether a question was answered elsewhere, so that its answer is stored. */
  public boolean isAnswered(int question) {
    return answered.get(question);
  }

  /** Whether a question was the last one, behind which the phase stops. */
  public boolean isLast(int question) {
    return question == last;
  }

  /** Expression of the question in progress. */
  public Expression<?> expression() {
    if (expression == null) {
      throw new IllegalStateException("expected an evaluation in progress, found none");
    }
    return expression;
  }

  /** Input of the question in progress. */
  public Payload input() {
    if (input == null) {
      throw new IllegalStateException("expected an evaluation in progress, found none");
    }
    return input;
  }
}
