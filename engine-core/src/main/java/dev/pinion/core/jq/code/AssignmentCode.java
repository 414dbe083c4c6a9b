package dev.pinion.core.jq.code;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.pinion.core.jq.value.EvaluationContext;
import dev.pinion.core.jq.value.Indexing;
import dev.pinion.core.jq.value.JqException;
import dev.pinion.core.jq.value.JqValues;
import dev.pinion.core.jq.value.JsonPrinter;
import dev.pinion.core.jq.value.PathAccess;
import dev.pinion.core.jq.value.ValuePath;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Assignments: they return a changed copy of their input. */
public final class AssignmentCode {
  private AssignmentCode() {}

  /** New value in the place of one that an assignment refers to; null deletes it. */
  @FunctionalInterface
  interface Change {
    @Nullable JsonNode of(JsonNode old);
  }

  /** Changes the values that a path expression refers to. */
  static JsonNode change(
      Code target,
      JsonNode in,
      @Nullable Env env,
      EvaluationContext evaluationContext,
      Change change) {
    if (Direct.supports(target)) {
      JsonNode changed = Direct.change(target, in, env, evaluationContext, change);
      return changed == null ? JqValues.NULL : changed.isMissingNode() ? in : changed;
    }
    Rewriting rewriting = new Rewriting(in);
    target.each(
        in,
        ValuePath.ROOT,
        env,
        evaluationContext,
        (old, at) -> rewriting.apply(path(old, at, evaluationContext), change, evaluationContext));
    return rewriting.result(evaluationContext);
  }

  /** The path of an output, for {@code path(f)} and assignments. */
  public static ArrayNode path(
      JsonNode value, @Nullable ValuePath valuePath, EvaluationContext evaluationContext) {
    if (valuePath == null || valuePath == ValuePath.NONE) {
      throw new JqException("Invalid path expression with result " + JsonPrinter.excerpt(value));
    }
    return valuePath.toJson(evaluationContext);
  }

  /** Rewrites a value path by path; deletes at the end, so that indices keep their meaning. */
  private static final class Rewriting {
    private JsonNode value;
    private final List<JsonNode> deleted = new ArrayList<>();

    Rewriting(JsonNode value) {
      this.value = value;
    }

    boolean apply(ArrayNode keys, Change change, EvaluationContext evaluationContext) {
      JsonNode changed = change.of(PathAccess.get(value, keys, evaluationContext));
      if (changed == null) {
        evaluationContext.charge(2);
        deleted.add(keys);
      } else {
        value = PathAccess.set(value, keys, changed, evaluationContext);
      }
      return true;
    }

    JsonNode result(EvaluationContext evaluationContext) {
      return deleted.isEmpty()
          ? value
          : PathAccess.delete(value, JqValues.array(deleted), evaluationContext);
    }
  }

  /**
   * Changes plain paths ({@code .a[0].b[]}) in one walk, where the general way would copy an array
   * once for each of its elements.
   */
  private static final class Direct {
    /** Marker of a deletion whose target does not exist. */
    static final JsonNode UNTOUCHED = MissingNode.getInstance();

    static boolean supports(Code target) {
      return switch (target) {
        case PathCode.Identity i -> true;
        case PathCode.FieldPath f -> true;
        case PathCode.Iterate i -> !i.optional() && supports(i.target());
        case ControlFlowCode.Pipe p -> supports(p.left()) && supports(p.right());
        default -> false;
      };
    }

    static @Nullable JsonNode change(
        Code target,
        JsonNode in,
        @Nullable Env env,
        EvaluationContext evaluationContext,
        Change change) {
      evaluationContext.step();
      return switch (target) {
        case PathCode.Identity i -> change.of(in);
        case PathCode.FieldPath fieldPath -> {
          evaluationContext.checkDepth(fieldPath.keys().length, PathAccess.TOO_DEEP);
          yield field(fieldPath.keys(), 0, in, evaluationContext, change);
        }
        case PathCode.Iterate i ->
            change(
                i.target(),
                in,
                env,
                evaluationContext,
                value -> iterate(value, evaluationContext, change));
        case ControlFlowCode.Pipe p ->
            change(
                p.left(),
                in,
                env,
                evaluationContext,
                value -> change(p.right(), value, env, evaluationContext, change));
        default -> throw new IllegalStateException("expected a plain path");
      };
    }

    private static @Nullable JsonNode field(
        TextNode[] keys, int at, JsonNode in, EvaluationContext evaluationContext, Change change) {
      if (at == keys.length) {
        return change.of(in);
      }

      TextNode key = keys[at];
      JsonNode old = Indexing.field(in, key.textValue(), key);
      JsonNode changed = field(keys, at + 1, old, evaluationContext, change);
      if (changed != null && changed.isMissingNode()) {
        return UNTOUCHED;
      }
      if (changed != null) {
        return Indexing.set(in, key, changed, evaluationContext);
      }
      return in.isNull() ? UNTOUCHED : Indexing.delete(in, List.of(key), evaluationContext);
    }

