package dev.pinion.core.jq.code;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.core.jq.value.EvaluationContext;
import dev.pinion.core.jq.value.ValuePath;
import org.jspecify.annotations.Nullable;

/**
 * {@code a + b - c …} of many operands, applied from left to right in a loop. As with one operator,
 * the last operand is the outer loop and is evaluated first.
 */
public final class OperatorChainCode extends Code {
  /** Frames of an operand whose outputs each run the operands before it. */
  private static final int FRAMES = 4;

  private final Code[] operands;
  private final OperatorCode.Operator[] operators;

  /**
   * A chain.
   *
   * @param operands one more than operators
   */
  public OperatorChainCode(Code[] operands, OperatorCode.Operator[] operators) {
    super(
        ConstructionCode.allSingle(operands),
        PipelineCode.allAtMostOne(operands),
        height(operands));
    this.operands = operands;
    this.operators = operators;
  }

  static int height(Code... operands) {
    int nested = 0;
    for (Code operand : operands) {
      nested += operand.atMostOne ? 0 : operand.height + FRAMES;
    }
    return nested + ControlFlowCode.maxHeight(operands) + FRAMES;
  }

  @Override
  public JsonNode one(JsonNode in, @Nullable Env env, EvaluationContext evaluationContext) {
    evaluationContext.charge(operands.length);
    JsonNode[] values = new JsonNode[operands.length];
    for (int i = operands.length - 1; i >= 0; i--) {
      values[i] = operands[i].one(in, env, evaluationContext);
    }
    return result(values, evaluationContext);
  }

  @Override
  public boolean each(
      JsonNode in,
      @Nullable ValuePath valuePath,
      @Nullable Env env,
      EvaluationContext evaluationContext,
      OutputSink out) {
    ValuePath lost = ValuePath.detached(valuePath);
    if (single) {
      return out.emit(one(in, env, evaluationContext), lost);
    }
    evaluationContext.charge(operands.length);
    JsonNode[] values = new JsonNode[operands.length];
    return choose(
        operands.length - 1, values, in, env, evaluationContext, (v, p) -> out.emit(v, lost));
  }

  /** Goes through the outputs of the operands from one down to the first. */
  private boolean choose(
      int last,
      JsonNode[] values,
      JsonNode in,
      @Nullable Env env,
      EvaluationContext evaluationContext,
      OutputSink out) {
    for (int i = last; i >= 0; i--) {
      evaluationContext.step();
      Code operand = operands[i];
      if (!operand.atMostOne) {
        int at = i;
        return operand.each(
            in,
            null,
            env,
            evaluationContext,
            (value, p) -> {
              values[at] = value;
              return choose(at - 1, values, in, env, evaluationContext, out);
            });
      }
      JsonNode value = HeldOutput.value(operand, in, env, evaluationContext);
      if (value == null) {
        return true;
      }
      values[i] = value;
    }
    return out.emit(result(values, evaluationContext), null);
  }

  /** The result; sums of strings and arrays are made at once, or their time would be quadratic. */
  private JsonNode result(JsonNode[] values, EvaluationContext evaluationContext) {
    JsonNode result = values[0];
    SumCode.Adding adding = null;
    for (int i = 0; i < operators.length; i++) {
      if (OperatorCode.isSum(operators[i])) {
        adding = adding == null ? new SumCode.Adding(result, evaluationContext) : adding;
        adding.add(values[i + 1]);
      } else {
        JsonNode left = adding == null ? result : adding.result();
        adding = null;
        result = operators[i].apply(left, values[i + 1], evaluationContext);
      }
    }
    return adding == null ? result : adding.result();
  }
}
