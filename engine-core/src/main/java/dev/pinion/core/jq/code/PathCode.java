package dev.pinion.core.jq.code;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.pinion.core.jq.value.EvaluationContext;
import dev.pinion.core.jq.value.Indexing;
import dev.pinion.core.jq.value.JqException;
import dev.pinion.core.jq.value.JqValues;
import dev.pinion.core.jq.value.JsonPrinter;
import dev.pinion.core.jq.value.ValuePath;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Code that reads parts of values; no other code has outputs with separate paths. */
public final class PathCode {
  private PathCode() {}

  public static ValuePath child(
      ValuePath valuePath, JsonNode key, JsonNode of, EvaluationContext evaluationContext) {
    if (valuePath == ValuePath.NONE) {
      throw new JqException(
          "Invalid path expression near attempt to access element "
              + JsonPrinter.excerpt(key)
              + " of "
              + JsonPrinter.excerpt(of));
    }
    return valuePath.then(key, evaluationContext);
  }

  /** Reads a part of a value. */
  @FunctionalInterface
  interface Read {
    JsonNode of(JsonNode value);
  }

  /** Sends a part of a value to the sink; nothing where an optional access fails. */
  static boolean emit(
      JsonNode value,
      @Nullable ValuePath valuePath,
      boolean optional,
      Read read,
      EvaluationContext evaluationContext,
      OutputSink out) {
    JsonNode part;
    try {
      part = read.of(value);
    } catch (JqException e) {
      if (!optional) {
        throw e;
      }
      evaluationContext.charge(20);
      return true;
    }
    return out.emit(part, valuePath);
  }

  /** {@code .} */
  public static final class Identity extends Code {
    public static final Identity INSTANCE = new Identity();

    private Identity() {
      super(true, 1);
    }

    @Override
    public JsonNode one(JsonNode in, @Nullable Env env, EvaluationContext evaluationContext) {
      evaluationContext.step();
      return in;
    }

    @Override
    public boolean each(
        JsonNode in,
        @Nullable ValuePath valuePath,
        @Nullable Env env,
        EvaluationContext evaluationContext,
        OutputSink out) {
      evaluationContext.step();
      return out.emit(in, valuePath);
    }
  }

  /** {@code .a.b.c} */
  public static final class FieldPath extends Code {
    private final TextNode[] keys;

    public FieldPath(TextNode... keys) {
      super(true, 2);
      this.keys = keys;
    }

    TextNode[] keys() {
      return keys;
    }

    /** Some paths one behind the other. */
    static FieldPath joined(List<FieldPath> paths) {
      if (paths.size() == 1) {
        return paths.getFirst();
      }
      List<TextNode> keys = new ArrayList<>();
      paths.forEach(path -> keys.addAll(Arrays.asList(path.keys)));
      return new FieldPath(keys.toArray(TextNode[]::new));
    }

    /** This path with another behind it. */
    FieldPath then(FieldPath next) {
      TextNode[] all = Arrays.copyOf(keys, keys.length + next.keys.length);
      System.arraycopy(next.keys, 0, all, keys.length, next.keys.length);
      return new FieldPath(all);
    }

    @Override
    public JsonNode one(JsonNode in, @Nullable Env env, EvaluationContext evaluationContext) {
      evaluationContext.charge(keys.length);
      JsonNode value = in;
      for (TextNode key : keys) {
        value = Indexing.field(value, key.textValue(), key);
      }
      return value;
    }

    @Override
    public boolean each(
        JsonNode in,
        @Nullable ValuePath valuePath,
        @Nullable Env env,
        EvaluationContext evaluationContext,
        OutputSink out) {
      if (valuePath == null) {
        return out.emit(one(in, env, evaluationContext), null);
      }
      JsonNode value = in;
      ValuePath at = valuePath;
      for (TextNode key : keys) {
        at = child(at, key, value, evaluationContext);
        value = Indexing.field(value, key.textValue(), key);
      }
      return out.emit(value, at);
    }
  }

  /** {@code target[key]}, {@code target[key]?} */
  public static final class Index extends Code {
    private final Code target;
    private final Code key;
    private final boolean optional;

