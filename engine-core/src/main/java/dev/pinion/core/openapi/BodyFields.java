package dev.pinion.core.openapi;

import dev.pinion.core.template.parameter.FormField;
import dev.pinion.core.template.parameter.ParameterStyle;
import dev.pinion.core.template.parameter.StyledParameter;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads what a document says of the members of a body: their names, and how forms have them. */
final class BodyFields {
  private static final List<String> COMPOSITIONS = List.of("allOf", "anyOf", "oneOf");
  private static final List<String> STYLES = List.of("style", "explode", "allowReserved");

  private final ApiReferences references;

  BodyFields(ApiReferences references) {
    this.references = references;
  }

  /** The members that the document names, in its order. */
  Map<String, ApiField> of(ApiContent content) {
    ApiValue schema = content.schema();
    if (!content.fields().isEmpty() || schema == null) {
      return content.fields();
    }
    Map<String, ApiField> fields = new LinkedHashMap<>();
    properties(schema)
        .forEach((name, property) -> fields.put(name, field(name, property, content)));
    return fields;
  }

  /** Whether the body is an object, as far as its own schema says so. */
  boolean isObject(ApiContent content) {
    if (!content.fields().isEmpty()) {
      return true;
    }
    ApiValue declared = content.schema();
    ApiValue schema = declared == null ? null : references.resolve(declared);
    return schema != null && (schema.text("type").equals("object") || schema.has("properties"));
  }

  /** Each schema is looked at once, however often it is referred to. */
  private Map<String, ApiValue> properties(ApiValue schema) {
    Map<String, ApiValue> found = new LinkedHashMap<>();
    Set<String> seen = new HashSet<>();
    Deque<ApiValue> waiting = new ArrayDeque<>(List.of(schema));
    while (!waiting.isEmpty()) {
      ApiValue next = waiting.removeFirst();
      ApiValue target = references.resolve(next);
      Stream<ApiValue> both = target == null ? Stream.of(next) : Stream.of(next, target);
      both.filter(each -> seen.add(each.value().pointer()))
          .forEach(each -> add(each, found, waiting));
    }
    return found;
  }

  private static void add(ApiValue schema, Map<String, ApiValue> found, Deque<ApiValue> waiting) {
    for (ApiValue property : schema.members("properties")) {
      found.putIfAbsent(property.name(), property);
    }
    for (String composition : COMPOSITIONS) {
      waiting.addAll(schema.items(composition));
    }
  }

  private ApiField field(String name, ApiValue property, ApiContent content) {
    MediaRange type = content.type();
    if (!type.isForm() && !type.isMultipartForm()) {
      return new ApiField(false, FormField.PLAIN);
    }
    ApiValue encodings = content.encoding();
    ApiValue encoding = encodings == null ? null : encodings.member(name);
    boolean isFile = type.isMultipartForm() && isFile(property);
    return new ApiField(
        false,
        encoding == null
            ? new FormField(isFile, null, null)
            : new FormField(isFile, contentType(encoding), style(name, encoding)));
  }

  private boolean isFile(ApiValue property) {
    ApiValue schema = references.resolve(property);
    ApiValue items = schema == null ? null : schema.member("items");
    ApiValue one = items == null ? schema : references.resolve(items);
    return one != null
        && (one.text("format").equals("binary")
            || (one.has("contentMediaType") && !one.has("contentEncoding")));
  }

  /** The first media type that is no range. */
  private static @Nullable String contentType(ApiValue encoding) {
    for (String each : encoding.text("contentType").split(",", -1)) {
      MediaRange type = MediaRange.of(each);
      if (type.isValid() && !type.isRange()) {
        return type.text();
      }
    }
    return null;
  }

  /** The style, where the document gives one or a part of it. */
  private static @Nullable StyledParameter style(String name, ApiValue encoding) {
    if (STYLES.stream().noneMatch(encoding::has)) {
      return null;
    }
    ParameterStyle style =
        switch (encoding.text("style")) {
          case "spaceDelimited" -> ParameterStyle.SPACE_DELIMITED;
          case "pipeDelimited" -> ParameterStyle.PIPE_DELIMITED;
          case "deepObject" -> ParameterStyle.DEEP_OBJECT;
          default -> ParameterStyle.FORM;
        };
    boolean explode =
        encoding.has("explode") ? encoding.flag("explode") : style == ParameterStyle.FORM;
    return new StyledParameter(name, style, explode, false);
  }
}
