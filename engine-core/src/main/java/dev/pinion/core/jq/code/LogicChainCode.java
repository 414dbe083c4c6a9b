package dev.pinion.core.jq.code;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.core.jq.value.EvaluationContext;
import dev.pinion.core.jq.value.JqValues;
import dev.pinion.core.jq.value.ValuePath;
import org.jspecify.annotations.Nullable;

/** {@code a and b and c …} or {@code a or b or c …} of many operands, decided in a loop. */
public final class LogicChainCode extends Code {
  private final boolean decisive;
  private final Code[] operands;

  /**
   * A chain of one logical operator.
   *
   * @param decisive the value of an operand that decides without those after it
   */
  public LogicChainCode(boolean decisive, Code... operands) {
    super(
        ConstructionCode.allSingle(operands),
        PipelineCode.allAtMostOne(operands),
        OperatorChainCode.height(operands));
    this.decisive = decisive;
    this.operands = operands;
  }

  @Override
  public JsonNode one(JsonNode in, @Nullable Env env, EvaluationContext evaluationContext) {
    for (Code operand : operands) {
      evaluationContext.step();
      if (JqValues.truthy(operand.one(in, env, evaluationContext)) == decisive) {
        return JqValues.bool(decisive);
      }
    }
    return JqValues.bool(!decisive);
  }

  @Override
  public boolean each(
      JsonNode in,
      @Nullable ValuePath valuePath,
      @Nullable Env env,
      EvaluationContext evaluationContext,
      OutputSink out) {
    ValuePath lost = ValuePath.detached(valuePath);
    return single
        ? out.emit(one(in, env, evaluationContext), lost)
        : decide(0, in, env, evaluationContext, (v, p) -> out.emit(v, lost));
  }

  /** Decides by the operands from one on. */
  private boolean decide(
      int first,
      JsonNode in,
      @Nullable Env env,
      EvaluationContext evaluationContext,
      OutputSink out) {
    for (int i = first; i < operands.length; i++) {
      evaluationContext.step();
      Code operand = operands[i];
      if (!operand.atMostOne) {
        int next = i + 1;
        return operand.each(
            in,
            null,
            env,
            evaluationContext,
            (value, p) ->
                JqValues.truthy(value) == decisive
                    ? out.emit(JqValues.bool(decisive), null)
                    : decide(next, in, env, evaluationContext, out));
      }
      JsonNode value = HeldOutput.value(operand, in, env, evaluationContext);
      if (value == null) {
        return true;
      }
      if (JqValues.truthy(value) == decisive) {
        return out.emit(JqValues.bool(decisive), null);
      }
    }
    return out.emit(JqValues.bool(!decisive), null);
  }
}
