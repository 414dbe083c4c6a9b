package dev.pinion.core.expr;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Assignments: they return a changed copy of their input. */
final class AssignCode {
  private AssignCode() {}

  /** New value in the place of one that an assignment refers to; null deletes it. */
  @FunctionalInterface
  interface Change {
    @Nullable JsonNode of(JsonNode old);
  }

  /** Changes the values that a path expression refers to. */
  static JsonNode change(Code target, JsonNode in, @Nullable Env env, Run run, Change change) {
    if (Direct.supports(target)) {
      JsonNode changed = Direct.change(target, in, env, run, change);
      return changed == null ? Json.NULL : changed.isMissingNode() ? in : changed;
    }
    Rewriting rewriting = new Rewriting(in);
    target.each(
        in, Path.ROOT, env, run, (old, at) -> rewriting.apply(path(old, at, run), change, run));
    return rewriting.result(run);
  }

  /** The path of an output, for {@code path(f)} and assignments. */
  static ArrayNode path(JsonNode value, @Nullable Path path, Run run) {
    if (path == null || path == Path.LOST) {
      throw new JqError("Invalid path expression with result " + JsonText.excerpt(value));
    }
    return path.toJson(run);
  }

  /** Rewrites a value path by path; deletes at the end, so that indices keep their meaning. */
  private static final class Rewriting {
    private JsonNode value;
    private final List<JsonNode> deleted = new ArrayList<>();

    Rewriting(JsonNode value) {
      this.value = value;
    }

    boolean apply(ArrayNode keys, Change change, Run run) {
      JsonNode changed = change.of(Paths.get(value, keys, run));
      if (changed == null) {
        run.charge(2);
        deleted.add(keys);
      } else {
        value = Paths.set(value, keys, changed, run);
      }
      return true;
    }

    JsonNode result(Run run) {
      return deleted.isEmpty() ? value : Paths.delete(value, Json.array(deleted), run);
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
        case AccessCode.Identity i -> true;
        case AccessCode.Fields f -> true;
        case AccessCode.Iterate i -> !i.optional() && supports(i.target());
        case FlowCode.Pipe p -> supports(p.left()) && supports(p.right());
        default -> false;
      };
    }

    static @Nullable JsonNode change(
        Code target, JsonNode in, @Nullable Env env, Run run, Change change) {
      run.step();
      return switch (target) {
        case AccessCode.Identity i -> change.of(in);
        case AccessCode.Fields fields -> field(fields.keys(), 0, in, run, change);
        case AccessCode.Iterate i ->
            change(i.target(), in, env, run, value -> iterate(value, run, change));
        case FlowCode.Pipe p ->
            change(p.left(), in, env, run, value -> change(p.right(), value, env, run, change));
        default -> throw new IllegalStateException("expected a plain path");
      };
    }

    private static @Nullable JsonNode field(
        TextNode[] keys, int at, JsonNode in, Run run, Change change) {
      if (at == keys.length) {
        return change.of(in);
      }
      TextNode key = keys[at];
      JsonNode old = Access.field(in, key.textValue(), key);
      JsonNode changed = field(keys, at + 1, old, run, change);
      if (changed != null && changed.isMissingNode()) {
        return UNTOUCHED;
      }
      if (changed != null) {
        return Access.set(in, key, changed, run);
      }
      return in.isNull() ? UNTOUCHED : Access.delete(in, List.of(key), run);
    }

    private static JsonNode iterate(JsonNode in, Run run, Change change) {
      if (in.isArray()) {
        run.array(in.size());
        List<JsonNode> items = new ArrayList<>(in.size());
        for (JsonNode item : in) {
          JsonNode changed = change.of(item);
          if (changed != null) {
            items.add(changed.isMissingNode() ? item : changed);
          }
        }
        return Json.array(items);
      }
      if (in instanceof ObjectNode object) {
        run.object(object.size());
        Map<String, JsonNode> members = Json.members(object.size());
        for (Map.Entry<String, JsonNode> member : object.properties()) {
          JsonNode changed = change.of(member.getValue());
          if (changed != null) {
            members.put(member.getKey(), changed.isMissingNode() ? member.getValue() : changed);
          }
        }
        return Json.object(members);
      }
      throw AccessCode.Iterate.cannotIterate(in);
    }
  }

  /** {@code target = value} for each output of value. */
  static final class Set extends Code {
    private final Code target;
    private final Code value;

    Set(Code target, Code value) {
      super(value.single, 10 + 2 * target.height + value.height);
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
    JsonNode one(JsonNode in, @Nullable Env env, Run run) {
      return set(value.one(in, env, run), in, env, run);
    }

    private JsonNode set(JsonNode newValue, JsonNode in, @Nullable Env env, Run run) {
      return change(target, in, env, run, old -> newValue);
    }

    @Override
    boolean each(JsonNode in, @Nullable Path path, @Nullable Env env, Run run, Sink out) {
      return value.each(
          in,
          null,
          env,
          run,
          (newValue, p) -> out.emit(set(newValue, in, env, run), Path.lost(path)));
    }
  }

  /** {@code target |= update}: the first output of update; none deletes. */
  static final class Update extends Code.Value {
    private final Code target;
    private final Code update;

    Update(Code target, Code update) {
      super(10 + 2 * target.height + update.height);
      this.target = target;
      this.update = update;
    }

    @Override
    JsonNode one(JsonNode in, @Nullable Env env, Run run) {
      return change(target, in, env, run, old -> first(update, old, env, run));
    }
  }

  /** The first output of code, or null when there is none. */
  static @Nullable JsonNode first(Code code, JsonNode in, @Nullable Env env, Run run) {
    if (code.single) {
      return code.one(in, env, run);
    }
    First first = new First();
    code.each(in, null, env, run, first);
    return first.value;
  }

  /** Keeps the first output and stops. */
  private static final class First implements Sink {
    @Nullable JsonNode value;

    @Override
    public boolean emit(JsonNode output, @Nullable Path path) {
      value = output;
      return false;
    }
  }

  /** {@code target += value} and its like, for each output of value. */
  static final class Operate extends Code {
    private final OperatorCode.Operator operator;
    private final Code target;
    private final Code value;

    Operate(OperatorCode.Operator operator, Code target, Code value) {
      super(value.single, 10 + 2 * target.height + value.height);
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
    JsonNode one(JsonNode in, @Nullable Env env, Run run) {
      return operate(value.one(in, env, run), in, env, run);
    }

    private JsonNode operate(JsonNode operand, JsonNode in, @Nullable Env env, Run run) {
      return change(target, in, env, run, old -> operator.apply(old, operand, run));
    }

    @Override
    boolean each(JsonNode in, @Nullable Path path, @Nullable Env env, Run run, Sink out) {
      return value.each(
          in,
          null,
          env,
          run,
          (operand, p) -> out.emit(operate(operand, in, env, run), Path.lost(path)));
    }
  }
}
