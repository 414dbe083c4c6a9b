package dev.pinion.core.jq.code;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.core.jq.value.EvaluationContext;
import dev.pinion.core.jq.value.JqValues;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Code that makes values: constants, arrays, objects, strings. */
public final class ConstructionCode {
  private ConstructionCode() {}

  /** A value known when the expression was compiled. */
  public static final class Constant extends Code.SingleValue {
    public final JsonNode value;

    public Constant(JsonNode value) {
      super(1);
      this.value = value;
    }

    @Override
    public JsonNode one(JsonNode in, @Nullable Env env, EvaluationContext evaluationContext) {
      evaluationContext.step();
      return value;
    }
  }

  /** {@code [items]} */
  public static final class Collect extends Code.SingleValue {
    private final Code items;

    public Collect(Code items) {
      super(4 + items.height);
      this.items = items;
    }

    Code items() {
      return items;
    }

    @Override
    public JsonNode one(JsonNode in, @Nullable Env env, EvaluationContext evaluationContext) {
      return JqValues.array(collect(items, in, env, evaluationContext));
    }
  }

  /** An array of a fixed number of items. */
  public static final class PlainArray extends Code.SingleValue {
    private final Code[] items;

    public PlainArray(Code... items) {
      super(1 + ControlFlowCode.maxHeight(items));
      this.items = items;
    }

    @Override
    public JsonNode one(JsonNode in, @Nullable Env env, EvaluationContext evaluationContext) {
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
  public static List<JsonNode> collect(
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

  public static boolean allSingle(Code... codes) {
    for (Code code : codes) {
      if (!code.single) {
        return false;
      }
    }
    return true;
  }
}
