package dev.pinion.core.jq.value;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import java.util.List;
import java.util.Map;

/**
 * jq's total order: null, false, true, numbers, strings by code point, arrays, objects by their
 * sorted keys and then by value. NaN is below every number.
 */
public final class ValueOrder {
  private ValueOrder() {}

  public static int compare(JsonNode a, JsonNode b, EvaluationContext evaluationContext) {
    return compare(a, b, evaluationContext, 0);
  }

  public static boolean equal(JsonNode a, JsonNode b, EvaluationContext evaluationContext) {
    return equal(a, b, evaluationContext, 0);
  }

  private static int compare(
      JsonNode a, JsonNode b, EvaluationContext evaluationContext, int depth) {
    evaluationContext.step();
    int rank = rank(a);
    int ranks = Integer.compare(rank, rank(b));
    if (ranks != 0) {
      return ranks;
    }
    return switch (rank) {
      case 3 -> compareNumbers(a, b);
      case 4 -> TextOrder.compare(a.textValue(), b.textValue(), evaluationContext);
      case 5 -> compareArrays(a, b, evaluationContext, depth);
      case 6 -> compareObjects(a, b, evaluationContext, depth);
      default -> 0;
    };
  }

  private static int rank(JsonNode value) {
    return switch (value.getNodeType()) {
      case NULL, MISSING -> 0;
      case BOOLEAN -> value.booleanValue() ? 2 : 1;
      case NUMBER -> 3;
      case STRING, BINARY, POJO -> 4;
      case ARRAY -> 5;
      case OBJECT -> 6;
    };
  }

  private static int compareNumbers(JsonNode a, JsonNode b) {
    if (JqValues.isLong(a)) {
      return JqValues.isLong(b)
          ? Long.compare(a.longValue(), b.longValue())
          : compareMixed(a.longValue(), b.doubleValue());
    }
    if (JqValues.isLong(b)) {
      return -compareMixed(b.longValue(), a.doubleValue());
    }
    double x = a.doubleValue();
    double y = b.doubleValue();
    return x == y ? 0 : Double.isNaN(x) ? (Double.isNaN(y) ? 0 : -1) : x < y ? -1 : 1;
  }

  /** Compares exactly: a conversion to double would make the order intransitive. */
  private static int compareMixed(long a, double b) {
    if (Double.isNaN(b) || b < -0x1p63) {
      return 1;
    }
    if (b >= 0x1p63) {
      return -1;
    }
    int integers = Long.compare(a, (long) b);
    return integers != 0 ? integers : Double.compare(0.0, b - (long) b + 0.0);
  }

  /** Whether a is below b for the operators, where NaN is below even itself. */
  public static boolean less(JsonNode a, JsonNode b, EvaluationContext evaluationContext) {
    int order = compare(a, b, evaluationContext);
    return order < 0 || (order == 0 && isNan(a));
  }

  private static boolean isNan(JsonNode value) {
    return value instanceof DoubleNode && Double.isNaN(value.doubleValue());
  }

  private static int compareArrays(
      JsonNode a, JsonNode b, EvaluationContext evaluationContext, int depth) {
    evaluationContext.checkDepth(depth, "Comparison too deep");
    int common = Math.min(a.size(), b.size());
    for (int i = 0; i < common; i++) {
      int items = compare(a.get(i), b.get(i), evaluationContext, depth + 1);
      if (items != 0) {
        return items;
      }
    }
    return Integer.compare(a.size(), b.size());
  }

  private static int compareObjects(
      JsonNode a, JsonNode b, EvaluationContext evaluationContext, int depth) {
    evaluationContext.checkDepth(depth, "Comparison too deep");
    List<String> keys = ObjectKeys.sorted(a, evaluationContext);
    List<String> others = ObjectKeys.sorted(b, evaluationContext);
    int common = Math.min(keys.size(), others.size());
    for (int i = 0; i < common; i++) {
      int order = TextOrder.compare(keys.get(i), others.get(i), evaluationContext);
      if (order != 0) {
        return order;
      }
    }
    if (keys.size() != others.size()) {
      return Integer.compare(keys.size(), others.size());
    }
    for (String key : keys) {
      int values = compare(a.get(key), b.get(key), evaluationContext, depth + 1);
      if (values != 0) {
        return values;
      }
    }
    return 0;
  }

  private static boolean equal(
      JsonNode a, JsonNode b, EvaluationContext evaluationContext, int depth) {
    evaluationContext.step();
    int rank = rank(a);
    if (rank != rank(b)) {
      return false;
    }
    return switch (rank) {
      case 3 -> compareNumbers(a, b) == 0 && !isNan(a);
      case 4 -> {
        String x = a.textValue();
        evaluationContext.scanText(x.length());
        yield x.equals(b.textValue());
      }
      case 5 -> equalArrays(a, b, evaluationContext, depth);
      case 6 -> equalObjects(a, b, evaluationContext, depth);
      default -> true;
    };
  }

  private static boolean equalArrays(
      JsonNode a, JsonNode b, EvaluationContext evaluationContext, int depth) {
    evaluationContext.checkDepth(depth, "Equality check too deep");
    if (a.size() != b.size()) {
      return false;
    }
    for (int i = 0; i < a.size(); i++) {
      if (!equal(a.get(i), b.get(i), evaluationContext, depth + 1)) {
        return false;
      }
    }
    return true;
  }

  private static boolean equalObjects(
      JsonNode a, JsonNode b, EvaluationContext evaluationContext, int depth) {
    evaluationContext.checkDepth(depth, "Equality check too deep");
    if (a.size() != b.size()) {
      return false;
    }
    for (Map.Entry<String, JsonNode> member : a.properties()) {
      JsonNode other = b.get(member.getKey());
      if (other == null || !equal(member.getValue(), other, evaluationContext, depth + 1)) {
        return false;
      }
    }
    return true;
  }
}
