package dev.pinion.core.template;

import dev.pinion.core.model.Budget;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.ExpressionException;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.Scope;
import dev.pinion.core.model.call.A2aCall;
import dev.pinion.core.model.call.HttpCall;

/**
 * Makes calls of agents from a {@code call: a2a} task. Immutable.
 *
 * @param method method of the protocol
 * @param request makes the HTTP request that carries the call
 * @param place text that errors about the parameters add, by {@link ExpressionLocation}
 */
public record A2aCallTemplate(String method, Expression<HttpCall> request, String place)
    implements Expression<A2aCall> {
  /**
   * Renders the call.
   *
   * @throws ExpressionException when a part is not of the expected form
   */
  @Override
  public A2aCall evaluate(Payload input, Scope scope, Budget budget) {
    HttpCall made = request.evaluate(input, scope, budget);
    RpcParameters.check(made.body(), place);
    return new A2aCall(method, made);
  }
}
