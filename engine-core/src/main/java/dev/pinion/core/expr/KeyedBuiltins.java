package dev.pinion.core.expr;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Functions that order or group the items of an array by a key. */
final class KeyedBuiltins {
  private KeyedBuiltins() {}

  static void register(Builtins.Registry registry) {
    both(registry, "sort", "sorted", KeyedBuiltins::sort);
    both(registry, "unique", "grouped", KeyedBuiltins::unique);
    both(registry, "min", "compared", (items, run) -> extreme(items, -1, run));
    both(registry, "max", "compared", (items, run) -> extreme(items, 1, run));
    registry.filter("group_by", 1, a -> new Keyed("grouped", a[0], KeyedBuiltins::group));
    registry.value("bsearch", KeyedBuiltins::search);
  }

  private static void both(
      Builtins.Registry registry, String name, String done, Operation operation) {
    registry.filter(name, 0, a -> new Keyed(done, null, operation));
    registry.filter(name + "_by", 1, a -> new Keyed(done, a[0], operation));
  }

  /** An item and its key. */
  private record Item(JsonNode key, JsonNode value) {}

  private interface Operation {
    JsonNode apply(List<Item> items, Run run);
  }

  private static final class Keyed extends Code.Value {
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
    JsonNode one(JsonNode in, @Nullable Env env, Run run) {
      Collections.requireArray(in, done);
      run.array(in.size() * 4L);
      List<Item> items = new ArrayList<>(in.size());
      for (JsonNode value : in) {
        items.add(new Item(key(value, env, run), value));
      }
      return operation.apply(items, run);
    }

    private JsonNode key(JsonNode value, @Nullable Env env, Run run) {
      if (key == null) {
        return value;
      }
      return key.single
          ? key.one(value, env, run)
          : Json.array(MakeCode.collect(key, value, env, run));
    }
  }

  private static void order(List<Item> items, Run run) {
    items.sort((a, b) -> Ordering.compare(a.key, b.key, run));
  }

  private static JsonNode sort(List<Item> items, Run run) {
    order(items, run);
    return values(items);
  }

  private static JsonNode values(List<Item> items) {
    List<JsonNode> values = new ArrayList<>(items.size());
    items.forEach(item -> values.add(item.value));
    return Json.array(values);
  }

  private static JsonNode unique(List<Item> items, Run run) {
    order(items, run);
    List<Item> kept = new ArrayList<>();
    for (Item item : items) {
      if (kept.isEmpty() || Ordering.compare(kept.getLast().key, item.key, run) != 0) {
        kept.add(item);
      }
    }
    return values(kept);
  }

  private static JsonNode group(List<Item> items, Run run) {
    order(items, run);
    List<JsonNode> groups = new ArrayList<>();
    for (int i = 0; i < items.size(); ) {
      int end = i + 1;
      while (end < items.size()
          && Ordering.compare(items.get(i).key, items.get(end).key, run) == 0) {
        end++;
      }
      run.array(end - i + 4L);
      groups.add(values(items.subList(i, end)));
      i = end;
    }
    return Json.array(groups);
  }

  /** The last greatest or the first least item. */
  private static JsonNode extreme(List<Item> items, int sign, Run run) {
    Item best = null;
    for (Item item : items) {
      int order = best == null ? sign : Ordering.compare(item.key, best.key, run);
      if (best == null || (sign > 0 ? order >= 0 : order < 0)) {
        best = item;
      }
    }
    return best == null ? Json.NULL : best.value;
  }

  private static JsonNode search(JsonNode in, JsonNode target, Run run) {
    if (!in.isArray()) {
      throw new JqError(Json.describe(in) + " cannot be searched from");
    }
    int low = 0;
    int high = in.size() - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      int order = Ordering.compare(in.get(middle), target, run);
      if (order == 0) {
        return Json.number((long) middle);
      }
      if (order < 0) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return Json.number(-1L - low);
  }
}
