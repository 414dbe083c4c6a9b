package dev.pinion.core.kernel;

import dev.pinion.core.model.Budget;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.Payload;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * Answers the questions of a phase that had been asked when the state of its activity was written
 * down, and stops the phase behind the last of them.
 *
 * <p>Expressions are pure, so those that were evaluated elsewhere are evaluated again, here, and
 * remembered. The one that was under way is only taken note of.
 */
final class Repetition {
  private final BitSet answered;
  private final int underWay;
  private final int last;
  private final long maxSteps;
  private @Nullable Expression<?> expression;
  private @Nullable Payload input;

  /**
   * A repetition; there is an answer or a question under way.
   *
   * @param answered questions that were answered elsewhere
   * @param underWay the question that is not answered yet; 0 for none
   * @param maxSteps steps that an evaluation may have taken
   */
  Repetition(BitSet answered, int underWay, long maxSteps) {
    this.answered = answered;
    this.underWay = underWay;
    this.last = underWay == 0 ? answered.length() - 1 : underWay;
    this.maxSteps = maxSteps;
  }

  /** The answer to a question. */
  <T> T of(Activity activity, int question, Expression<T> asked, Payload about) {
    if (question == underWay) {
      expression = asked;
      input = about;
      throw Suspended.INSTANCE;
    }
    T answer = asked.evaluate(about, activity, new Budget(maxSteps));
    if (answered.get(question)) {
      activity.rememberAgain(question, answer, null);
    }
    if (question == last) {
      throw Suspended.INSTANCE;
    }
    return answer;
  }

  /** What is evaluated for the question under way. */
  Expression<?> expression() {
    if (expression == null) {
      throw new IllegalStateException("expected an evaluation under way, found none");
    }
    return expression;
  }

  /** What it is evaluated on. */
  Payload input() {
    if (input == null) {
      throw new IllegalStateException("expected an evaluation under way, found none");
    }
    return input;
  }
}
