package dev.pinion.core.language.call;

import dev.pinion.core.document.DocumentValue;
import dev.pinion.core.openapi.ApiContent;
import dev.pinion.core.openapi.ApiParameter;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the arguments of a call are to its operation.
 *
 * @param parameters the parameters that are given, in the order of the document
 * @param body the body, or null for none
 */
record OpenApiArguments(List<GivenParameter> parameters, @Nullable GivenBody body) {
  /** Copies the list. */
  OpenApiArguments {
    parameters = List.copyOf(parameters);
  }

  /**
   * A parameter with the value that the definition gives.
   *
   * @param value its value, with expressions
   */
  record GivenParameter(ApiParameter parameter, DocumentValue value) {}

  /**
   * A body: either as a whole, or by its members.
   *
   * @param content the form that is sent, of one media type
   * @param whole the body, or null
   * @param members the members by name
   */
  record GivenBody(
      ApiContent content, @Nullable DocumentValue whole, Map<String, DocumentValue> members) {}
}
