package dev.pinion.core.expr;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.util.ArrayList;
import java.util.List;

/** Reads and rewrites values by paths given as arrays of keys. */
final class Paths {
  private Paths() {}

  static JsonNode get(JsonNode in, JsonNode path, Run run) {
    check(path, run);
    JsonNode value = in;
    for (JsonNode key : path) {
      if (value.isNull()) {
        return Json.NULL;
      }
      value = Access.get(value, key, run);
    }
    return value;
  }

  static JsonNode set(JsonNode in, JsonNode path, JsonNode value, Run run) {
    check(path, run);
    return set(in, path, 0, value, run);
  }

  private static JsonNode set(JsonNode in, JsonNode path, int at, JsonNode value, Run run) {
    if (at == path.size()) {
      return value;
    }
    JsonNode key = path.get(at);
    JsonNode old = Access.get(in, key, run);
    return Access.set(in, key, set(old, path, at + 1, value, run), run);
  }

  static JsonNode delete(JsonNode in, JsonNode paths, Run run) {
    if (!paths.isArray()) {
      throw new JqError("Paths must be specified as an array");
    }
    run.array(paths.size());
    List<JsonNode> sorted = new ArrayList<>(paths.size());
    for (JsonNode path : paths) {
      if (!path.isArray()) {
        throw new JqError("Path must be specified as an array");
      }
      check(path, run);
      sorted.add(path);
    }
    sorted.sort((a, b) -> Ordering.compare(a, b, run));
    if (!sorted.isEmpty() && sorted.getFirst().isEmpty()) {
      return Json.NULL;
    }
    return delete(in, sorted, 0, run);
  }

  /** Deletes sorted paths that agree up to a position; keys of one level are deleted together. */
  private static JsonNode delete(JsonNode in, List<JsonNode> paths, int at, Run run) {
    JsonNode value = in;
    List<JsonNode> keys = new ArrayList<>();
    for (int i = 0; i < paths.size(); ) {
      JsonNode key = paths.get(i).get(at);
      int end = i + 1;
      while (end < paths.size() && Ordering.equal(key, paths.get(end).get(at), run)) {
        end++;
      }
      run.step();
      if (paths.get(i).size() == at + 1) {
        keys.add(key);
      } else {
        JsonNode old = Access.get(value, key, run);
        if (!old.isNull()) {
          value = Access.set(value, key, delete(old, paths.subList(i, end), at + 1, run), run);
        }
      }
      i = end;
    }
    return Access.delete(value, keys, run);
  }

  private static void check(JsonNode path, Run run) {
    if (!(path instanceof ArrayNode)) {
      throw new JqError("Path must be specified as an array");
    }
    run.step();
    run.checkDepth(path.size());
  }
}
