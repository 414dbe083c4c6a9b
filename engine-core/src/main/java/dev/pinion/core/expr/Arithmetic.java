package dev.pinion.core.expr;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * jq's arithmetic. Integers stay exact in 64 bits and turn into doubles beyond; integral doubles
 * turn back.
 */
final class Arithmetic {
  private Arithmetic() {}

  static JsonNode add(JsonNode a, JsonNode b, Run run) {
    run.step();
    if (a instanceof IntNode && b instanceof IntNode) {
      return Json.number((long) a.intValue() + b.intValue());
    }
    if (a.isNumber() && b.isNumber()) {
      return addNumbers(a, b);
    }
    if (a.isNull()) {
      return b;
    }
    if (b.isNull()) {
      return a;
    }
    if (a.isTextual() && b.isTextual()) {
      run.text((long) a.textValue().length() + b.textValue().length());
      return TextNode.valueOf(a.textValue().concat(b.textValue()));
    }
    if (a.isArray() && b.isArray()) {
      return addArrays(a, b, run);
    }
    if (a instanceof ObjectNode x && b instanceof ObjectNode y) {
      Map<String, JsonNode> members = Access.copyMembers(x, y.size(), run);
      y.properties().forEach(member -> members.put(member.getKey(), member.getValue()));
      return Json.object(members);
    }
    throw mismatch(a, b, "added");
  }

  private static JsonNode addNumbers(JsonNode a, JsonNode b) {
    if (Json.isLong(a) && Json.isLong(b)) {
      long x = a.longValue();
      long y = b.longValue();
      long sum = x + y;
      if (((x ^ sum) & (y ^ sum)) >= 0) {
        return Json.number(sum);
      }
    }
    return Json.number(a.doubleValue() + b.doubleValue());
  }

  private static JsonNode addArrays(JsonNode a, JsonNode b, Run run) {
    if (a.isEmpty()) {
      return b;
    }
    if (b.isEmpty()) {
      return a;
    }
    int size = a.size() + b.size();
    run.array(size);
    List<JsonNode> items = new ArrayList<>(size);
    a.forEach(items::add);
    b.forEach(items::add);
    return Json.array(items);
  }

  static JsonNode subtract(JsonNode a, JsonNode b, Run run) {
    run.step();
    if (a.isNumber() && b.isNumber()) {
      if (Json.isLong(a) && Json.isLong(b)) {
        long x = a.longValue();
        long y = b.longValue();
        long difference = x - y;
        if (((x ^ y) & (x ^ difference)) >= 0) {
          return Json.number(difference);
        }
      }
      return Json.number(a.doubleValue() - b.doubleValue());
    }
    if (a.isArray() && b.isArray()) {
      run.array(a.size());
      List<JsonNode> rest = new ArrayList<>();
      for (JsonNode item : a) {
        if (!contains(b, item, run)) {
          rest.add(item);
        }
      }
      return Json.array(rest);
    }
    throw mismatch(a, b, "subtracted");
  }

  private static boolean contains(JsonNode array, JsonNode item, Run run) {
    for (JsonNode other : array) {
      if (Ordering.equal(other, item, run)) {
        return true;
      }
    }
    return false;
  }

  static JsonNode multiply(JsonNode a, JsonNode b, Run run) {
    run.step();
    if (a.isNumber() && b.isNumber()) {
      return multiplyNumbers(a, b);
    }
    if (a.isTextual() && b.isNumber()) {
      return repeat(a.textValue(), b.doubleValue(), run);
    }
    if (a.isNumber() && b.isTextual()) {
      return repeat(b.textValue(), a.doubleValue(), run);
    }
    if (a instanceof ObjectNode x && b instanceof ObjectNode y) {
      return merge(x, y, run, 0);
    }
    throw mismatch(a, b, "multiplied");
  }

  private static JsonNode multiplyNumbers(JsonNode a, JsonNode b) {
    if (Json.isLong(a) && Json.isLong(b)) {
      long x = a.longValue();
      long y = b.longValue();
      long product = x * y;
      if (Math.multiplyHigh(x, y) == product >> 63) {
        return Json.number(product);
      }
    }
    return Json.number(a.doubleValue() * b.doubleValue());
  }

  private static JsonNode repeat(String text, double times, Run run) {
    if (times < 0 || Double.isNaN(times)) {
      return Json.NULL;
    }
    if (text.isEmpty()) {
      return Json.EMPTY_TEXT;
    }
    double length = Math.floor(times) * text.length();
    run.text((long) Math.min(length, 1L << 60));
    return TextNode.valueOf(text.repeat((int) times));
  }

  private static ObjectNode merge(ObjectNode a, ObjectNode b, Run run, int depth) {
    run.checkDepth(depth);
    Map<String, JsonNode> members = Access.copyMembers(a, b.size(), run);
    for (Map.Entry<String, JsonNode> addition : b.properties()) {
      JsonNode old = members.get(addition.getKey());
      JsonNode value =
          old instanceof ObjectNode x && addition.getValue() instanceof ObjectNode y
              ? merge(x, y, run, depth + 1)
              : addition.getValue();
      members.put(addition.getKey(), value);
    }
    return Json.object(members);
  }

  static JsonNode divide(JsonNode a, JsonNode b, Run run) {
    run.step();
    if (a.isNumber() && b.isNumber()) {
      return divideNumbers(a, b);
    }
    if (a.isTextual() && b.isTextual()) {
      return Strings.split(a.textValue(), b.textValue(), run);
    }
    throw mismatch(a, b, "divided");
  }

  private static JsonNode divideNumbers(JsonNode a, JsonNode b) {
    if (Json.isLong(a) && Json.isLong(b)) {
      long x = a.longValue();
      long y = b.longValue();
      if (y != 0 && y != -1 && x % y == 0) {
        return Json.number(x / y);
      }
    }
    double divisor = b.doubleValue();
    if (divisor == 0) {
      throw mismatch(a, b, "divided because the divisor is zero");
    }
    return Json.number(a.doubleValue() / divisor);
  }

  static JsonNode remainder(JsonNode a, JsonNode b, Run run) {
    run.step();
    if (!a.isNumber() || !b.isNumber()) {
      throw mismatch(a, b, "divided");
    }
    if (isNan(a) || isNan(b)) {
      return Json.number(Double.NaN);
    }
    long divisor = toLong(b);
    if (divisor == 0) {
      throw mismatch(a, b, "divided (remainder) because the divisor is zero");
    }
    return Json.number(toLong(a) % divisor);
  }

  private static boolean isNan(JsonNode number) {
    return !number.isIntegralNumber() && Double.isNaN(number.doubleValue());
  }

  private static long toLong(JsonNode number) {
    return Json.isLong(number) ? number.longValue() : (long) number.doubleValue();
  }

  static JsonNode negate(JsonNode value, Run run) {
    run.step();
    if (!value.isNumber()) {
      throw new JqError(Json.describe(value) + " cannot be negated");
    }
    return Json.isLong(value) && value.longValue() != Long.MIN_VALUE
        ? Json.number(-value.longValue())
        : Json.number(-value.doubleValue());
  }

  private static JqError mismatch(JsonNode a, JsonNode b, String done) {
    return new JqError(Json.describe(a) + " and " + Json.describe(b) + " cannot be " + done);
  }
}
