package dev.pinion.core.jq.code;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.core.jq.value.EvaluationContext;
import dev.pinion.core.jq.value.JqValues;
import dev.pinion.core.jq.value.ValuePath;
import org.jspecify.annotations.Nullable;

/** {@code if a then … elif b then … else … end} of many cases, tried in a loop. */
public final class CasesCode extends Code {
  private final Code[] conditions;
  private final Code[] results;
  private final Code otherwise;

  public CasesCode(Code[] conditions, Code[] results, Code otherwise) {
    super(
        ConstructionCode.allSingle(conditions)
            && ConstructionCode.allSingle(results)
            && otherwise.single,
        PipelineCode.allAtMostOne(conditions)
            && PipelineCode.allAtMostOne(results)
            && otherwise.atMostOne,
        OperatorChainCode.height(conditions)
            + Math.max(ControlFlowCode.maxHeight(results), otherwise.height));
    this.conditions = conditions;
    this.results = results;
    this.otherwise = otherwise;
  }

  @Override
  public JsonNode one(JsonNode in, @Nullable Env env, EvaluationContext evaluationContext) {
    for (int i = 0; i < conditions.length; i++) {
      evaluationContext.step();
      if (JqValues.truthy(conditions[i].one(in, env, evaluationContext))) {
        return results[i].one(in, env, evaluationContext);
      }
    }
    return otherwise.one(in, env, evaluationContext);
  }

  @Override
  public boolean each(
      JsonNode in,
      @Nullable ValuePath valuePath,
      @Nullable Env env,
      EvaluationContext evaluationContext,
      OutputSink out) {
    return from(0, in, valuePath, env, evaluationContext, out);
  }

  /** Tries the cases from one on. */
  private boolean from(
      int first,
      JsonNode in,
      @Nullable ValuePath valuePath,
      @Nullable Env env,
      EvaluationContext evaluationContext,
      OutputSink out) {
    for (int i = first; i < conditions.length; i++) {
      evaluationContext.step();
      Code condition = conditions[i];
      if (!condition.atMostOne) {
        int at = i;
        return condition.each(
            in,
            null,
            env,
            evaluationContext,
            (value, p) ->
                JqValues.truthy(value)
                    ? results[at].each(in, valuePath, env, evaluationContext, out)
                    : from(at + 1, in, valuePath, env, evaluationContext, out));
      }
      JsonNode value = HeldOutput.value(condition, in, env, evaluationContext);
      if (value == null) {
        return true;
      }
      if (JqValues.truthy(value)) {
        return results[i].each(in, valuePath, env, evaluationContext, out);
      }
    }
    return otherwise.each(in, valuePath, env, evaluationContext, out);
  }
}
