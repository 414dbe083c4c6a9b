package dev.pinion.core.jq.value;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The place of a value below the input of a path expression; shares its beginning with others. */
public final class ValuePath {
  /** The path of the input itself. */
  public static final ValuePath ROOT = new ValuePath(null, NullNode.getInstance(), 0);

  /** The path of a value that is not a part of the input. */
  public static final ValuePath NONE = new ValuePath(null, NullNode.getInstance(), 0);

  private final @Nullable ValuePath parent;
  private final JsonNode key;
  private final int length;

  private ValuePath(@Nullable ValuePath parent, JsonNode key, int length) {
    this.parent = parent;
    this.key = key;
    this.length = length;
  }

  /** The path of a value made from one whose path is given. */
  public static @Nullable ValuePath detached(@Nullable ValuePath valuePath) {
    return valuePath == null ? null : NONE;
  }

  /** The path one step further; charged. */
  public ValuePath then(JsonNode next, EvaluationContext evaluationContext) {
    evaluationContext.charge(2);
    evaluationContext.checkDepth(length + 1, PathAccess.TOO_DEEP);
    return new ValuePath(this, next, length + 1);
  }

  /** The keys from the root, to be read only. */
  public ArrayNode toJson(EvaluationContext evaluationContext) {
    evaluationContext.charge(1 + length / 2);
    JsonNode[] keys = new JsonNode[length];
    int i = length;
    for (ValuePath valuePath = this; valuePath.parent != null; valuePath = valuePath.parent) {
      keys[--i] = valuePath.key;
    }
    List<JsonNode> list = Arrays.asList(keys);
    return new ArrayNode(JsonNodeFactory.instance, list);
  }
}
