package dev.pinion.core.template;

import dev.pinion.core.jq.value.JqValues;
import dev.pinion.core.model.ExpressionException;
import dev.pinion.core.model.Payload;
import org.jspecify.annotations.Nullable;

/** Parameters of calls by JSON-RPC. */
final class RpcParameters {
  private RpcParameters() {}

  /**
   * Checks that parameters are an object, if there are any.
   *
   * @throws ExpressionException when they are something else
   */
  static void check(@Nullable Payload parameters, String place) {
    if (parameters != null && !parameters.json().isObject()) {
      throw new ExpressionException(
          "expected an object as parameters, found " + JqValues.describe(parameters.json()) + place);
    }
  }
}
