package dev.pinion.core.jq.code;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.core.jq.value.EvaluationContext;
import dev.pinion.core.jq.value.ValuePath;
import org.jspecify.annotations.Nullable;

/**
 * {@code a | b | c …} of many stages, run in a loop. Only stages with several outputs nest what
 * follows them.
 */
final class PipelineCode extends Code {
  /** Frames of a stage whose outputs each run the rest. */
  private static final int FRAMES = 4;

  private final Code[] stages;

  PipelineCode(Code... stages) {
    super(ConstructionCode.allSingle(stages), allAtMostOne(stages), height(stages));
    this.stages = stages;
  }

  static boolean allAtMostOne(Code... codes) {
    for (Code code : codes) {
      if (!code.atMostOne) {
        return false;
      }
    }
    return true;
  }

  private static int height(Code... stages) {
    int nested = 0;
    for (Code stage : stages) {
      nested += stage.atMostOne ? 0 : stage.height + FRAMES;
    }
    return nested + ControlFlowCode.maxHeight(stages) + FRAMES;
  }

  @Override
  public JsonNode one(JsonNode in, @Nullable Env env, EvaluationContext evaluationContext) {
    JsonNode value = in;
    for (Code stage : stages) {
      value = stage.one(value, env, evaluationContext);
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
    return from(0, in, valuePath, env, evaluationContext, out);
  }

  /** Runs the stages from one on. */
  private boolean from(
      int first,
      JsonNode in,
      @Nullable ValuePath valuePath,
      @Nullable Env env,
      EvaluationContext evaluationContext,
      OutputSink out) {
    JsonNode value = in;
    ValuePath at = valuePath;
    for (int i = first; i < stages.length; i++) {
      evaluationContext.step();
      Code stage = stages[i];
      if (!stage.atMostOne) {
        int next = i + 1;
        return stage.each(
            value,
            at,
            env,
            evaluationContext,
            (v, p) -> from(next, v, p, env, evaluationContext, out));
      }
      if (stage.single && at == null) {
        value = stage.one(value, env, evaluationContext);
        continue;
      }
      HeldOutput held = HeldOutput.of(stage, value, at, env, evaluationContext);
      if (held.value == null) {
        return true;
      }
      value = held.value;
      at = held.valuePath;
    }
    return out.emit(value, at);
  }
}
