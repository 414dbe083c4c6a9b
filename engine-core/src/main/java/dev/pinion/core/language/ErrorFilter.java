package dev.pinion.core.language;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.core.document.DocumentValue;
import dev.pinion.core.language.field.Diagnostics;
import dev.pinion.core.language.field.ExpressionFieldCompiler;
import dev.pinion.core.language.field.FieldReader;
import dev.pinion.core.model.Budget;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.Scope;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The static filter {@code catch.errors.with}: true for an error whose members have the given
 * values. Standard error types were published under four prefixes over time; all are equal here.
 */
final class ErrorFilter implements Expression<Boolean> {
  /** The schema of edition 1.0.3 names the detail {@code details}; later ones as errors do. */
  private static final String DETAILS = "details";

  private static final List<String> KEYS =
      List.of("type", "status", "instance", "title", "detail", DETAILS);
  private static final int LEAST_STATUS = 100;
  private static final int GREATEST_STATUS = 599;
  private static final List<String> TYPE_PREFIXES =
      List.of(
          "https://open-workflow-specification.org/spec/1.0.0/errors/",
          "https://open-workflow-specification.org/dsl/errors/types/",
          "https://serverlessworkflow.io/spec/1.0.0/errors/",
          "https://serverlessworkflow.io/dsl/errors/types/");

  private final Map<String, JsonNode> expected;

  private ErrorFilter(Map<String, JsonNode> expected) {
    this.expected = expected;
  }

  /** The filter of {@code catch.errors}, or null when every error passes. */
  static @Nullable ErrorFilter of(@Nullable DocumentValue errors, Diagnostics diagnostics) {
    DocumentValue with =
        errors == null
            ? null
            : FieldReader.of(errors, "\"errors\"", List.of("with"), diagnostics).get("with");
    if (with == null) {
      return null;
    }
    FieldReader fieldReader = FieldReader.of(with, "an error filter", KEYS, diagnostics);
    if (with.isObject() && with.json().isEmpty()) {
      diagnostics.expected(with, "an object with at least one of " + String.join(", ", KEYS));
    }
    Map<String, JsonNode> expected = new LinkedHashMap<>();
    for (DocumentValue member : with.members()) {
      if (KEYS.contains(member.name())) {
        checkStatic(fieldReader, member, diagnostics);
        expected.put(member.name(), member.json());
      }
    }
    return new ErrorFilter(expected);
  }

  private static void checkStatic(
      FieldReader fieldReader, DocumentValue member, Diagnostics diagnostics) {
    if (member.name().equals("status")) {
      fieldReader.integer("status", LEAST_STATUS, GREATEST_STATUS, LEAST_STATUS);
    } else if (fieldReader.text(member.name()) != null
        && ExpressionFieldCompiler.isEnclosed(member)) {
      diagnostics.value(
          member, "expected a fixed value, as \"catch.when\" is for expressions, found one");
    }
  }

  @Override
  public Boolean evaluate(Payload input, Scope scope, Budget budget) {
    budget.charge(expected.size());
    JsonNode error = input.json();
    return expected.entrySet().stream()
        .allMatch(
            entry -> matches(entry.getKey(), entry.getValue(), error.path(member(entry.getKey()))));
  }

  /** The member of an error that a key of the filter is compared with. */
  private static String member(String key) {
    return key.equals(DETAILS) ? "detail" : key;
  }

  private static boolean matches(String key, JsonNode expected, JsonNode found) {
    return switch (key) {
      case "status" -> found.isNumber() && found.doubleValue() == expected.doubleValue();
      case "type" -> kind(found.asText()).equals(kind(expected.asText()));
      default -> found.isTextual() && found.textValue().equals(expected.textValue());
    };
  }

  /** A type without the prefix under which it was published, if it is one of the standard's. */
  private static String kind(String type) {
    for (String prefix : TYPE_PREFIXES) {
      if (type.startsWith(prefix)) {
        return TYPE_PREFIXES.getFirst() + type.substring(prefix.length());
      }
    }
    return type;
  }
}
