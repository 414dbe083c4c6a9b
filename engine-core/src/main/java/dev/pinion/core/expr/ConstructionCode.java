package dev.pinion.core.expr;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Code that makes values: constants, arrays, objects, strings. */
final class ConstructionCode {
  private ConstructionCode() {}

  /** A value known when the expression was compiled. */
  static final class Constant extends Code.SingleValue {
    final JsonNode value;

    Constant(JsonNode value) {
      super(1);
      this.value = value;
    }

    @Override
    JsonNode one(JsonNode in, @Nullable Env env, EvaluationContext evaluationContext) {
      evaluationContext.step();
      return value;
    }
  }

  /** {@code [items]} */
  static final class Collect extends Code.SingleValue {
    private final Code items;

    Collect(Code items) {
      super(4 + items.height);
      this.items = items;
    }

    Code items() {
      return items;
    }

    @Override
    JsonNode one(JsonNode in, @Nullable Env env, EvaluationContext evaluationContext) {
      return JqValues.array(collect(items, in, env, evaluationContext));
    }
  }

  /** An array of a fixed number of items. */
  static final class PlainArray extends Code.SingleValue {
    private final Code[] items;

    PlainArray(Code... items) {
      super(1 + ControlFlowCode.maxHeight(items));
      this.items = items;
    }

    @Override
    JsonNode one(JsonNode in, @Nullable Env env, EvaluationContext evaluationContext) {
      evaluationContext.array(items.length);
      List<JsonNode> list = new ArrayList<>(items.length);
      for (Code item : items) {
        list.add(item.one(in, env, evaluationContext));
      }
      return JqValues.array(list);
    }
  }

  /** Steps for an element that is kept, because it stays in memory. */
  private static final int KEPT = 4;

  /** All outputs of code. */
  static List<JsonNode> collect(
      Code items, JsonNode in, @Nullable Env env, EvaluationContext evaluationContext) {
    evaluationContext.charge(3);
    List<JsonNode> list = new ArrayList<>();
    if (items.single) {
      list.add(items.one(in, env, evaluationContext));
      return list;
    }
    items.each(
        in,
        null,
        env,
        evaluationContext,
        (item, none) -> {
          evaluationContext.charge(KEPT);
          if (list.size() * 2L > evaluationContext.maxBytes()) {
            throw evaluationContext.tooLarge("an array of more than " + list.size() + " elements");
          }
          return list.add(item);
        });
    return list;
  }

  static boolean allSingle(Code... codes) {
    for (Code code : codes) {
      if (!code.single) {
        return false;
      }
    }
    return true;
  }
}
