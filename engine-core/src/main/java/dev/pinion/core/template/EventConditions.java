package dev.pinion.core.template;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.core.jq.value.JqValues;
import dev.pinion.core.model.Budget;
import dev.pinion.core.model.EventForm;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.Scope;
import java.util.List;
import java.util.Map;

/**
 * Conditions on CloudEvents in their JSON format: what a filter of a {@code listen} task asks of
 * attributes and data.
 */
public final class EventConditions {
  private static final String CONTENT_TYPE = "datacontenttype";
  private static final Payload JSON = Payload.of("application/json");
  private static final String INPUT = "input";

  private EventConditions() {}

  /** An attribute of the event; JSON null where it has none. */
  public static Expression<Payload> attribute(String name) {
    Payload absent = name.equals(CONTENT_TYPE) ? JSON : Payload.NULL;
    return (event, scope, budget) -> {
      budget.charge(1);
      Payload value = event.member(name);
      return value == null ? absent : value;
    };
  }

  /** Whether an attribute has a text, or matches it as a regular expression. */
  public static Expression<Boolean> attributeMatches(String name, TextPattern expected) {
    Expression<Payload> attribute = attribute(name);
    return (event, scope, budget) -> {
      Payload value = attribute.evaluate(event, scope, budget);
      return !value.isNull() && expected.matches(value.comparableText(), budget);
    };
  }

  /** Whether the data are a text, or match it as a regular expression. */
  public static Expression<Boolean> dataMatches(TextPattern expected) {
    return (event, scope, budget) -> {
      JsonNode data = EventForm.DATA.of(event).json();
      return data.isTextual() && expected.matches(data.textValue(), budget);
    };
  }

  /** Whether a condition holds for the data. */
  public static Expression<Boolean> dataHold(Expression<Payload> condition) {
    return (event, scope, budget) ->
        JqValues.truthy(condition.evaluate(EventForm.DATA.of(event), scope, budget).json());
  }

  /** Whether the data contain a constant. */
  public static Expression<Boolean> dataContain(Payload pattern) {
    return (event, scope, budget) ->
        contains(EventForm.DATA.of(event).json(), pattern.json(), budget);
  }

  /** Whether the data contain a value that depends on the input of the task. */
  public static Expression<Boolean> dataContain(Expression<Payload> pattern) {
    return (event, scope, budget) -> {
      Payload input = scope.variable(INPUT);
      Payload wanted = pattern.evaluate(input == null ? Payload.NULL : input, scope, budget);
      return contains(EventForm.DATA.of(event).json(), wanted.json(), budget);
    };
  }

  /** Objects contain those that have no other members; anything else has to be equal. */
  private static boolean contains(JsonNode data, JsonNode pattern, Budget budget) {
    budget.charge(1);
    if (pattern.isObject()) {
      for (Map.Entry<String, JsonNode> member : pattern.properties()) {
        JsonNode value = data.get(member.getKey());
        if (value == null || !contains(value, member.getValue(), budget)) {
          return false;
        }
      }
      return data.isObject();
    }
    if (pattern.isArray()) {
      return data.isArray()
          && data.size() == pattern.size()
          && containsItems(data, pattern, budget);
    }
    return data.isNumber() && pattern.isNumber()
        ? Payload.of(data).comparableText().equals(Payload.of(pattern).comparableText())
        : data.equals(pattern);
  }

  private static boolean containsItems(JsonNode data, JsonNode pattern, Budget budget) {
    for (int i = 0; i < pattern.size(); i++) {
      if (!contains(data.get(i), pattern.get(i), budget)) {
        return false;
      }
    }
    return true;
  }

  /** Whether all of some conditions hold, checked in their order. */
  public static Expression<Boolean> all(List<Expression<Boolean>> conditions) {
    return conditions.size() == 1
        ? conditions.getFirst()
        : new Conjunction(List.copyOf(conditions));
  }

  private record Conjunction(List<Expression<Boolean>> conditions) implements Expression<Boolean> {
    @Override
    public Boolean evaluate(Payload event, Scope scope, Budget budget) {
      for (Expression<Boolean> condition : conditions) {
        if (!condition.evaluate(event, scope, budget)) {
          return false;
        }
      }
      return true;
    }
  }
}
