package dev.pinion.core.template;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pinion.core.model.Budget;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.Scope;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The body of a form in parts, as the Invoker takes it: objects and contents of files become {@code
 * {content, contentType, filename}}. A body that is no object stays as it is. Immutable.
 *
 * @param body makes the body that the definition gives
 * @param fields what is known of the fields, by name
 */
public record MultipartBody(Expression<Payload> body, Map<String, FormField> fields)
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
    ObjectNode parts = JsonNodeFactory.instance.objectNode();
    for (Map.Entry<String, JsonNode> member : given.json().properties()) {
      FormField field = fields.getOrDefault(member.getKey(), FormField.PLAIN);
      parts.set(member.getKey(), parts(member.getKey(), member.getValue(), field, budget));
    }
    return Payload.of(parts);
  }

  private static JsonNode parts(String name, JsonNode value, FormField field, Budget budget) {
    if (!value.isArray()) {
      return part(name, value, field, budget);
    }
    ArrayNode parts = JsonNodeFactory.instance.arrayNode();
    for (JsonNode item : value) {
      parts.add(part(name, item, field, budget));
    }
    return parts;
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
