package dev.pinion.core.expr;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Updates of {@code reduce} that put something into the state: {@code .[k] = v}, {@code .[k] += v}
 * and {@code . + [v]}, where v does not depend on the state.
 *
 * <p>The first update copies the state. From then on the reduction alone holds the copy, because
 * nothing in the update passes the state on, so further updates write to it in place. Otherwise an
 * index of n items would take quadratic time.
 */
abstract class AccumulatorCode {
  /** The update as an accumulation, or null when it is something else. */
  static @Nullable AccumulatorCode of(Code update) {
    return switch (update) {
      case AssignCode.Set set -> member(set.target(), set.value(), null);
      case AssignCode.Operate operate ->
          member(operate.target(), operate.value(), operate.operator());
      case OperatorCode.Binary sum
          when sum.isSum()
              && sum.left() instanceof AccessCode.Identity
              && independent(sum.right()) ->
          new Append(sum.right());
      default -> null;
    };
  }

  private static @Nullable AccumulatorCode member(
      Code target, Code value, OperatorCode.@Nullable Operator operator) {
    Code key = key(target);
    return key != null && independent(key) && independent(value)
        ? new Member(key, value, operator)
        : null;
  }

  /** The key of a target that is one level below the state. */
  private static @Nullable Code key(Code target) {
    return switch (target) {
      case AccessCode.Fields fields when fields.keys().length == 1 ->
          new MakeCode.Constant(fields.keys()[0]);
      case AccessCode.Index index
          when index.target() instanceof AccessCode.Identity && !index.optional() ->
          index.key();
      default -> null;
    };
  }

  /** Whether code has one output that is not made from its input. */
  private static boolean independent(Code code) {
    return switch (code) {
      case MakeCode.Constant c -> true;
      case BindingCode.Local l -> true;
      case BindingCode.Global g -> true;
      case FlowCode.Pipe pipe -> pipe.single && independent(pipe.left());
      case AccessCode.Index index ->
          index.single && independent(index.target()) && independent(index.key());
      case OperatorCode.Binary binary ->
          binary.single && independent(binary.left()) && independent(binary.right());
      case MakeCode.Collect collect -> collect.items().single && independent(collect.items());
      case ObjectCode.PlainObject object -> {
        for (Code value : object.values()) {
          if (!independent(value)) {
            yield false;
          }
        }
        yield true;
      }
      case TextCode.Interpolation text -> {
        for (Code hole : text.holes()) {
          if (!hole.single || !independent(hole)) {
            yield false;
          }
        }
        yield true;
      }
      default -> false;
    };
  }

  /**
   * The next state.
   *
   * @param owned whether the state may be written to; otherwise the result is a copy
   */
  abstract JsonNode next(JsonNode state, boolean owned, @Nullable Env env, Run run);

  private static final class Member extends AccumulatorCode {
    private final Code key;
    private final Code value;
    private final OperatorCode.@Nullable Operator operator;

    Member(Code key, Code value, OperatorCode.@Nullable Operator operator) {
      this.key = key;
      this.value = value;
      this.operator = operator;
    }

    @Override
    JsonNode next(JsonNode state, boolean owned, @Nullable Env env, Run run) {
      JsonNode operand = value.one(state, env, run);
      JsonNode at = key.one(state, env, run);
      JsonNode added =
          operator == null ? operand : operator.apply(Access.get(state, at, run), operand, run);
      if (owned && state instanceof ObjectNode object && at.isTextual()) {
        run.member(object.size());
        object.set(at.textValue(), added);
        return object;
      }
      if (owned && state instanceof ArrayNode array && at.isInt()) {
        int index = at.intValue();
        if (index >= 0 && index < array.size()) {
          run.step();
          array.set(index, added);
          return array;
        }
        if (index == array.size()) {
          run.element(index);
          array.add(added);
          return array;
        }
      }
      return Access.set(state, at, added, run);
    }
  }

  private static final class Append extends AccumulatorCode {
    private final Code value;

    Append(Code value) {
      this.value = value;
    }

    @Override
    JsonNode next(JsonNode state, boolean owned, @Nullable Env env, Run run) {
      JsonNode added = value.one(state, env, run);
      if (!added.isArray() || !(state.isArray() || state.isNull())) {
        return Arithmetic.add(state, added, run);
      }
      ArrayNode array = owned && state instanceof ArrayNode own ? own : copy(state, run);
      for (JsonNode item : added) {
        run.element(array.size());
        array.add(item);
      }
      return array;
    }

    private static ArrayNode copy(JsonNode state, Run run) {
      run.array(state.size());
      List<JsonNode> items = new ArrayList<>(state.size());
      state.forEach(items::add);
      return Json.array(items);
    }
  }
}
