package dev.pinion.core.jq.value;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.util.ArrayList;
import java.util.List;

/** Reads and rewrites values by paths given as arrays of keys. */
public final class PathAccess {
  /** The error of a path that leads deeper than data may nest. */
  public static final String TOO_DEEP = "Path too deep";

  /** Bound on the keys of a path, the same as in jq; paths to what is set are shorter. */
  private static final int MAX_KEYS = 10_000;

  private PathAccess() {}

  public static JsonNode get(JsonNode in, JsonNode path, EvaluationContext evaluationContext) {
    check(path, evaluationContext);
    JsonNode value = in;
    for (JsonNode key : path) {
      value = Indexing.get(value, key, evaluationContext);
    }
    return value;
  }

  public static JsonNode set(
      JsonNode in, JsonNode path, JsonNode value, EvaluationContext evaluationContext) {
    check(path, evaluationContext);
    evaluationContext.checkDepth(path.size(), TOO_DEEP);
    return set(in, path, 0, value, evaluationContext);
  }

  private static JsonNode set(
      JsonNode in, JsonNode path, int at, JsonNode value, EvaluationContext evaluationContext) {
    if (at == path.size()) {
      return value;
    }
    JsonNode key = path.get(at);
    JsonNode old = Indexing.get(in, key, evaluationContext);
    return Indexing.set(
        in, key, set(old, path, at + 1, value, evaluationContext), evaluationContext);
  }

  public static JsonNode delete(JsonNode in, JsonNode paths, EvaluationContext evaluationContext) {
    if (!paths.isArray()) {
      throw new JqException("Paths must be specified as an array");
    }
    evaluationContext.array(paths.size());
    List<JsonNode> sorted = new ArrayList<>(paths.size());
    for (JsonNode path : paths) {
      if (!path.isArray()) {
        throw new JqException("Path must be specified as array, not " + JqValues.type(path));
      }
      check(path, evaluationContext);
      sorted.add(path);
    }
    sorted.sort((a, b) -> ValueOrder.compare(a, b, evaluationContext));
    if (!sorted.isEmpty() && sorted.getFirst().isEmpty()) {
      return JqValues.NULL;
    }
    return delete(in, sorted, 0, evaluationContext);
  }

  /** Deletes sorted paths that agree up to a position; keys of one level are deleted together. */
  private static JsonNode delete(
      JsonNode in, List<JsonNode> paths, int at, EvaluationContext evaluationContext) {
    evaluationContext.checkDepth(at, TOO_DEEP);
    JsonNode value = in;
    List<JsonNode> keys = new ArrayList<>();
    for (int i = 0; i < paths.size(); ) {
      JsonNode key = paths.get(i).get(at);
      int end = i + 1;
      while (end < paths.size()
          && ValueOrder.equal(key, paths.get(end).get(at), evaluationContext)) {
        end++;
      }
      evaluationContext.step();
      if (paths.get(i).size() == at + 1) {
        keys.add(key);
      } else {
        JsonNode old = Indexing.get(value, key, evaluationContext);
        if (!old.isNull()) {
          value =
              Indexing.set(
                  value,
                  key,
                  delete(old, paths.subList(i, end), at + 1, evaluationContext),
                  evaluationContext);
        }
      }
      i = end;
    }
    return Indexing.delete(value, keys, evaluationContext);
  }

  private static void check(JsonNode path, EvaluationContext evaluationContext) {
    if (!(path instanceof ArrayNode)) {
      throw new JqException("Path must be specified as an array");
    }
    evaluationContext.step();
    if (path.size() > MAX_KEYS) {
      throw new JqException(TOO_DEEP);
    }
  }
}