    public Index(Code target, Code key, boolean optional) {
      super(
          target.single && key.single && !optional,
          target.atMostOne && key.atMostOne,
          target.single && key.single && !optional
              ? 1 + Math.max(target.height, key.height)
              : 7 + target.height + key.height);
      this.target = target;
      this.key = key;
      this.optional = optional;
    }

    boolean optional() {
      return optional;
    }

    Code target() {
      return target;
    }

    Code key() {
      return key;
    }

    @Override
    public JsonNode one(JsonNode in, @Nullable Env env, EvaluationContext evaluationContext) {
      JsonNode at = key.one(in, env, evaluationContext);
      return Indexing.get(target.one(in, env, evaluationContext), at, evaluationContext);
    }

    @Override
    public boolean each(
        JsonNode in,
        @Nullable ValuePath valuePath,
        @Nullable Env env,
        EvaluationContext evaluationContext,
        OutputSink out) {
      if (single && valuePath == null) {
        return out.emit(one(in, env, evaluationContext), null);
      }
      return key.each(
          in,
          null,
          env,
          evaluationContext,
          (at, none) ->
              target.each(
                  in,
                  valuePath,
                  env,
                  evaluationContext,
                  (value, of) -> {
                    ValuePath next = of == null ? null : child(of, at, value, evaluationContext);
                    return emit(
                        value,
                        next,
                        optional,
                        v -> Indexing.get(v, at, evaluationContext),
                        evaluationContext,
                        out);
                  }));
    }
  }

  /** {@code target[]}, {@code target[]?} */
  public static final class Iterate extends Code {
    private final Code target;
    private final boolean optional;

    public Iterate(Code target, boolean optional) {
      super(false, (target.single ? 3 : 5) + target.height);
      this.target = target;
      this.optional = optional;
    }

    /** Over the items or values of the input. */
    public static Iterate input() {
      return new Iterate(Identity.INSTANCE, false);
    }

    boolean optional() {
      return optional;
    }

    Code target() {
      return target;
    }

    @Override
    public boolean each(
        JsonNode in,
        @Nullable ValuePath valuePath,
        @Nullable Env env,
        EvaluationContext evaluationContext,
        OutputSink out) {
      if (valuePath == null && target.single) {
        return iterate(
            target.one(in, env, evaluationContext), null, optional, evaluationContext, out);
      }
      return target.each(
          in,
          valuePath,
          env,
          evaluationContext,
          (value, of) -> iterate(value, of, optional, evaluationContext, out));
    }

    /** Sends the items of an array or the values of an object to the sink. */
    public static boolean iterate(
        JsonNode value,
        @Nullable ValuePath valuePath,
        boolean optional,
        EvaluationContext evaluationContext,
        OutputSink out) {
      if (valuePath == ValuePath.NONE) {
        throw new JqException(
            "Invalid path expression near attempt to iterate through "
                + JsonPrinter.excerpt(value));
      }
      if (value.isArray()) {
        return items(value, valuePath, evaluationContext, out);
      }
      if (value instanceof ObjectNode object) {
        return members(object, valuePath, evaluationContext, out);
      }
      if (optional) {
        evaluationContext.charge(20);
        return true;
      }
      throw cannotIterate(value);
    }

    public static JqException cannotIterate(JsonNode value) {
      return new JqException("Cannot iterate over " + JqValues.describe(value));
    }

    private static boolean items(
        JsonNode array,
        @Nullable ValuePath valuePath,
        EvaluationContext evaluationContext,
        OutputSink out) {
      int size = array.size();
      for (int i = 0; i < size; i++) {
        evaluationContext.step();
        ValuePath next =
            valuePath == null ? null : valuePath.then(JqValues.number((long) i), evaluationContext);
        if (!out.emit(array.get(i), next)) {
          return false;
        }
      }
      return true;
    }

    private static boolean members(
        ObjectNode object,
        @Nullable ValuePath valuePath,
        EvaluationContext evaluationContext,
        OutputSink out) {
      for (Map.Entry<String, JsonNode> member : object.properties()) {
        evaluationContext.step();
        ValuePath next =
            valuePath == null
                ? null
                : valuePath.then(TextNode.valueOf(member.getKey()), evaluationContext);
        if (!out.emit(member.getValue(), next)) {
          return false;
        }
      }
      return true;
    }
  }
}
