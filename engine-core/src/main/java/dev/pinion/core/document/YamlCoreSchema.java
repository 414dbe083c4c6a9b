package dev.pinion.core.document;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.math.BigInteger;
import java.util.regex.Pattern;

/**
 * Resolves plain YAML scalars by the core schema of YAML 1.2 (section 10.3.2): {@code true} and
 * {@code false} are booleans, {@code 0o17} and {@code 0x1F} integers; {@code yes}, {@code NO} and
 * {@code 1:30} are strings. Infinity and NaN have no JSON form and are refused.
 */
final class YamlCoreSchema {
  private static final Pattern INTEGER = Pattern.compile("[-+]?[0-9]+");
  private static final Pattern OCTAL = Pattern.compile("0o[0-7]+");
  private static final Pattern HEXADECIMAL = Pattern.compile("0x[0-9a-fA-F]+");
  private static final Pattern FLOAT =
      Pattern.compile("[-+]?(?:\\.[0-9]+|[0-9]+(?:\\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?");
  private static final Pattern NOT_FINITE =
      Pattern.compile("[-+]?\\.(?:inf|Inf|INF)|\\.(?:nan|NaN|NAN)");
  private static final BigInteger MIN_LONG = BigInteger.valueOf(Long.MIN_VALUE);
  private static final BigInteger MAX_LONG = BigInteger.valueOf(Long.MAX_VALUE);

  private YamlCoreSchema() {}

  /** The value of a plain scalar. */
  static JsonNode resolve(String text, int offset, int maxDigits) throws DocumentSyntaxException {
    return switch (text) {
      case "", "~", "null", "Null", "NULL" -> NullNode.getInstance();
      case "true", "True", "TRUE" -> BooleanNode.TRUE;
      case "false", "False", "FALSE" -> BooleanNode.FALSE;
      default -> startsNumber(text) ? number(text, offset, maxDigits) : TextNode.valueOf(text);
    };
  }

  private static boolean startsNumber(String text) {
    char first = text.charAt(0);
    return (first >= '0' && first <= '9') || first == '-' || first == '+' || first == '.';
  }

  private static JsonNode number(String text, int offset, int maxDigits)
      throws DocumentSyntaxException {
    if (NOT_FINITE.matcher(text).matches()) {
      throw new DocumentSyntaxException(
          offset,
          "expected a number that JSON can hold, found " + text + "; quote it for a string");
    }
    boolean octal = OCTAL.matcher(text).matches();
    boolean hexadecimal = HEXADECIMAL.matcher(text).matches();
    boolean decimal = INTEGER.matcher(text).matches();
    if (!octal && !hexadecimal && !decimal && !FLOAT.matcher(text).matches()) {
      return TextNode.valueOf(text);
    }
    if (text.length() > maxDigits) {
      throw new DocumentSyntaxException(
          offset,
          "expected a number of at most "
              + maxDigits
              + " characters (json.maxNumberDigits), found "
              + text.length());
    }
    if (decimal) {
      return integer(new BigInteger(text));
    }
    if (octal || hexadecimal) {
      return integer(new BigInteger(text.substring(2), octal ? 8 : 16));
    }
    return decimal(Double.parseDouble(text));
  }

  /** A float, at most the largest finite one, as payloads have it. */
  static JsonNode decimal(double value) {
    return JsonNodeFactory.instance.numberNode(
        Math.clamp(value, -Double.MAX_VALUE, Double.MAX_VALUE));
  }

  /** An integer in the narrowest form, as payloads have it. */
  static JsonNode integer(BigInteger value) {
    if (value.compareTo(MIN_LONG) < 0 || value.compareTo(MAX_LONG) > 0) {
      return JsonNodeFactory.instance.numberNode(value);
    }
    long narrow = value.longValue();
    return narrow == (int) narrow
        ? JsonNodeFactory.instance.numberNode((int) narrow)
        : JsonNodeFactory.instance.numberNode(narrow);
  }
}
