package dev.pinion.core.expr;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The place of a value below the input of a path expression; shares its beginning with others. */
final class Path {
  /** The path of the input itself. */
  static final Path ROOT = new Path(null, NullNode.getInstance(), 0);

  /** The path of a value that is not a part of the input. */
  static final Path LOST = new Path(null, NullNode.getInstance(), 0);

  private final @Nullable Path parent;
  private final JsonNode key;
  private final int length;

  private Path(@Nullable Path parent, JsonNode key, int length) {
    this.parent = parent;
    this.key = key;
    this.length = length;
  }

  /** The path of a value made from one whose path is given. */
  static @Nullable Path lost(@Nullable Path path) {
    return path == null ? null : LOST;
  }

  /** The path one step further; charged. */
  Path then(JsonNode next, Run run) {
    run.charge(2);
    run.checkDepth(length + 1);
    return new Path(this, next, length + 1);
  }

  /** The keys from the root, to be read only. */
  ArrayNode toJson(Run run) {
    run.charge(1 + length / 2);
    JsonNode[] keys = new JsonNode[length];
    int i = length;
    for (Path path = this; path.parent != null; path = path.parent) {
      keys[--i] = path.key;
    }
    List<JsonNode> list = Arrays.asList(keys);
    return new ArrayNode(JsonNodeFactory.instance, list);
  }
}
