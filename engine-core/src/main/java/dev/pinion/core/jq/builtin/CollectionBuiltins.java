package dev.pinion.core.jq.builtin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.pinion.core.jq.code.Code;
import dev.pinion.core.jq.code.NativeCallCode;
import dev.pinion.core.jq.code.PathCode;
import dev.pinion.core.jq.code.SumCode;
import dev.pinion.core.jq.value.EvaluationContext;
import dev.pinion.core.jq.value.Indexing;
import dev.pinion.core.jq.value.JqException;
import dev.pinion.core.jq.value.JqValues;
import dev.pinion.core.jq.value.JsonPrinter;
import dev.pinion.core.jq.value.ObjectKeys;
import dev.pinion.core.jq.value.ValueOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** Functions of arrays and objects. */
final class CollectionBuiltins {
  private CollectionBuiltins() {}

  static void register(BuiltinRegistry registry) {
    registry.value("length", CollectionBuiltins::length);
    registry.value("type", (in, evaluationContext) -> TextNode.valueOf(JqValues.type(in)));
    registry.value("keys", (in, evaluationContext) -> ObjectKeys.of(in, true, evaluationContext));
    registry.value(
        "keys_unsorted", (in, evaluationContext) -> ObjectKeys.of(in, false, evaluationContext));
    registry.value("has", CollectionBuiltins::has);
    registry.value(
        "contains", (in, part, evaluationContext) -> contains(in, part, evaluationContext));
    registry.filter("add", 0, a -> new SumCode.Sum(PathCode.Iterate.input()));
    registry.filter("add", 1, a -> new SumCode.Sum(a[0]));
    registry.value("reverse", CollectionBuiltins::reverse);
    registry.value("transpose", CollectionBuiltins::transpose);
    registry.value("to_entries", ObjectEntries::toEntries);
    registry.value("from_entries", ObjectEntries::fromEntries);
    registry.value(
        "toarray", (in, evaluationContext) -> in.isArray() ? in : JqValues.array(List.of(in)));
    registry.value(
        "flatten", (in, evaluationContext) -> flatten(in, Integer.MAX_VALUE, evaluationContext));
    registry.value(
        "flatten", (in, depth, evaluationContext) -> flatten(in, depth(depth), evaluationContext));
    registry.value("indices", CollectionBuiltins::indicesOf);
    registry.value(
        "index",
        (in, part, evaluationContext) -> edge(indicesOf(in, part, evaluationContext), true));
    registry.value(
        "rindex",
        (in, part, evaluationContext) -> edge(indicesOf(in, part, evaluationContext), false));
    registry.value(
        "tojson",
        (in, evaluationContext) -> TextNode.valueOf(JsonPrinter.of(in, evaluationContext)));
    registry.value("fromjson", CollectionBuiltins::fromJson);
    types(registry);
  }

