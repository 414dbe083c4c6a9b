package dev.pinion.core.jq.value;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Reads and rewrites one level of a value by key, index or slice. Rewriting copies the level. */
public final class Indexing {
  /** Bound on array indices, the same as in jq. */
  private static final int MAX_INDEX = 536_870_911;

  private static final String NO_BOUNDS = "Array/string slice indices must be integers";

  private Indexing() {}

  public static JsonNode field(JsonNode in, String name, JsonNode key) {
    if (in instanceof ObjectNode object) {
      JsonNode value = object.get(name);
      return value == null ? JqValues.NULL : value;
    }
    if (in.isNull()) {
      return JqValues.NULL;
    }
    throw cannotIndex(in, key);
  }

  public static JsonNode get(JsonNode in, JsonNode key, EvaluationContext evaluationContext) {
    evaluationContext.step();
    if (key.isTextual()) {
      return field(in, key.textValue(), key);
    }
    if (in.isArray()) {
      return item(in, key, evaluationContext);
    }
    if (in.isNull() && (key.isNumber() || key.isObject())) {
      return JqValues.NULL;
    }
    if (in.isTextual() && isSlice(key)) {
      return slice(in, bound(key, "start"), bound(key, "end"), evaluationContext);
    }
    throw cannotIndex(in, key);
  }

  private static JsonNode item(JsonNode array, JsonNode key, EvaluationContext evaluationContext) {
    if (key.isNumber()) {
      int index = JqValues.index(key, Integer.MAX_VALUE);
      JsonNode value = array.get(index < 0 ? index + array.size() : index);
      return value == null ? JqValues.NULL : value;
    }
    if (isSlice(key)) {
      return slice(array, bound(key, "start"), bound(key, "end"), evaluationContext);
    }
    if (key.isArray()) {
      return indices(array, key, evaluationContext);
    }
    throw cannotIndex(array, key);
  }

  /** Positions at which an array occurs inside another. */
  public static JsonNode indices(
      JsonNode array, JsonNode part, EvaluationContext evaluationContext) {
    if (part.isEmpty()) {
      return JqValues.EMPTY_ARRAY;
    }
    List<JsonNode> found = new ArrayList<>();
    for (int i = 0; i + part.size() <= array.size(); i++) {
      int matched = 0;
      while (matched < part.size()
          && ValueOrder.equal(array.get(i + matched), part.get(matched), evaluationContext)) {
        matched++;
      }
      if (matched == part.size()) {
        evaluationContext.charge(2);
        found.add(JqValues.number((long) i));
      }
    }
    return JqValues.array(found);
  }

  private static boolean isSlice(JsonNode key) {
    return key.isObject();
  }

  /** The bound of a slice that is given as an object. */
  private static JsonNode bound(JsonNode slice, String name) {
    JsonNode value = slice.get(name);
    if (value == null) {
      throw new JqException(NO_BOUNDS);
    }
    return value;
  }

  private static JqException cannotIndex(JsonNode in, JsonNode key) {
    return new JqException("Cannot index " + JqValues.type(in) + " with " + JqValues.describe(key));
  }

  public static JsonNode slice(
      JsonNode in, JsonNode from, JsonNode to, EvaluationContext evaluationContext) {
    evaluationContext.step();
    if (in.isNull()) {
      return JqValues.NULL;
    }
    if (in.isArray()) {
      int start = start(from, to, in.size());
      int end = end(from, to, in.size());
      evaluationContext.array(end - start);
      List<JsonNode> items = new ArrayList<>(end - start);
      for (int i = start; i < end; i++) {
        items.add(in.get(i));
      }
      return JqValues.array(items);
    }
    if (in.isTextual()) {
      String text = in.textValue();
      evaluationContext.scanText(text.length());
      int length = text.codePointCount(0, text.length());
      int start = text.offsetByCodePoints(0, start(from, to, length));
      int end = text.offsetByCodePoints(0, end(from, to, length));
      return evaluationContext.textNode(text.substring(start, end));
    }
    Map<String, JsonNode> bounds = JqValues.members(2);
    bounds.put("start", from);
    bounds.put("end", to);
    throw cannotIndex(in, JqValues.object(bounds));
  }

  private static int start(JsonNode from, JsonNode to, int length) {
    return Math.clamp((long) Math.floor(sliceBound(from, to, from, 0, length)), 0, length);
  }

  private static int end(JsonNode from, JsonNode to, int length) {
    double end = Math.ceil(sliceBound(from, to, to, length, length));
    return Math.max(Math.clamp((long) end, 0, length), start(from, to, length));
  }

  private static double sliceBound(
      JsonNode from, JsonNode to, JsonNode bound, double absent, int length) {
    if (!(from.isNumber() || from.isNull()) || !(to.isNumber() || to.isNull())) {
      throw new JqException(NO_BOUNDS);
    }
    double value = bound.isNull() ? absent : bound.doubleValue();
    if (Double.isNaN(value)) {
      return absent;
    }
    return value < 0 ? value + length : value;
  }

