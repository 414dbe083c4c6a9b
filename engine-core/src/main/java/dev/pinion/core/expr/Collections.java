package dev.pinion.core.expr;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** Functions of arrays and objects. */
final class Collections {
  private Collections() {}

  static void register(Builtins.Registry registry) {
    registry.value("length", Collections::length);
    registry.value("type", (in, run) -> TextNode.valueOf(Json.type(in)));
    registry.value("keys", (in, run) -> keys(in, true, run));
    registry.value("keys_unsorted", (in, run) -> keys(in, false, run));
    registry.value("has", Collections::has);
    registry.value("contains", (in, part, run) -> contains(in, part, run));
    registry.filter("add", 0, a -> new SumCode.Sum(AccessCode.Iterate.input()));
    registry.filter("add", 1, a -> new SumCode.Sum(a[0]));
    registry.value("reverse", Collections::reverse);
    registry.value("transpose", Collections::transpose);
    registry.value("to_entries", Entries::toEntries);
    registry.value("from_entries", Entries::fromEntries);
    registry.value("toarray", (in, run) -> in.isArray() ? in : Json.array(List.of(in)));
    registry.value("flatten", (in, run) -> flatten(in, Integer.MAX_VALUE, run));
    registry.value("flatten", (in, depth, run) -> flatten(in, depth(depth), run));
    registry.value("indices", Collections::indicesOf);
    registry.value("index", (in, part, run) -> edge(indicesOf(in, part, run), true));
    registry.value("rindex", (in, part, run) -> edge(indicesOf(in, part, run), false));
    registry.value("tojson", (in, run) -> TextNode.valueOf(JsonText.of(in, run)));
    registry.value("fromjson", JsonReading::parse);
    registry.value("builtins", (in, run) -> builtins(run));
    types(registry);
  }

  private static void types(Builtins.Registry registry) {
    type(registry, "arrays", JsonNode::isArray);
    type(registry, "objects", JsonNode::isObject);
    type(registry, "iterables", JsonNode::isContainerNode);
    type(registry, "booleans", JsonNode::isBoolean);
    type(registry, "numbers", JsonNode::isNumber);
    type(registry, "strings", JsonNode::isTextual);
    type(registry, "nulls", JsonNode::isNull);
    type(registry, "values", value -> !value.isNull());
    type(registry, "scalars", value -> !value.isContainerNode());
  }

  private static void type(Builtins.Registry registry, String name, Predicate<JsonNode> test) {
    Code condition = new ApplyCode.Apply0((in, run) -> Json.bool(test.test(in)));
    registry.filter(name, 0, a -> FlowBuiltins.select(condition));
  }

  private static JsonNode builtins(Run run) {
    List<JsonNode> names = new ArrayList<>();
    for (String signature : Builtins.signatures()) {
      if (!signature.startsWith("_")) {
        names.add(TextNode.valueOf(signature));
      }
    }
    Prelude.signatures().forEach(signature -> names.add(TextNode.valueOf(signature)));
    run.array(names.size() * 4L);
    return Json.array(names);
  }

  private static JsonNode length(JsonNode in, Run run) {
    return switch (in.getNodeType()) {
      case NULL, MISSING -> Json.number(0L);
      case BOOLEAN -> throw new JqError(Json.describe(in) + " has no length");
      case NUMBER -> Numbers.abs(in, run);
      case STRING, BINARY, POJO -> {
        String text = in.textValue();
        run.scanText(text.length());
        yield Json.number((long) text.codePointCount(0, text.length()));
      }
      case ARRAY, OBJECT -> Json.number((long) in.size());
    };
  }

  static JsonNode keys(JsonNode in, boolean sorted, Run run) {
    List<JsonNode> keys = new ArrayList<>(in.size());
    run.array(in.size() * 4L);
    if (in.isArray()) {
      for (int i = 0; i < in.size(); i++) {
        keys.add(Json.number((long) i));
      }
    } else if (in.isObject() && sorted) {
      Access.sortedKeys(in, run).forEach(key -> keys.add(TextNode.valueOf(key)));
    } else if (in.isObject()) {
      in.fieldNames().forEachRemaining(key -> keys.add(TextNode.valueOf(key)));
    } else {
      throw new JqError(Json.describe(in) + " has no keys");
    }
    return Json.array(keys);
  }

  private static JsonNode has(JsonNode in, JsonNode key, Run run) {
    if (in.isObject() && key.isTextual()) {
      return Json.bool(in.has(key.textValue()));
    }
    if (in.isArray() && key.isNumber()) {
      int index = Json.index(key, -1);
      return Json.bool(index >= 0 && index < in.size());
    }
    throw new JqError(
        "Cannot check whether " + Json.type(in) + " has a " + Json.type(key) + " key");
  }

  private static JsonNode contains(JsonNode in, JsonNode part, Run run) {
    // For jq true and false are of different kinds here.
    boolean otherTruth = in.isBoolean() && !in.equals(part);
    if (otherTruth || !Json.type(in).equals(Json.type(part))) {
      throw new JqError(
          Json.describe(in)
              + " and "
              + Json.describe(part)
              + " cannot have their containment checked");
    }
    return Json.bool(contains(in, part, run, 0));
  }

