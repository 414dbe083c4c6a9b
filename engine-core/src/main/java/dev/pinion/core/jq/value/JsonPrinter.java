package dev.pinion.core.jq.value;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.util.Map;

/** Writes values as compact JSON the way jq does. */
public final class JsonPrinter {
  private static final int EXCERPT_BYTES = 29;

  /** The smallest double in one digit, which Java writes with two. */
  private static final String SMALLEST = "5e-324";

  private static final String HEX = "0123456789abcdef";

  private final StringBuilder out = new StringBuilder();
  private final EvaluationContext evaluationContext;

  private JsonPrinter(EvaluationContext evaluationContext) {
    this.evaluationContext = evaluationContext;
  }

  /** A value as JSON text; charged. */
  public static String of(JsonNode value, EvaluationContext evaluationContext) {
    if (value.isNumber()) {
      evaluationContext.text(8);
      return number(value);
    }
    JsonPrinter text = new JsonPrinter(evaluationContext);
    text.write(value, 0);
    return text.out.toString();
  }

  /** The beginning of a value as JSON text, short enough for an error message. */
  public static String excerpt(JsonNode value) {
    Excerpt excerpt = new Excerpt();
    excerpt.write(value, 0);
    return excerpt.finish(value);
  }

  private void write(JsonNode value, int depth) {
    evaluationContext.checkDepth(depth);
    switch (value.getNodeType()) {
      case OBJECT -> writeObject(value, depth);
      case ARRAY -> writeArray(value, depth);
      case STRING -> {
        evaluationContext.charge(value.textValue().length() / 4);
        quote(value.textValue(), out);
      }
      case NUMBER -> out.append(number(value));
      default -> out.append(value.asText("null"));
    }
    evaluationContext.charge(2);
    if (out.length() > evaluationContext.maxBytes()) {
      throw evaluationContext.tooLarge("JSON text of more than " + out.length() + " characters");
    }
  }

  private void writeArray(JsonNode value, int depth) {
    out.append('[');
    for (int i = 0; i < value.size(); i++) {
      if (i > 0) {
        out.append(',');
      }
      write(value.get(i), depth + 1);
    }
    out.append(']');
  }

  private void writeObject(JsonNode value, int depth) {
    out.append('{');
    String separator = "";
    for (Map.Entry<String, JsonNode> member : value.properties()) {
      out.append(separator);
      evaluationContext.charge(member.getKey().length() / 8);
      quote(member.getKey(), out);
      out.append(':');
      write(member.getValue(), depth + 1);
      separator = ",";
    }
    out.append('}');
  }

  private static void quote(String text, StringBuilder out) {
    out.append('"');
    for (int i = 0; i < text.length(); i++) {
      quote(text, i, out);
    }
    out.append('"');
  }

  private static void quote(String text, int i, StringBuilder out) {
    char c = text.charAt(i);
    switch (c) {
      case '"' -> out.append("\\\"");
      case '\\' -> out.append("\\\\");
      case '\n' -> out.append("\\n");
      case '\r' -> out.append("\\r");
      case '\t' -> out.append("\\t");
      case '\b' -> out.append("\\b");
      case '\f' -> out.append("\\f");
      default -> {
        if (c < 0x20 || c == 0x7f) {
          out.append("\\u00").append(HEX.charAt(c >> 4)).append(HEX.charAt(c & 15));
        } else {
          out.append(c);
        }
      }
    }
  }

  /** A number in jq's notation: integers plainly, others as short as they stay distinct. */
  public static String number(JsonNode number) {
    if (number.isIntegralNumber()) {
      return number.asText();
    }
    double value = number.doubleValue();
    if (Double.isNaN(value)) {
      return "null";
    }
    return number(Math.clamp(value, -Double.MAX_VALUE, Double.MAX_VALUE));
  }

  private static String number(double value) {
    double size = Math.abs(value);
    BigDecimal decimal =
        new BigDecimal(size == Double.MIN_VALUE ? SMALLEST : Double.toString(size));
    if (decimal.signum() == 0) {
      return Double.compare(value, 0.0) == 0 ? "0" : "-0";
    }
    decimal = decimal.stripTrailingZeros();
    String digits = decimal.unscaledValue().toString();
    int point = digits.length() - decimal.scale();
    StringBuilder text = new StringBuilder(value < 0 ? "-" : "");
    if (point <= -4 || point > digits.length() + 15) {
      return exponential(text, digits, point - 1);
    }
    if (point <= 0) {
      return text.append("0.").repeat('0', -point).append(digits).toString();
    }
    if (point >= digits.length()) {
      return text.append(digits).repeat('0', point - digits.length()).toString();
    }
    return text.append(digits, 0, point).append('.').append(digits.substring(point)).toString();
  }

  private static String exponential(StringBuilder text, String digits, int exponent) {
    text.append(digits.charAt(0));
    if (digits.length() > 1) {
      text.append('.').append(digits, 1, digits.length());
    }
    text.append(exponent < 0 ? "e-" : "e+");
    int size = Math.abs(exponent);
    return text.append(size < 10 ? "0" : "").append(size).toString();
  }

  /** Writes until there is enough for an excerpt; needs no budget because it stops so early. */
  private static final class Excerpt {
    private final StringBuilder out = new StringBuilder();

    void write(JsonNode value, int depth) {
      if (out.length() > EXCERPT_BYTES || depth > EXCERPT_BYTES) {
        return;
      }
      switch (value.getNodeType()) {
        case OBJECT -> writeObject(value, depth);
        case ARRAY -> writeArray(value, depth);
        case STRING -> text(value.textValue());
        case NUMBER -> out.append(number(value));
        default -> out.append(value.asText("null"));
      }
    }

    private void text(String text) {
      String beginning = text.length() > EXCERPT_BYTES ? text.substring(0, EXCERPT_BYTES) : text;
      quote(beginning, out);
    }

    private void writeArray(JsonNode value, int depth) {
      out.append('[');
      for (int i = 0; i < value.size() && out.length() <= EXCERPT_BYTES; i++) {
        out.append(i > 0 ? "," : "");
        write(value.get(i), depth + 1);
      }
      out.append(']');
    }

    private void writeObject(JsonNode value, int depth) {
      out.append('{');
      String separator = "";
      for (Map.Entry<String, JsonNode> member : value.properties()) {
        if (out.length() > EXCERPT_BYTES) {
          return;
        }
        out.append(separator);
        text(member.getKey());
        out.append(':');
        write(member.getValue(), depth + 1);
        separator = ",";
      }
      out.append('}');
    }

    String finish(JsonNode value) {
      String closing =
          switch (value.getNodeType()) {
            case STRING -> "...\"";
            case ARRAY -> "...]";
            case OBJECT -> "...}";
            default -> "...";
          };
      if (prefix(EXCERPT_BYTES) == out.length()) {
        return out.toString();
      }
      return out.substring(0, prefix(EXCERPT_BYTES - closing.length())) + closing;
    }

    /** The most characters that fit into a number of bytes of UTF-8. */
    private int prefix(int bytes) {
      int end = 0;
      int used = 0;
      while (end < out.length()) {
        int c = out.codePointAt(end);
        used += c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
        if (used > bytes) {
          return end;
        }
        end += Character.charCount(c);
      }
      return end;
    }
  }
}
