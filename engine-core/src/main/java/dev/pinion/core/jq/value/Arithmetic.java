package dev.pinion.core.jq.value;

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
public final class Arithmetic {
  private Arithmetic() {}

  public static JsonNode add(JsonNode a, JsonNode b, EvaluationContext evaluationContext) {
    evaluationContext.step();
    if (a instanceof IntNode && b instanceof IntNode) {
      return JqValues.number((long) a.intValue() + b.intValue());
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
      evaluationContext.text((long) a.textValue().length() + b.textValue().length());
      return TextNode.valueOf(a.textValue().concat(b.textValue()));
    }
    if (a.isArray() && b.isArray()) {
      return addArrays(a, b, evaluationContext);
    }
    if (a instanceof ObjectNode x && b instanceof ObjectNode y) {
      Map<String, JsonNode> members = Indexing.copyMembers(x, y.size(), evaluationContext);
      y.properties().forEach(member -> members.put(member.getKey(), member.getValue()));
      return JqValues.object(members);
    }
    throw mismatch(a, b, "added");
  }

  private static JsonNode addNumbers(JsonNode a, JsonNode b) {
    if (JqValues.isLong(a) && JqValues.isLong(b)) {
      long x = a.longValue();
      long y = b.longValue();
      long sum = x + y;
      if (((x ^ sum) & (y ^ sum)) >= 0) {
        return JqValues.number(sum);
      }
    }
    return JqValues.number(a.doubleValue() + b.doubleValue());
  }

  private static JsonNode addArrays(JsonNode a, JsonNode b, EvaluationContext evaluationContext) {
    if (a.isEmpty()) {
      return b;
    }
    if (b.isEmpty()) {
      return a;
    }
    int size = a.size() + b.size();
    evaluationContext.array(size);
    List<JsonNode> items = new ArrayList<>(size);
    a.forEach(items::add);
    b.forEach(items::add);
    return JqValues.array(items);
  }

  public static JsonNode subtract(JsonNode a, JsonNode b, EvaluationContext evaluationContext) {
    evaluationContext.step();
    if (a.isNumber() && b.isNumber()) {
      if (JqValues.isLong(a) && JqValues.isLong(b)) {
        long x = a.longValue();
        long y = b.longValue();
        long difference = x - y;
        if (((x ^ y) & (x ^ difference)) >= 0) {
          return JqValues.number(difference);
        }
      }
      return JqValues.number(a.doubleValue() - b.doubleValue());
    }
    if (a.isArray() && b.isArray()) {
      evaluationContext.array(a.size());
      List<JsonNode> rest = new ArrayList<>();
      for (JsonNode item : a) {
        if (!contains(b, item, evaluationContext)) {
          rest.add(item);
        }
      }
      return JqValues.array(rest);
    }
    throw mismatch(a, b, "subtracted");
  }

  private static boolean contains(
      JsonNode array, JsonNode item, EvaluationContext evaluationContext) {
    for (JsonNode other : array) {
      if (ValueOrder.equal(other, item, evaluationContext)) {
        return true;
      }
    }
    return false;
  }

  public static JsonNode multiply(JsonNode a, JsonNode b, EvaluationContext evaluationContext) {
    evaluationContext.step();
    if (a.isNumber() && b.isNumber()) {
      return multiplyNumbers(a, b);
    }
    if (a.isTextual() && b.isNumber()) {
      return repeat(a.textValue(), b.doubleValue(), evaluationContext);
    }
    if (a.isNumber() && b.isTextual()) {
      return repeat(b.textValue(), a.doubleValue(), evaluationContext);
    }
    if (a instanceof ObjectNode x && b instanceof ObjectNode y) {
      return merge(x, y, evaluationContext, 0);
    }
    throw mismatch(a, b, "multiplied");
  }

