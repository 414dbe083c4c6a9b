package dev.pinion.core.template.parameter;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pinion.core.model.Budget;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.Scope;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * The body of a URL-encoded form: an object of scalars and arrays of scalars. A member without a
 * style repeats its name for each item of an array, and has objects as JSON text. A body that is no
 * object stays as it is. Immutable.
 *
 * @param body makes the body that the definition gives
 * @param fields what is known of the fields, by name
 * @param place text that errors add
 */
public record FormBody(Expression<Payload> body, Map<String, FormField> fields, String place)
    implements Expression<Payload> {
  /** Copies the map. */
  public FormBody {
    fields = Map.copyOf(fields);
  }

  @Override
  public Payload evaluate(Payload input, Scope scope, Budget budget) {
    Payload given = body.evaluate(input, scope, budget);
    if (!given.json().isObject()) {
      return given;
    }
    Map<String, ArrayNode> form = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> member : given.json().properties()) {
      add(member.getKey(), member.getValue(), form, budget);
    }
    ObjectNode all = JsonNodeFactory.instance.objectNode();
    form.forEach((name, values) -> all.set(name, values.size() == 1 ? values.get(0) : values));
    return Payload.of(all);
  }

  private void add(String name, JsonNode value, Map<String, ArrayNode> form, Budget budget) {
    StyledParameter style = fields.getOrDefault(name, FormField.PLAIN).style();
    if (style == null) {
      addPlain(name, value, form, budget);
    } else if (!StyleWriter.isUndefined(value, style.style())) {
      StyleWriter writer = new StyleWriter(style, UnaryOperator.identity(), place, budget);
      for (StyleWriter.Pair pair : writer.pairs(value)) {
        values(pair.name(), form).add(pair.value());
      }
    }
  }

  private static void addPlain(
      String name, JsonNode value, Map<String, ArrayNode> form, Budget budget) {
    if (!value.isArray()) {
      addScalar(name, value, form, budget);
      return;
    }
    for (JsonNode item : value) {
      addScalar(name, item, form, budget);
    }
  }

  private static void addScalar(
      String name, JsonNode value, Map<String, ArrayNode> form, Budget budget) {
    budget.charge(2);
    if (value.isContainerNode()) {
      String text = value.toString();
      budget.charge(text.length() / 8);
      values(name, form).add(text);
    } else if (!value.isNull()) {
      values(name, form).add(value);
    }
  }

  private static ArrayNode values(String name, Map<String, ArrayNode> form) {
    return form.computeIfAbsent(name, _ -> JsonNodeFactory.instance.arrayNode());
  }
}
