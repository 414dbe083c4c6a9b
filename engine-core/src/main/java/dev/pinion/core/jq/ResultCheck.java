package dev.pinion.core.jq;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import dev.pinion.core.jq.code.BindingCode;
import dev.pinion.core.jq.code.Code;
import dev.pinion.core.jq.code.ControlFlowCode;
import dev.pinion.core.jq.code.LocatedCode;
import dev.pinion.core.jq.code.PathCode;
import dev.pinion.core.jq.value.EvaluationContext;
import dev.pinion.core.jq.value.JqValues;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Checks the result of an evaluation: its size as JSON and its nesting. Makes NaN null and infinity
 * the largest double, as jq prints them.
 */
final class ResultCheck {
  private static final int LONGEST_ESCAPE = 6;

  private final EvaluationContext evaluationContext;
  private long size;
  private boolean nonFinite;

  private ResultCheck(EvaluationContext evaluationContext) {
    this.evaluationContext = evaluationContext;
  }

  /** Whether code only ever returns a part of its input or of a variable of the scope. */
  static boolean borrowed(Code code) {
    return switch (code) {
      case PathCode.Identity i -> true;
      case PathCode.FieldPath f -> true;
      case BindingCode.Global g -> true;
      case LocatedCode p -> borrowed(p.code);
      case ControlFlowCode.Pipe p -> borrowed(p.left()) && borrowed(p.right());
      default -> false;
    };
  }

  static JsonNode checked(JsonNode value, EvaluationContext evaluationContext) {
    if (value.isIntegralNumber() || value.isBoolean() || value.isNull()) {
      return value;
    }
    ResultCheck resultCheck = new ResultCheck(evaluationContext);
    resultCheck.measure(value, 0, false);
    if (resultCheck.size > evaluationContext.maxBytes()) {
      resultCheck.size = 0;
      resultCheck.measure(value, 0, true);
    }
    return resultCheck.nonFinite ? finite(value, evaluationContext) : value;
  }

  /** Adds up the size: an upper bound first, then, where that is too large, exactly. */
  private void measure(JsonNode value, int depth, boolean exact) {
    if (!exact && size > evaluationContext.maxBytes()) {
      return; // the exact pass decides
    }
    switch (value.getNodeType()) {
      case STRING -> size += text(value.textValue(), exact);
      case NUMBER -> size += number(value, exact);
      case ARRAY -> {
        evaluationContext.checkResultDepth(depth + 1);
        size += 2 + Math.max(0, value.size() - 1);
        evaluationContext.charge(1 + value.size() / 4);
        for (JsonNode item : value) {
          measure(item, depth + 1, exact);
        }
      }
      case OBJECT -> {
        evaluationContext.checkResultDepth(depth + 1);
        size += 2 + Math.max(0, value.size() - 1);
        evaluationContext.charge(1 + value.size() / 2);
        for (Map.Entry<String, JsonNode> member : value.properties()) {
          size += 1 + text(member.getKey(), exact);
          measure(member.getValue(), depth + 1, exact);
        }
      }
      default -> size += 5;
    }
    if (exact && size > evaluationContext.maxBytes()) {
      throw evaluationContext.tooLarge("a larger one");
    }
  }

  private long text(String text, boolean exact) {
    return exact ? exact(text) : 2 + (long) LONGEST_ESCAPE * text.length();
  }

  private long exact(String text) {
    evaluationContext.charge(text.length() / 16);
    long bytes = 2;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        bytes += 2;
      } else if (c < 0x20) {
        bytes += c == '\n' || c == '\r' || c == '\t' || c == '\b' || c == '\f' ? 2 : 6;
      } else {
        bytes += c < 0x80 ? 1 : c < 0x800 || Character.isSurrogate(c) ? 2 : 3;
      }
    }
    return bytes;
  }

  private long number(JsonNode number, boolean exact) {
    if (number instanceof DoubleNode && !Double.isFinite(number.doubleValue())) {
      nonFinite = true;
      return 24;
    }
    if (JqValues.isLong(number)) {
      return exact ? Long.toString(number.longValue()).length() : 20;
    }
    return number.asText().length();
  }

  private static JsonNode finite(JsonNode value, EvaluationContext evaluationContext) {
    if (value.isDouble()) {
      double number = value.doubleValue();
      return Double.isNaN(number)
          ? JqValues.NULL
          : JqValues.number(Math.clamp(number, -Double.MAX_VALUE, Double.MAX_VALUE));
    }
    if (value.isArray()) {
      evaluationContext.array(value.size());
      List<JsonNode> items = new ArrayList<>(value.size());
      value.forEach(item -> items.add(finite(item, evaluationContext)));
      return JqValues.array(items);
    }
    if (value.isObject()) {
      evaluationContext.object(value.size());
      Map<String, JsonNode> members = JqValues.members(value.size());
      value
          .properties()
          .forEach(m -> members.put(m.getKey(), finite(m.getValue(), evaluationContext)));
      return JqValues.object(members);
    }
    return value;
  }
}
