package dev.pinion.core.template;

import dev.pinion.core.jq.value.JqValues;
import dev.pinion.core.model.Budget;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.ExpressionException;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.Scope;
import dev.pinion.core.model.call.GrpcCall;
import dev.pinion.core.model.call.GrpcMethod;
import dev.pinion.core.model.call.HttpCall;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Makes gRPC calls from a {@code call: grpc} task. Immutable.
 *
 * @param method the method
 * @param request makes the request that carries the call
 * @param place text that errors about the arguments add, by {@link ExpressionLocation}
 */
public record GrpcCallTemplate(GrpcMethod method, Expression<HttpCall> request, String place)
    implements Expression<GrpcCall> {
  private static final Pattern NAME = Pattern.compile("[0-9A-Za-z_.-]+");

  /** Metadata of the protocol itself, besides those with the prefix. */
  private static final Set<String> RESERVED = Set.of("content-type", "user-agent");

  private static final String RESERVED_PREFIX = "grpc-";

  /**
   * The reason why a definition may not set metadata of a name, or null when it may; besides what
   * holds for header fields.
   */
  public static @Nullable String metadataProblem(String name) {
    if (!NAME.matcher(name).matches()) {
      return "expected letters, digits, \"_\", \"-\" and \".\" as a name of metadata, found \""
          + name
          + "\"";
    }
    String lower = name.toLowerCase(Locale.ROOT);
    return RESERVED.contains(lower) || lower.startsWith(RESERVED_PREFIX)
        ? "expected metadata that a definition may set, found \""
            + name
            + "\", which the engine sets itself"
        : null;
  }

  /**
   * Renders the call.
   *
   * @throws ExpressionException when a part is not of the expected form
   */
  @Override
  public GrpcCall evaluate(Payload input, Scope scope, Budget budget) {
    HttpCall made = request.evaluate(input, scope, budget);
    Payload arguments = made.body();
    if (arguments != null && !arguments.json().isObject()) {
      throw new ExpressionException(
          "expected an object as arguments of a gRPC call, found "
              + JqValues.describe(arguments.json())
              + place);
    }
    return new GrpcCall(method, made);
  }
}
