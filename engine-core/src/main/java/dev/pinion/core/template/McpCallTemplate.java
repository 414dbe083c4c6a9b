package dev.pinion.core.template;

import dev.pinion.core.model.Budget;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.ExpressionException;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.Scope;
import dev.pinion.core.model.call.CallRequest;
import dev.pinion.core.model.call.McpCall;
import org.jspecify.annotations.Nullable;

/**
 * Makes calls of servers of the Model Context Protocol from a {@code call: mcp} task. Immutable.
 *
 * @param request what is asked, without a time of its own
 * @param carrier makes the HTTP request or the program that reaches the server
 * @param timeout makes the longest time, or null for that of all calls
 * @param place text that errors about the parameters add, by {@link ExpressionLocation}
 */
public record McpCallTemplate(
    McpCall.McpRequest request,
    Expression<? extends CallRequest> carrier,
    @Nullable Expression<Long> timeout,
    String place)
    implements Expression<McpCall> {
  /**
   * Renders the call.
   *
   * @throws ExpressionException when a part is not of the expected form
   */
  @Override
  public McpCall evaluate(Payload input, Scope scope, Budget budget) {
    CallRequest made = carrier.evaluate(input, scope, budget);
    RpcParameters.check(made.body(), place);
    long nanos = timeout == null ? 0 : Math.max(1, timeout.evaluate(input, scope, budget));
    McpCall.McpRequest timed =
        new McpCall.McpRequest(
            request.method(),
            request.protocolVersion(),
            request.clientName(),
            request.clientVersion(),
            nanos);
    return new McpCall(timed, made);
  }
}
