package dev.pinion.core.language;

import dev.pinion.core.language.field.TaskSubject;
import dev.pinion.core.model.Budget;
import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.ExpressionException;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.Scope;
import org.jspecify.annotations.Nullable;

/**
 * The condition of an extension, evaluated on the input of the extended task. It does not hold for
 * tasks that it cannot be evaluated on: one that looks at the text of an endpoint may meet an
 * object there.
 *
 * @param condition the expression
 * @param subject the extended task
 */
record ExtensionCondition(Expression<Boolean> condition, TaskSubject subject)
    implements Expression<Boolean> {
  static Expression<Boolean> of(Expression<Boolean> condition, TaskSubject subject) {
    return new ExtensionCondition(condition, subject);
  }

  @Override
  public Boolean evaluate(Payload input, Scope scope, Budget budget) {
    try {
      Payload its = subject.input(scope);
      return condition.evaluate(its, new Place(scope, its, input), budget);
    } catch (ExpressionException e) {
      if (e.error().type().equals(ErrorType.EXPRESSION.uri())) {
        return false;
      }
      throw e;
    }
  }

  /** What the condition sees: it stands beside the task, not inside the tasks of the extension. */
  private final class Place implements Scope {
    private final Scope scope;
    private final Payload its;
    private final Payload ended;

    Place(Scope scope, Payload its, Payload ended) {
      this.scope = scope;
      this.its = its;
      this.ended = ended;
    }

    @Override
    public @Nullable Payload variable(String name) {
      return switch (name) {
        case "input" -> its;
        case "task" -> subject.descriptor(scope, ended);
        default -> scope.variable(name);
      };
    }
  }
}