  private static boolean contains(JsonNode in, JsonNode part, Run run, int depth) {
    run.step();
    run.checkDepth(depth);
    if (in instanceof ObjectNode && part instanceof ObjectNode wanted) {
      for (Map.Entry<String, JsonNode> member : wanted.properties()) {
        JsonNode value = in.get(member.getKey());
        if (value == null || !contains(value, member.getValue(), run, depth + 1)) {
          return false;
        }
      }
      return true;
    }
    if (in instanceof ArrayNode && part instanceof ArrayNode wanted) {
      for (JsonNode item : wanted) {
        if (!anyContains(in, item, run, depth)) {
          return false;
        }
      }
      return true;
    }
    if (in.isTextual() && part.isTextual()) {
      run.scanText(in.textValue().length() * 4L);
      return in.textValue().contains(part.textValue());
    }
    return Ordering.equal(in, part, run);
  }

  private static boolean anyContains(JsonNode array, JsonNode part, Run run, int depth) {
    for (JsonNode item : array) {
      if (contains(item, part, run, depth + 1)) {
        return true;
      }
    }
    return false;
  }

  private static JsonNode reverse(JsonNode in, Run run) {
    if (in.isNull()) {
      return Json.EMPTY_ARRAY;
    }
    if (in.isTextual()) {
      run.text(in.textValue().length());
      return TextNode.valueOf(new StringBuilder(in.textValue()).reverse().toString());
    }
    requireArray(in, "reversed");
    run.array(in.size());
    List<JsonNode> items = new ArrayList<>(in.size());
    for (int i = in.size() - 1; i >= 0; i--) {
      items.add(in.get(i));
    }
    return Json.array(items);
  }

  static void requireArray(JsonNode in, String done) {
    if (!in.isArray()) {
      throw new JqError(Json.describe(in) + " cannot be " + done + ", as it is not an array");
    }
  }

  private static JsonNode transpose(JsonNode in, Run run) {
    requireArray(in, "transposed");
    int width = 0;
    for (JsonNode row : in) {
      requireArray(row, "transposed");
      width = Math.max(width, row.size());
    }
    run.array((long) width * (in.size() + 4));
    List<JsonNode> columns = new ArrayList<>(width);
    for (int column = 0; column < width; column++) {
      List<JsonNode> items = new ArrayList<>(in.size());
      for (JsonNode row : in) {
        items.add(column < row.size() ? row.get(column) : Json.NULL);
      }
      columns.add(Json.array(items));
    }
    return Json.array(columns);
  }

  private static int depth(JsonNode depth) {
    if (!depth.isNumber()) {
      throw new JqError("flatten depth must be a number, found " + Json.describe(depth));
    }
    if (depth.doubleValue() < 0) {
      throw new JqError("flatten depth must not be negative");
    }
    return (int) Math.ceil(depth.doubleValue());
  }

  private static JsonNode flatten(JsonNode in, int depth, Run run) {
    if (!in.isContainerNode()) {
      throw AccessCode.Iterate.cannotIterate(in);
    }
    List<JsonNode> items = new ArrayList<>();
    flatten(in, depth, 0, items, run);
    return Json.array(items);
  }

  private static void flatten(JsonNode in, int depth, int level, List<JsonNode> items, Run run) {
    run.checkDepth(level);
    for (JsonNode item : in) {
      run.charge(2);
      if (item.isArray() && depth > 0) {
        flatten(item, depth - 1, level + 1, items, run);
      } else {
        items.add(item);
      }
    }
  }

  private static JsonNode indicesOf(JsonNode in, JsonNode part, Run run) {
    if (in.isNull()) {
      return Json.NULL;
    }
    if (in.isTextual() && part.isTextual()) {
      return Strings.indices(in.textValue(), part.textValue(), run);
    }
    if (in.isArray() && part.isArray()) {
      return indices(in, part, run);
    }
    if (in.isArray()) {
      return indices(in, Json.array(List.of(part)), run);
    }
    return Access.get(in, part, run);
  }

  /** Positions at which an array occurs inside another. */
  static JsonNode indices(JsonNode array, JsonNode part, Run run) {
    if (part.isEmpty()) {
      return Json.NULL;
    }
    List<JsonNode> found = new ArrayList<>();
    for (int i = 0; i + part.size() <= array.size(); i++) {
      int matched = 0;
      while (matched < part.size()
          && Ordering.equal(array.get(i + matched), part.get(matched), run)) {
        matched++;
      }
      if (matched == part.size()) {
        run.charge(2);
        found.add(Json.number((long) i));
      }
    }
    return Json.array(found);
  }

  private static JsonNode edge(JsonNode indices, boolean first) {
    if (!indices.isArray() && !indices.isNull()) {
      throw new JqError("Cannot index " + Json.type(indices) + " with number");
    }
    if (indices.isEmpty()) {
      return Json.NULL;
    }
    return indices.get(first ? 0 : indices.size() - 1);
  }
}