    private static JsonNode iterate(
        JsonNode in, EvaluationContext evaluationContext, Change change) {
      if (in.isArray()) {
        evaluationContext.array(in.size());
        List<JsonNode> items = new ArrayList<>(in.size());
        for (JsonNode item : in) {
          JsonNode changed = change.of(item);
          if (changed != null) {
            items.add(changed.isMissingNode() ? item : changed);
          }
        }
        return JqValues.array(items);
      }
      if (in instanceof ObjectNode object) {
        evaluationContext.object(object.size());
        Map<String, JsonNode> members = JqValues.members(object.size());
        for (Map.Entry<String, JsonNode> member : object.properties()) {
          JsonNode changed = change.of(member.getValue());
          if (changed != null) {
            members.put(member.getKey(), changed.isMissingNode() ? member.getValue() : changed);
          }
        }
        return JqValues.object(members);
      }
      throw PathCode.Iterate.cannotIterate(in);
    }
  }

  /** {@code target = value} for each output of value. */
  public static final class PlainAssignment extends Code {
    private final Code target;
    private final Code value;

    public PlainAssignment(Code target, Code value) {
      super(value.single, value.atMostOne, 10 + 2 * target.height + value.height);
      this.target = target;
      this.value = value;
    }

    Code target() {
      return target;
    }

    Code value() {
      return value;
    }

    @Override
    public JsonNode one(JsonNode in, @Nullable Env env, EvaluationContext evaluationContext) {
      return set(value.one(in, env, evaluationContext), in, env, evaluationContext);
    }

    private JsonNode set(
        JsonNode newValue, JsonNode in, @Nullable Env env, EvaluationContext evaluationContext) {
      return change(target, in, env, evaluationContext, old -> newValue);
    }

    @Override
    public boolean each(
        JsonNode in,
        @Nullable ValuePath valuePath,
        @Nullable Env env,
        EvaluationContext evaluationContext,
        OutputSink out) {
      return value.each(
          in,
          null,
          env,
          evaluationContext,
          (newValue, p) ->
              out.emit(set(newValue, in, env, evaluationContext), ValuePath.detached(valuePath)));
    }
  }

  /** {@code target |= update}: the first output of update; none deletes. */
  public static final class Update extends Code.SingleValue {
    private final Code target;
    private final Code update;

    public Update(Code target, Code update) {
      super(10 + 2 * target.height + update.height);
      this.target = target;
      this.update = update;
    }

    @Override
    public JsonNode one(JsonNode in, @Nullable Env env, EvaluationContext evaluationContext) {
      return change(
          target, in, env, evaluationContext, old -> first(update, old, env, evaluationContext));
    }
  }

  /** The first output of code, or null when there is none. */
  public static @Nullable JsonNode first(
      Code code, JsonNode in, @Nullable Env env, EvaluationContext evaluationContext) {
    if (code.single) {
      return code.one(in, env, evaluationContext);
    }
    First first = new First();
    code.each(in, null, env, evaluationContext, first);
    return first.value;
  }

  /** Keeps the first output and stops. */
  private static final class First implements OutputSink {
    @Nullable JsonNode value;

    @Override
    public boolean emit(JsonNode output, @Nullable ValuePath valuePath) {
      value = output;
      return false;
    }
  }

  /** {@code target += value} and its like, for each output of value. */
  public static final class Operate extends Code {
    private final OperatorCode.Operator operator;
    private final Code target;
    private final Code value;

    public Operate(OperatorCode.Operator operator, Code target, Code value) {
      super(value.single, value.atMostOne, 10 + 2 * target.height + value.height);
      this.operator = operator;
      this.target = target;
      this.value = value;
    }

    OperatorCode.Operator operator() {
      return operator;
    }

    Code target() {
      return target;
    }

    Code value() {
      return value;
    }

    @Override
    public JsonNode one(JsonNode in, @Nullable Env env, EvaluationContext evaluationContext) {
      return operate(value.one(in, env, evaluationContext), in, env, evaluationContext);
    }

    private JsonNode operate(
        JsonNode operand, JsonNode in, @Nullable Env env, EvaluationContext evaluationContext) {
      return change(
          target,
          in,
          env,
          evaluationContext,
          old -> operator.apply(old, operand, evaluationContext));
    }

    @Override
    public boolean each(
        JsonNode in,
        @Nullable ValuePath valuePath,
        @Nullable Env env,
        EvaluationContext evaluationContext,
        OutputSink out) {
      return value.each(
          in,
          null,
          env,
          evaluationContext,
          (operand, p) ->
              out.emit(
                  operate(operand, in, env, evaluationContext), ValuePath.detached(valuePath)));
    }
  }
}
