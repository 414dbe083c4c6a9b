package dev.pinion.core.template.parameter;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.pinion.core.model.Budget;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.Scope;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The body of a form in parts, as the Invoker takes it: objects and contents of files become {@code
 * {content, contentType, filename}}. A body that is no object stays as it is. Immutable.
 *
 * @param body makes the body that the definition gives
 * @param fields what is known of the fields, by name
 * @param place text that errors add
 */
public record MultipartBody(Expression<Payload> body, Map<String, FormField> fields, String place)
    implements Expression<Payload> {
  private static final String CONTENT = "content";
  private static final String BASE64 = "base64";
  private static final String CONTENT_TYPE = "contentType";
  private static final String FILE_NAME = "filename";
  private static final Set<String> OF_PARTS = Set.of(CONTENT, BASE64, CONTENT_TYPE, FILE_NAME);

  /** Copies the map. */
  public MultipartBody {
    fields = Map.copyOf(fields);
  }

  @Override
  public Payload evaluate(Payload input, Scope scope, Budget budget) {
    Payload given = body.evaluate(input, scope, budget);
    if (!given.json().isObject()) {
      return given;
    }
    Map<String, ArrayNode> parts = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> member : given.json().properties()) {
      add(member.getKey(), member.getValue(), parts, budget);
    }
    ObjectNode all = JsonNodeFactory.instance.objectNode();
    parts.forEach((name, values) -> all.set(name, values.size() == 1 ? values.get(0) : values));
    return Payload.of(all);
  }

  private void add(String name, JsonNode value, Map<String, ArrayNode> parts, Budget budget) {
    FormField field = fields.getOrDefault(name, FormField.PLAIN);
    StyledParameter style = field.style();
    if (style != null && value.isContainerNode() && !field.isFile() && !isPart(value)) {
      addStyled(style, value, parts, budget);
      return;
    }
    for (JsonNode item : value.isArray() ? value : List.of(value)) {
      values(name, parts).add(part(name, item, field, budget));
    }
  }

  private void addStyled(
      StyledParameter style, JsonNode value, Map<String, ArrayNode> parts, Budget budget) {
    if (!StyleWriter.isUndefined(value, style.style())) {
      StyleWriter writer = new StyleWriter(style, UnaryOperator.identity(), place, budget);
      for (StyleWriter.Pair pair : writer.pairs(value)) {
        values(pair.name(), parts).add(TextNode.valueOf(pair.value()));
      }
    }
  }

  private static ArrayNode values(String name, Map<String, ArrayNode> parts) {
    return parts.computeIfAbsent(name, _ -> JsonNodeFactory.instance.arrayNode());
  }

  private static JsonNode part(String name, JsonNode value, FormField field, Budget budget) {
    budget.charge(2);
    boolean isPart = isPart(value);
    String known = field.contentType();
    String contentType = known == null && !isPart ? usualType(value, field) : known;
    if (value.isNull() || (!isPart && contentType == null)) {
      return value;
    }
    ObjectNode part = JsonNodeFactory.instance.objectNode();
    if (isPart) {
      part.setAll((ObjectNode) value);
    } else {
      part.set(CONTENT, value);
    }
    if (contentType != null && !part.has(CONTENT_TYPE)) {
      part.put(CONTENT_TYPE, contentType);
    }
    if (field.isFile() && !part.has(FILE_NAME)) {
      part.put(FILE_NAME, name);
    }
    return part;
  }

  private static @Nullable String usualType(JsonNode value, FormField field) {
    if (value.isContainerNode()) {
      return "application/json";
    }
    return field.isFile() ? "application/octet-stream" : null;
  }

  /** Whether an object describes a part, rather than being the content of one. */
  private static boolean isPart(JsonNode value) {
    if (!value.isObject() || value.has(CONTENT) == value.has(BASE64)) {
      return false;
    }
    for (Map.Entry<String, JsonNode> member : value.properties()) {
      if (!OF_PARTS.contains(member.getKey())) {
        return false;
      }
    }
    return true;
  }
}