  private static JsonNode multiplyNumbers(JsonNode a, JsonNode b) {
    if (JqValues.isLong(a) && JqValues.isLong(b)) {
      long x = a.longValue();
      long y = b.longValue();
      long product = x * y;
      if (Math.multiplyHigh(x, y) == product >> 63) {
        return JqValues.number(product);
      }
    }
    return JqValues.number(a.doubleValue() * b.doubleValue());
  }

  private static JsonNode repeat(String text, double times, EvaluationContext evaluationContext) {
    if (times < 0 || Double.isNaN(times)) {
      return JqValues.NULL;
    }
    if (text.isEmpty()) {
      return JqValues.EMPTY_TEXT;
    }
    double length = Math.floor(times) * text.length();
    if (length > Integer.MAX_VALUE) {
      throw new JqException(
          "Repeat string result too long",
          evaluationContext.sizeLimit("a string of more than 2^31 characters"));
    }
    evaluationContext.text((long) Math.min(length, 1L << 60));
    return TextNode.valueOf(text.repeat((int) times));
  }

  private static ObjectNode merge(
      ObjectNode a, ObjectNode b, EvaluationContext evaluationContext, int depth) {
    evaluationContext.checkDepth(depth, "Object merge too deep");
    Map<String, JsonNode> members = Indexing.copyMembers(a, b.size(), evaluationContext);
    for (Map.Entry<String, JsonNode> addition : b.properties()) {
      JsonNode old = members.get(addition.getKey());
      JsonNode value =
          old instanceof ObjectNode x && addition.getValue() instanceof ObjectNode y
              ? merge(x, y, evaluationContext, depth + 1)
              : addition.getValue();
      members.put(addition.getKey(), value);
    }
    return JqValues.object(members);
  }

  public static JsonNode divide(JsonNode a, JsonNode b, EvaluationContext evaluationContext) {
    evaluationContext.step();
    if (a.isNumber() && b.isNumber()) {
      return divideNumbers(a, b);
    }
    if (a.isTextual() && b.isTextual()) {
      return Split.split(a.textValue(), b.textValue(), evaluationContext);
    }
    throw mismatch(a, b, "divided");
  }

  private static JsonNode divideNumbers(JsonNode a, JsonNode b) {
    if (JqValues.isLong(a) && JqValues.isLong(b)) {
      long x = a.longValue();
      long y = b.longValue();
      if (y != 0 && y != -1 && x % y == 0) {
        return JqValues.number(x / y);
      }
    }
    double divisor = b.doubleValue();
    if (divisor == 0) {
      throw mismatch(a, b, "divided because the divisor is zero");
    }
    return JqValues.number(a.doubleValue() / divisor);
  }

  public static JsonNode remainder(JsonNode a, JsonNode b, EvaluationContext evaluationContext) {
    evaluationContext.step();
    if (!a.isNumber() || !b.isNumber()) {
      throw mismatch(a, b, "divided");
    }
    if (isNan(a) || isNan(b)) {
      return JqValues.number(Double.NaN);
    }
    long divisor = toLong(b);
    if (divisor == 0) {
      throw mismatch(a, b, "divided (remainder) because the divisor is zero");
    }
    return JqValues.number(toLong(a) % divisor);
  }

  private static boolean isNan(JsonNode number) {
    return !number.isIntegralNumber() && Double.isNaN(number.doubleValue());
  }

  private static long toLong(JsonNode number) {
    return JqValues.isLong(number) ? number.longValue() : (long) number.doubleValue();
  }

  public static JsonNode negate(JsonNode value, EvaluationContext evaluationContext) {
    evaluationContext.step();
    if (!value.isNumber()) {
      throw new JqException(JqValues.describe(value) + " cannot be negated");
    }
    return JqValues.isLong(value) && value.longValue() != Long.MIN_VALUE
        ? JqValues.number(-value.longValue())
        : JqValues.number(-value.doubleValue());
  }

  private static JqException mismatch(JsonNode a, JsonNode b, String done) {
    return new JqException(
        JqValues.describe(a) + " and " + JqValues.describe(b) + " cannot be " + done);
  }
}