  /** A copy of a value with one key set; null becomes an object or array. */
  public static JsonNode set(
      JsonNode in, JsonNode key, JsonNode value, EvaluationContext evaluationContext) {
    evaluationContext.step();
    if (key.isTextual() && (in.isObject() || in.isNull())) {
      Map<String, JsonNode> members =
          in instanceof ObjectNode object
              ? copyMembers(object, 1, evaluationContext)
              : newMembers(evaluationContext);
      members.put(key.textValue(), value);
      return JqValues.object(members);
    }
    if (key.isNumber() && (in.isArray() || in.isNull())) {
      return setItem(in, key, value, evaluationContext);
    }
    if (isSlice(key) && (in.isArray() || in.isNull())) {
      return setSlice(in, key, value, evaluationContext);
    }
    if (isSlice(key) && in.isTextual()) {
      throw new JqException("Cannot update string slices");
    }
    if (in.isArray() && !key.isTextual()) {
      throw new JqException("Cannot update field at " + JqValues.type(key) + " index of array");
    }
    throw cannotIndex(in, key);
  }

  private static Map<String, JsonNode> newMembers(EvaluationContext evaluationContext) {
    evaluationContext.object(1);
    return JqValues.members(1);
  }

  private static JsonNode setItem(
      JsonNode in, JsonNode key, JsonNode value, EvaluationContext evaluationContext) {
    if (Double.isNaN(key.doubleValue())) {
      throw new JqException("Cannot set array element at NaN index");
    }
    int index = JqValues.index(key, 0);
    if (index < 0) {
      index += in.size();
    }
    if (index < 0) {
      throw new JqException("Out of bounds negative array index");
    }
    if (index > MAX_INDEX) {
      throw new JqException("Array index too large");
    }
    int size = Math.max(in.size(), index + 1);
    evaluationContext.array(size);
    List<JsonNode> items = new ArrayList<>(size);
    in.forEach(items::add);
    while (items.size() < size) {
      items.add(JqValues.NULL);
    }
    items.set(index, value);
    return JqValues.array(items);
  }

  private static JsonNode setSlice(
      JsonNode in, JsonNode key, JsonNode value, EvaluationContext evaluationContext) {
    int start = start(bound(key, "start"), bound(key, "end"), in.size());
    int end = end(bound(key, "start"), bound(key, "end"), in.size());
    if (!value.isArray()) {
      throw new JqException("A slice of an array can only be assigned another array");
    }
    int size = in.size() - (end - start) + value.size();
    evaluationContext.array(size);
    List<JsonNode> items = new ArrayList<>(size);
    for (int i = 0; i < start; i++) {
      items.add(in.get(i));
    }
    value.forEach(items::add);
    for (int i = end; i < in.size(); i++) {
      items.add(in.get(i));
    }
    return JqValues.array(items);
  }

  /** A copy of a value without some keys, which all refer to the value as it is. */
  public static JsonNode delete(
      JsonNode in, List<JsonNode> keys, EvaluationContext evaluationContext) {
    if (in.isNull() || keys.isEmpty()) {
      return in;
    }
    if (in instanceof ObjectNode object) {
      Map<String, JsonNode> members = copyMembers(object, 0, evaluationContext);
      for (JsonNode key : keys) {
        if (!key.isTextual()) {
          throw new JqException("Cannot delete " + JqValues.type(key) + " field of object");
        }
        members.remove(key.textValue());
      }
      return JqValues.object(members);
    }
    if (in instanceof ArrayNode array) {
      return deleteItems(array, keys, evaluationContext);
    }
    throw new JqException("Cannot delete fields from " + JqValues.type(in));
  }

  private static JsonNode deleteItems(
      ArrayNode array, List<JsonNode> keys, EvaluationContext evaluationContext) {
    int size = array.size();
    evaluationContext.array(size);
    boolean[] deleted = new boolean[size];
    for (JsonNode key : keys) {
      if (key.isNumber()) {
        int index = JqValues.index(key, Integer.MAX_VALUE);
        index = index < 0 ? index + size : index;
        if (index >= 0 && index < size) {
          deleted[index] = true;
        }
      } else if (isSlice(key)) {
        int end = end(bound(key, "start"), bound(key, "end"), size);
        int start = start(bound(key, "start"), bound(key, "end"), size);
        evaluationContext.scan(end - start);
        Arrays.fill(deleted, start, end, true);
      } else {
        throw new JqException("Cannot delete " + JqValues.type(key) + " element of array");
      }
    }
    List<JsonNode> rest = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      if (!deleted[i]) {
        rest.add(array.get(i));
      }
    }
    return JqValues.array(rest);
  }

  /** A map with the members of an object and room for more. */
  static Map<String, JsonNode> copyMembers(
      ObjectNode object, int more, EvaluationContext evaluationContext) {
    evaluationContext.object((long) object.size() + more);
    Map<String, JsonNode> members = JqValues.members(object.size() + more);
    object.properties().forEach(member -> members.put(member.getKey(), member.getValue()));
    return members;
  }
}
