package dev.pinion.core.kernel;

import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.ExpressionException;
import dev.pinion.core.model.HttpCall;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.core.spi.BindingSource;

/** Puts concrete endpoints in the place of abstract ones, which have the scheme {@code svc}. */
final class AbstractServices {
  private static final String SCHEME = "svc://";

  private final BindingSource bindings;

  AbstractServices(BindingSource bindings) {
    this.bindings = bindings;
  }

  /**
   * The call as it is to be made.
   *
   * @throws ExpressionException when the service it names is not bound
   */
  HttpCall bound(HttpCall call) {
    if (!call.uri().startsWith(SCHEME)) {
      return call;
    }
    String rest = call.uri().substring(SCHEME.length());
    int end = endOfName(rest);
    String service = rest.substring(0, end);
    String base =
        bindings
            .current()
            .endpoint(service)
            .orElseThrow(() -> new ExpressionException(unbound(service)));
    return new HttpCall(
        call.method(),
        base + rest.substring(end),
        call.headers(),
        call.body(),
        call.output(),
        call.acceptRedirects());
  }

  private static WorkflowError unbound(String service) {
    return WorkflowError.of(
        ErrorType.CONFIGURATION,
        "expected a binding of the abstract service \"" + service + "\", found none");
  }

  private static int endOfName(String rest) {
    int end = 0;
    while (end < rest.length() && "/?#".indexOf(rest.charAt(end)) < 0) {
      end++;
    }
    return end;
  }
}
