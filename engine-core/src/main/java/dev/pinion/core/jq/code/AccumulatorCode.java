package dev.pinion.core.jq.code;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pinion.core.jq.value.Arithmetic;
import dev.pinion.core.jq.value.EvaluationContext;
import dev.pinion.core.jq.value.Indexing;
import dev.pinion.core.jq.value.JqValues;
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
      case AssignmentCode.PlainAssignment plainAssignment ->
          member(plainAssignment.target(), plainAssignment.value(), null);
      case AssignmentCode.Operate operate ->
          member(operate.target(), operate.value(), operate.operator());
      case OperatorCode.Binary sum
          when sum.isSum() && sum.left() instanceof PathCode.Identity && independent(sum.right()) ->
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
      case PathCode.FieldPath fieldPath when fieldPath.keys().length == 1 ->
          new ConstructionCode.Constant(fieldPath.keys()[0]);
      case PathCode.Index index
          when index.target() instanceof PathCode.Identity && !index.optional() ->
          index.key();
      default -> null;
    };
  }

  /** Whether code has one output that is not made from its input. */
  private static boolean independent(Code code) {
    return switch (code) {
      case ConstructionCode.Constant c -> true;
      case BindingCode.Local l -> true;
      case BindingCode.Global g -> true;
      case ControlFlowCode.Pipe pipe -> pipe.single && independent(pipe.left());
      case PathCode.Index index ->
          index.single && independent(index.target()) && independent(index.key());
      case OperatorCode.Binary binary ->
          binary.single && independent(binary.left()) && independent(binary.right());
      case ConstructionCode.Collect collect ->
          collect.items().single && independent(collect.items());
      case ObjectConstructionCode.PlainObject object -> {
        for (Code value : object.values()) {
          if (!independent(value)) {
            yield false;
          }
        }
        yield true;
      }
      case InterpolationCode.Interpolation text -> {
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
  abstract JsonNode next(
      JsonNode state, boolean owned, @Nullable Env env, EvaluationContext evaluationContext);

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
    JsonNode next(
        JsonNode state, boolean owned, @Nullable Env env, EvaluationContext evaluationContext) {
      JsonNode operand = value.one(state, env, evaluationContext);
      JsonNode at = key.one(state, env, evaluationContext);
      JsonNode added =
          operator == null
              ? operand
              : operator.apply(
                  Indexing.get(state, at, evaluationContext), operand, evaluationContext);
      if (owned && state instanceof ObjectNode object && at.isTextual()) {
        evaluationContext.member(object.size());
        object.set(at.textValue(), added);
        return object;
      }
      if (owned && state instanceof ArrayNode array && at.isInt()) {
        int index = at.intValue();
        if (index >= 0 && index < array.size()) {
          evaluationContext.step();
          array.set(index, added);
          return array;
        }
        if (index == array.size()) {
          evaluationContext.element(index);
          array.add(added);
          return array;
        }
      }
      return Indexing.set(state, at, added, evaluationContext);
    }
  }

  private static final class Append extends AccumulatorCode {
    private final Code value;

    Append(Code value) {
      this.value = value;
    }

    @Override
    JsonNode next(
        JsonNode state, boolean owned, @Nullable Env env, EvaluationContext evaluationContext) {
      JsonNode added = value.one(state, env, evaluationContext);
      if (!added.isArray() || !(state.isArray() || state.isNull())) {
        return Arithmetic.add(state, added, evaluationContext);
      }
      ArrayNode array =
          owned && state instanceof ArrayNode own ? own : copy(state, evaluationContext);
      for (JsonNode item : added) {
        evaluationContext.element(array.size());
        array.add(item);
      }
      return array;
    }

    private static ArrayNode copy(JsonNode state, EvaluationContext evaluationContext) {
      evaluationContext.array(state.size());
      List<JsonNode> items = new ArrayList<>(state.size());
      state.forEach(items::add);
      return JqValues.array(items);
    }
  }
}
