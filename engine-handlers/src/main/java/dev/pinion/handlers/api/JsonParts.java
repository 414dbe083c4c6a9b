package dev.pinion.handlers.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pinion.core.model.Payload;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Looks up and replaces parts of JSON values. Copies the values on the path to a part, shares the
 * rest.
 */
final class JsonParts {
  private JsonParts() {}

  /** The part at a path, or null where there is none. */
  static @Nullable Payload at(Payload root, List<String> path) {
    JsonNode node = root.json();
    for (String name : path) {
      node = child(node, name);
      if (node == null) {
        return null;
      }
    }
    return path.isEmpty() ? root : Payload.of(node);
  }

  /** The value with the part at a path set, or removed when the part is null. */
  static Payload with(Payload root, List<String> path, @Nullable Payload part)
      throws InapplicableChangeException {
    return Payload.of(with(root.json(), path, 0, part));
  }

  private static JsonNode with(
      @Nullable JsonNode node, List<String> path, int depth, @Nullable Payload part)
      throws InapplicableChangeException {
    if (depth == path.size() && part != null) {
      return part.json();
    }
    boolean last = part == null && depth == path.size() - 1;
    return switch (node) {
      case null -> inObject(JsonNodeFactory.instance.objectNode(), path, depth, part, last);
      case ObjectNode object -> inObject(object, path, depth, part, last);
      case ArrayNode array when !last -> inArray(array, path, depth, part);
      default ->
          throw new InapplicableChangeException(
              "expected an object at \""
                  + JsonPointer.of(path.subList(0, depth))
                  + "\" to change \""
                  + JsonPointer.of(path)
                  + "\" in, found "
                  + kind(node));
    };
  }

  private static JsonNode inObject(
      ObjectNode object, List<String> path, int depth, @Nullable Payload part, boolean remove)
      throws InapplicableChangeException {
    String name = path.get(depth);
    JsonNode child = object.get(name);
    if (part == null && child == null) {
      return object; // nothing to remove
    }
    ObjectNode copy = JsonNodeFactory.instance.objectNode();
    copy.setAll(object);
    if (remove) {
      copy.remove(name);
    } else {
      copy.set(name, with(child, path, depth + 1, part));
    }
    return copy;
  }

  private static JsonNode inArray(
      ArrayNode array, List<String> path, int depth, @Nullable Payload part)
      throws InapplicableChangeException {
    String name = path.get(depth);
    JsonNode child = child(array, name);
    if (child == null) {
      throw new InapplicableChangeException(
          "expected an item "
              + name
              + " at \""
              + JsonPointer.of(path.subList(0, depth))
              + "\", found an array of "
              + array.size());
    }
    ArrayNode copy = new ArrayNode(JsonNodeFactory.instance, array.size());
    copy.addAll(array);
    copy.set(Integer.parseInt(name), with(child, path, depth + 1, part));
    return copy;
  }

  private static @Nullable JsonNode child(JsonNode node, String name) {
    if (node instanceof ArrayNode array) {
      return name.matches("0|[1-9][0-9]{0,8}") ? array.get(Integer.parseInt(name)) : null;
    }
    return node.get(name);
  }

  /**
   * A value with only the parts of another one at some paths. When a path leads into an array, the
   * whole array is included, so that indices keep their meaning. Null when that is the whole value.
   */
  static @Nullable Payload only(Payload root, List<List<String>> paths) {
    ObjectNode kept = JsonNodeFactory.instance.objectNode();
    for (List<String> path : paths) {
      if (path.isEmpty() || !root.json().isObject()) {
        return null;
      }
      copy(kept, root.json(), path, 0);
    }
    return Payload.of(kept);
  }

  private static void copy(ObjectNode kept, JsonNode from, List<String> path, int depth) {
    String name = path.get(depth);
    JsonNode child = from.get(name);
    if (child == null) {
      return;
    }
    JsonNode before = kept.get(name);
    if (depth == path.size() - 1 || !child.isObject()) {
      kept.set(name, child);
    } else if (before == null || before instanceof ObjectNode) {
      ObjectNode inner = JsonNodeFactory.instance.objectNode();
      if (before != null) {
        for (Map.Entry<String, JsonNode> member : before.properties()) {
          inner.set(member.getKey(), member.getValue());
        }
      }
      copy(inner, child, path, depth + 1);
      kept.set(name, inner);
    }
  }

  private static String kind(JsonNode node) {
    return switch (node.getNodeType()) {
      case ARRAY -> "an array";
      case STRING -> "a string";
      case NUMBER -> "a number";
      case BOOLEAN -> "a boolean";
      default -> "null";
    };
  }
}
