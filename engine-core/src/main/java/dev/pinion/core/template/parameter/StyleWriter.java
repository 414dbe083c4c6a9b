package dev.pinion.core.template.parameter;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.core.jq.value.JqValues;
import dev.pinion.core.jq.value.JsonPrinter;
import dev.pinion.core.model.Budget;
import dev.pinion.core.model.ExpressionException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.function.UnaryOperator;

/**
 * Writes values of one parameter in its style; charges for what it writes. Null has no text, nor
 * has an array or object of nothing else (RFC 6570, section 2.3), and JSON text apart they are left
 * out.
 */
final class StyleWriter {
  private final StyledParameter parameter;
  private final UnaryOperator<String> encoding;
  private final String place;
  private final Budget budget;

  /**
   * A writer.
   *
   * @param encoding encodes names, scalars and delimiters other than commas
   * @param place text that errors add
   */
  StyleWriter(
      StyledParameter parameter, UnaryOperator<String> encoding, String place, Budget budget) {
    this.parameter = parameter;
    this.encoding = encoding;
    this.place = place;
    this.budget = budget;
  }

  /** A name with a value, both encoded. */
  record Pair(String name, String value) {}

  /** Whether a value has no text. */
  static boolean isUndefined(JsonNode value, ParameterStyle style) {
    if (!value.isContainerNode() || style == ParameterStyle.JSON) {
      return value.isNull();
    }
    for (JsonNode item : value) {
      if (!item.isNull()) {
        return false;
      }
    }
    return true;
  }

  /** A value as one text, for a path or a header field. */
  String text(JsonNode value) {
    return switch (parameter.style()) {
      case JSON -> json(value);
      case LABEL -> "." + joined(value, parameter.explode() ? "." : ",");
      case MATRIX -> matrix(value);
      default -> joined(value, delimiter());
    };
  }

  private String matrix(JsonNode value) {
    StringBuilder text = new StringBuilder();
    for (Pair pair : pairs(value)) {
      text.append(';').append(pair.name());
      text.append(pair.value().isEmpty() ? "" : "=").append(pair.value());
    }
    return text.toString();
  }

  /** A value as names with values, for a query, a cookie or a form. */
  List<Pair> pairs(JsonNode value) {
    List<Pair> pairs = new ArrayList<>();
    String name = encoding.apply(parameter.name());
    if (parameter.style() == ParameterStyle.JSON) {
      pairs.add(new Pair(name, json(value)));
    } else if (parameter.style() == ParameterStyle.DEEP_OBJECT) {
      addDeep(parameter.name(), value, pairs);
    } else if (!value.isContainerNode() || !parameter.explode()) {
      pairs.add(new Pair(name, joined(value, delimiter())));
    } else if (value.isArray()) {
      for (JsonNode item : value) {
        add(name, item, pairs);
      }
    } else {
      for (Map.Entry<String, JsonNode> member : value.properties()) {
        add(encoded(member.getKey()), member.getValue(), pairs);
      }
    }
    return pairs;
  }

  private void add(String name, JsonNode value, List<Pair> pairs) {
    if (!value.isNull()) {
      budget.charge(1 + name.length() / 8);
      pairs.add(new Pair(name, scalar(value)));
    }
  }

  /** Objects go on in further brackets, arrays repeat their name: OpenAPI says neither. */
  private void addDeep(String prefix, JsonNode object, List<Pair> pairs) {
    if (!object.isObject()) {
      throw new ExpressionException(
          "expected an object as value of the parameter \""
              + parameter.name()
              + "\" (style deepObject), found "
              + JqValues.describe(object)
              + place);
    }
    for (Map.Entry<String, JsonNode> member : object.properties()) {
      String name = prefix + "[" + member.getKey() + "]";
      JsonNode value = member.getValue();
      budget.charge(2 + name.length() / 8);
      if (value.isObject()) {
        addDeep(name, value, pairs);
      } else {
        for (JsonNode item : value.isArray() ? value : List.of(value)) {
          add(encoding.apply(name), item, pairs);
        }
      }
    }
  }

  /** Items of an array, or names and values of an object, or a scalar. */
  private String joined(JsonNode value, String delimiter) {
    if (!value.isContainerNode()) {
      return scalar(value);
    }
    StringJoiner all = new StringJoiner(delimiter);
    for (Map.Entry<String, JsonNode> member : value.properties()) {
      if (!member.getValue().isNull()) {
        String between = parameter.explode() ? "=" : delimiter;
        all.add(encoded(member.getKey()) + between + scalar(member.getValue()));
      }
    }
    if (value.isArray()) {
      for (JsonNode item : value) {
        if (!item.isNull()) {
          all.add(scalar(item));
        }
      }
    }
    return all.toString();
  }

  private String delimiter() {
    String delimiter = parameter.style().delimiter();
    return delimiter.equals(",") ? delimiter : encoding.apply(delimiter);
  }

  private String scalar(JsonNode value) {
    if (value.isContainerNode()) {
      throw new ExpressionException(
          "expected strings, numbers and booleans in the value of the parameter \""
              + parameter.name()
              + "\", found "
              + JqValues.describe(value)
              + "; tojson makes a string of it"
              + place);
    }
    return encoded(value.isNumber() ? JsonPrinter.number(value) : value.asText());
  }

  private String json(JsonNode value) {
    return encoded(value.toString());
  }

  private String encoded(String text) {
    budget.charge(2 + text.length() / 8);
    return encoding.apply(text);
  }
}