  private static void types(BuiltinRegistry registry) {
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

  private static void type(BuiltinRegistry registry, String name, Predicate<JsonNode> test) {
    Code condition =
        new NativeCallCode.Apply0((in, evaluationContext) -> JqValues.bool(test.test(in)));
    registry.filter(name, 0, a -> ControlFlowBuiltins.select(condition));
  }

  private static JsonNode fromJson(JsonNode in, EvaluationContext evaluationContext) {
    String text = JqValues.text(in, "only strings can be parsed");
    // A character makes at most about one node of 40 bytes: "[1,1,1" or "{}".
    evaluationContext.charge(40 + text.length() * 2L);
    return JsonTextReader.read(text, evaluationContext);
  }

  private static JsonNode length(JsonNode in, EvaluationContext evaluationContext) {
    return switch (in.getNodeType()) {
      case NULL, MISSING -> JqValues.number(0L);
      case BOOLEAN -> throw new JqException(JqValues.describe(in) + " has no length");
      case NUMBER -> NumberBuiltins.abs(in, evaluationContext);
      case STRING, BINARY, POJO -> {
        String text = in.textValue();
        evaluationContext.scanText(text.length());
        yield JqValues.number((long) text.codePointCount(0, text.length()));
      }
      case ARRAY, OBJECT -> JqValues.number((long) in.size());
    };
  }

  private static JsonNode has(JsonNode in, JsonNode key, EvaluationContext evaluationContext) {
    if (in.isNull()) {
      return JqValues.FALSE;
    }
    if (in.isObject() && key.isTextual()) {
      return JqValues.bool(in.has(key.textValue()));
    }
    if (in.isArray() && key.isNumber()) {
      int index = JqValues.index(key, -1);
      return JqValues.bool(index >= 0 && index < in.size());
    }
    throw new JqException(
        "Cannot check whether " + JqValues.type(in) + " has a " + JqValues.type(key) + " key");
  }

  private static JsonNode contains(
      JsonNode in, JsonNode part, EvaluationContext evaluationContext) {
    // For jq true and false are of different kinds here.
    boolean otherTruth = in.isBoolean() && !in.equals(part);
    if (otherTruth || !JqValues.type(in).equals(JqValues.type(part))) {
      throw new JqException(
          JqValues.describe(in)
              + " and "
              + JqValues.describe(part)
              + " cannot have their containment checked");
    }
    return JqValues.bool(contains(in, part, evaluationContext, 0));
  }

  private static boolean contains(
      JsonNode in, JsonNode part, EvaluationContext evaluationContext, int depth) {
    evaluationContext.step();
    evaluationContext.checkDepth(depth, "Containment check too deep");
    if (in instanceof ObjectNode && part instanceof ObjectNode wanted) {
      for (Map.Entry<String, JsonNode> member : wanted.properties()) {
        JsonNode value = in.get(member.getKey());
        if (value == null || !contains(value, member.getValue(), evaluationContext, depth + 1)) {
          return false;
        }
      }
      return true;
    }
    if (in instanceof ArrayNode && part instanceof ArrayNode wanted) {
      for (JsonNode item : wanted) {
        if (!anyContains(in, item, evaluationContext, depth)) {
          return false;
        }
      }
      return true;
    }
    if (in.isTextual() && part.isTextual()) {
      evaluationContext.scanText(in.textValue().length() * 4L);
      return in.textValue().contains(part.textValue());
    }
    return ValueOrder.equal(in, part, evaluationContext);
  }

  private static boolean anyContains(
      JsonNode array, JsonNode part, EvaluationContext evaluationContext, int depth) {
    for (JsonNode item : array) {
      if (contains(item, part, evaluationContext, depth + 1)) {
        return true;
      }
    }
    return false;
  }

  private static JsonNode reverse(JsonNode in, EvaluationContext evaluationContext) {
    if (in.isNull()) {
      return JqValues.EMPTY_ARRAY;
    }
    if (in.isTextual()) {
      evaluationContext.text(in.textValue().length());
      return TextNode.valueOf(new StringBuilder(in.textValue()).reverse().toString());
    }
    requireArray(in, "reversed");
    evaluationContext.array(in.size());
    List<JsonNode> items = new ArrayList<>(in.size());
    for (int i = in.size() - 1; i >= 0; i--) {
      items.add(in.get(i));
    }
    return JqValues.array(items);
  }

  static void requireArray(JsonNode in, String done) {
    if (!in.isArray()) {
      throw new JqException(
          JqValues.describe(in) + " cannot be " + done + ", as it is not an array");
    }
  }

  private static JsonNode transpose(JsonNode in, EvaluationContext evaluationContext) {
    requireArray(in, "transposed");
    int width = 0;
    for (JsonNode row : in) {
      if (!row.isNull()) {
        requireArray(row, "transposed");
      }
      width = Math.max(width, row.size());
    }
    evaluationContext.array((long) width * (in.size() + 4));
    List<JsonNode> columns = new ArrayList<>(width);
    for (int column = 0; column < width; column++) {
      List<JsonNode> items = new ArrayList<>(in.size());
      for (JsonNode row : in) {
        items.add(column < row.size() ? row.get(column) : JqValues.NULL);
      }
      columns.add(JqValues.array(items));
    }
    return JqValues.array(columns);
  }

  private static int depth(JsonNode depth) {
    if (!depth.isNumber()) {
      throw new JqException("flatten depth must be a number, found " + JqValues.describe(depth));
    }
    if (depth.doubleValue() < 0) {
      throw new JqException("flatten depth must not be negative");
    }
    return (int) Math.ceil(depth.doubleValue());
  }

  private static JsonNode flatten(JsonNode in, int depth, EvaluationContext evaluationContext) {
    if (!in.isContainerNode()) {
      throw PathCode.Iterate.cannotIterate(in);
    }
    List<JsonNode> items = new ArrayList<>();
    flatten(in, depth, 0, items, evaluationContext);
    return JqValues.array(items);
  }

  private static void flatten(
      JsonNode in,
      int depth,
      int level,
      List<JsonNode> items,
      EvaluationContext evaluationContext) {
    evaluationContext.checkDepth(level);
    for (JsonNode item : in) {
      evaluationContext.charge(2);
      if (item.isArray() && depth > 0) {
        flatten(item, depth - 1, level + 1, items, evaluationContext);
      } else {
        items.add(item);
      }
    }
  }

  private static JsonNode indicesOf(
      JsonNode in, JsonNode part, EvaluationContext evaluationContext) {
    if (in.isNull()) {
      return JqValues.NULL;
    }
    if (in.isTextual() && part.isTextual()) {
      return StringBuiltins.indices(in.textValue(), part.textValue(), evaluationContext);
    }
    if (in.isArray() && part.isArray()) {
      return Indexing.indices(in, part, evaluationContext);
    }
    if (in.isArray()) {
      return Indexing.indices(in, JqValues.array(List.of(part)), evaluationContext);
    }
    return Indexing.get(in, part, evaluationContext);
  }

  private static JsonNode edge(JsonNode indices, boolean first) {
    if (!indices.isArray() && !indices.isNull()) {
      throw new JqException("Cannot index " + JqValues.type(indices) + " with number");
    }
    if (indices.isEmpty()) {
      return JqValues.NULL;
    }
    return indices.get(first ? 0 : indices.size() - 1);
  }
}
