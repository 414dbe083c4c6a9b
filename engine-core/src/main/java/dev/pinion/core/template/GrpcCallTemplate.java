package dev.pinion.core.template;

import dev.pinion.core.jq.value.JqValues;
import dev.pinion.core.model.Budget;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.ExpressionException;
import dev.pinion.core.model.GrpcCall;
import dev.pinion.core.model.GrpcMethod;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.Scope;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Makes gRPC calls from a {@code call: grpc} task. Immutable.
 *
 * @param method the method
 * @param service where the service is
 * @param metadata metadata of the call
 * @param arguments makes the arguments, or null for none
 */
public record GrpcCallTemplate(
    GrpcMethod method,
    GrpcCall.Service service,
    NameValuePairs metadata,
    @Nullable Expression<Payload> arguments)
    implements Expression<GrpcCall> {
  private static final Pattern NAME = Pattern.compile("[0-9A-Za-z_.-]+");

  /** Suffix of the names of metadata whose values are bytes. */
  private static final String BYTES = "-bin";

  /** Metadata of the protocol itself, besides those with the prefix. */
  private static final Set<String> RESERVED =
      Set.of(
          "connection", "content-length", "content-type", "host", "te", "trailer", "user-agent");

  private static final String RESERVED_PREFIX = "grpc-";

  /** The reason why a definition may not set metadata of a name, or null when it may. */
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
    List<GrpcCall.MetadataEntry> entries = new ArrayList<>();
    for (NameValuePairs.Entry each : metadata.evaluate(input, scope, budget)) {
      entries.add(entry(each));
    }
    Payload body =
        arguments == null ? Payload.EMPTY_OBJECT : arguments.evaluate(input, scope, budget);
    return new GrpcCall(method, service, entries, body);
  }

  private static GrpcCall.MetadataEntry entry(NameValuePairs.Entry entry) {
    String problem = metadataProblem(entry.name());
    if (problem == null) {
      problem = valueProblem(entry);
    }
    if (problem != null) {
      throw new ExpressionException(problem + entry.place());
    }
    return new GrpcCall.MetadataEntry(entry.name().toLowerCase(Locale.ROOT), entry.value());
  }

  private static @Nullable String valueProblem(NameValuePairs.Entry entry) {
    if (entry.name().toLowerCase(Locale.ROOT).endsWith(BYTES)) {
      try {
        Base64.getDecoder().decode(entry.value());
        return null;
      } catch (IllegalArgumentException e) {
        return "expected base 64 as value of the metadata \"" + entry.name() + "\"";
      }
    }
    boolean visible = entry.value().chars().allMatch(c -> c >= ' ' && c <= '~');
    return visible
        ? null
        : "expected visible ASCII characters as value of the metadata \"" + entry.name() + "\"";
  }

  /**
   * Arguments of a call: an object; anything else is an error of type expression.
   *
   * @param expression makes them
   */
  public static Expression<Payload> argumentsOf(Expression<Payload> expression) {
    return (input, scope, budget) -> {
      Payload value = expression.evaluate(input, scope, budget);
      if (!value.json().isObject()) {
        throw new ExpressionException(
            "expected an object as arguments of a gRPC call, found "
                + JqValues.describe(value.json()));
      }
      return value;
    };
  }
}
