package dev.pinion.core.jq.builtin;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.core.jq.code.Code;
import dev.pinion.core.jq.code.ConstructionCode;
import dev.pinion.core.jq.code.Env;
import dev.pinion.core.jq.value.EvaluationContext;
import dev.pinion.core.jq.value.JqException;
import dev.pinion.core.jq.value.JqValues;
import dev.pinion.core.jq.value.ValueOrder;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Functions that order or group the items of an array by a key. */
final class SortingBuiltins {
  private SortingBuiltins() {}

  static void register(BuiltinRegistry registry) {
    both(registry, "sort", "sorted", SortingBuiltins::sort);
    both(registry, "unique", "grouped", SortingBuiltins::unique);
    both(
        registry,
        "min",
        "compared",
        (items, evaluationContext) -> extreme(items, -1, evaluationContext));
    both(
        registry,
        "max",
        "compared",
        (items, evaluationContext) -> extreme(items, 1, evaluationContext));
    registry.filter("group_by", 1, a -> new Keyed("grouped", a[0], SortingBuiltins::group));
    registry.value("bsearch", SortingBuiltins::search);
  }

  private static void both(
      BuiltinRegistry registry, String name, String done, Operation operation) {
    registry.filter(name, 0, a -> new Keyed(done, null, operation));
    registry.filter(name + "_by", 1, a -> new Keyed(done, a[0], operation));
  }

  /** An item and its key. */
  private record Item(JsonNode key, JsonNode value) {}

  private interface Operation {
    JsonNode apply(List<Item> items, EvaluationContext evaluationContext);
  }

  private static final class Keyed extends Code.SingleValue {
    private final String done;
    private final @Nullable Code key;
    private final Operation operation;

    Keyed(String done, @Nullable Code key, Operation operation) {
      super(14 + (key == null ? 0 : key.height));
      this.done = done;
      this.key = key;
      this.operation = operation;
    }

    @Override
    public JsonNode one(JsonNode in, @Nullable Env env, EvaluationContext evaluationContext) {
      CollectionBuiltins.requireArray(in, done);
      evaluationContext.array(in.size() * 4L);
      List<Item> items = new ArrayList<>(in.size());
      for (JsonNode value : in) {
        items.add(new Item(key(value, env, evaluationContext), value));
      }
      return operation.apply(items, evaluationContext);
    }

    private JsonNode key(JsonNode value, @Nullable Env env, EvaluationContext evaluationContext) {
      if (key == null) {
        return value;
      }
      return key.single
          ? key.one(value, env, evaluationContext)
          : JqValues.array(ConstructionCode.collect(key, value, env, evaluationContext));
    }
  }

  private static void order(List<Item> items, EvaluationContext evaluationContext) {
    items.sort((a, b) -> ValueOrder.compare(a.key, b.key, evaluationContext));
  }

  private static JsonNode sort(List<Item> items, EvaluationContext evaluationContext) {
    order(items, evaluationContext);
    return values(items);
  }

  private static JsonNode values(List<Item> items) {
    List<JsonNode> values = new ArrayList<>(items.size());
    items.forEach(item -> values.add(item.value));
    return JqValues.array(values);
  }

  private static JsonNode unique(List<Item> items, EvaluationContext evaluationContext) {
    order(items, evaluationContext);
    List<Item> kept = new ArrayList<>();
    for (Item item : items) {
      if (kept.isEmpty() || !ValueOrder.equal(kept.getLast().key, item.key, evaluationContext)) {
        kept.add(item);
      }
    }
    return values(kept);
  }

  private static JsonNode group(List<Item> items, EvaluationContext evaluationContext) {
    order(items, evaluationContext);
    List<JsonNode> groups = new ArrayList<>();
    for (int i = 0; i < items.size(); ) {
      int end = i + 1;
      while (end < items.size()
          && ValueOrder.equal(items.get(i).key, items.get(end).key, evaluationContext)) {
        end++;
      }
      evaluationContext.array(end - i + 4L);
      groups.add(values(items.subList(i, end)));
      i = end;
    }
    return JqValues.array(groups);
  }

  /** The last greatest or the first least item. */
  private static JsonNode extreme(List<Item> items, int sign, EvaluationContext evaluationContext) {
    Item best = null;
    for (Item item : items) {
      int order = best == null ? sign : ValueOrder.compare(item.key, best.key, evaluationContext);
      if (best == null || (sign > 0 ? order >= 0 : order < 0)) {
        best = item;
      }
    }
    return best == null ? JqValues.NULL : best.value;
  }

  private static JsonNode search(
      JsonNode in, JsonNode target, EvaluationContext evaluationContext) {
    if (!in.isArray()) {
      throw new JqException(JqValues.describe(in) + " cannot be searched from");
    }
    int low = 0;
    int high = in.size() - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      int order = ValueOrder.compare(in.get(middle), target, evaluationContext);
      if (order == 0) {
        return JqValues.number((long) middle);
      }
      if (order < 0) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return JqValues.number(-1L - low);
  }
}
