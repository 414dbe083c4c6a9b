package dev.pinion.core.template;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.core.jq.code.ExpressionLocation;
import dev.pinion.core.jq.value.JqValues;
import dev.pinion.core.jq.value.JsonPrinter;
import dev.pinion.core.model.Budget;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.ExpressionException;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.Scope;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Names with values, such as header fields and query parameters. Immutable. */
public final class NameValuePairs {
  /** No names. */
  public static final NameValuePairs NONE = of(List.of());

  private final Expression<List<Entry>> entries;

  private NameValuePairs(Expression<List<Entry>> entries) {
    this.entries = entries;
  }

  /**
   * A name and one scalar value as text.
   *
   * @param place text that errors about it add, by {@link ExpressionLocation}
   */
  record Entry(String name, String value, String place) {}

  /**
   * A fixed name.
   *
   * @param value makes its value
   * @param place text that errors about it add, by {@link ExpressionLocation}
   */
  public record Member(String name, Expression<Payload> value, String place) {}

  /** Fixed names, in order. */
  public static NameValuePairs of(List<Member> values) {
    List<Member> members = List.copyOf(values);
    return new NameValuePairs(
        (input, scope, budget) -> {
          List<Entry> entries = new ArrayList<>(members.size());
          for (Member member : members) {
            JsonNode value = member.value().evaluate(input, scope, budget).json();
            add(member.name(), value, member.place(), entries, budget);
          }
          return entries;
        });
  }

  /**
   * Names and values that are the members of one object, which an expression yields.
   *
   * @param place text that errors about it add, by {@link ExpressionLocation}
   */
  public static NameValuePairs computed(Expression<Payload> object, String place) {
    return new NameValuePairs(
        (input, scope, budget) -> {
          JsonNode value = object.evaluate(input, scope, budget).json();
          if (!value.isObject() && !value.isNull()) {
            throw new ExpressionException(
                "expected an object of names and values, found "
                    + JqValues.describe(value)
                    + place);
          }
          List<Entry> entries = new ArrayList<>(value.size());
          for (Map.Entry<String, JsonNode> member : value.properties()) {
            add(member.getKey(), member.getValue(), place, entries, budget);
          }
          return entries;
        });
  }

  /** The names with their values; an array repeats its name, null leaves it out. */
  List<Entry> evaluate(Payload input, Scope scope, Budget budget) {
    return entries.evaluate(input, scope, budget);
  }

  private static void add(
      String name, JsonNode value, String place, List<Entry> entries, Budget budget) {
    budget.charge(2);
    if (!value.isArray()) {
      addScalar(name, value, place, entries, budget);
      return;
    }
    for (JsonNode item : value) {
      addScalar(name, item, place, entries, budget);
    }
  }

  private static void addScalar(
      String name, JsonNode value, String place, List<Entry> entries, Budget budget) {
    if (value.isNull()) {
      return;
    }
    if (value.isContainerNode()) {
      throw new ExpressionException(
          "expected a string, number, boolean or null as value of \""
              + name
              + "\", found "
              + JqValues.describe(value)
              + place);
    }
    String text =
        value.isTextual()
            ? value.textValue()
            : value.isNumber() ? JsonPrinter.number(value) : value.asText();
    budget.charge(2 + (name.length() + text.length()) / 8);
    entries.add(new Entry(name, text, place));
  }
}
