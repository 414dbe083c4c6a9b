package dev.pinion.core.jq.code;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.core.jq.value.EvaluationContext;
import dev.pinion.core.jq.value.ValuePath;
import org.jspecify.annotations.Nullable;

/**
 * The output of code with {@linkplain Code#atMostOne at most one}, kept so that what follows needs
 * not run inside that code.
 */
final class HeldOutput implements OutputSink {
  @Nullable JsonNode value;
  @Nullable ValuePath valuePath;

  /** The output of code; without value when there is none. */
  static HeldOutput of(
      Code code,
      JsonNode in,
      @Nullable ValuePath valuePath,
      @Nullable Env env,
      EvaluationContext evaluationContext) {
    HeldOutput held = new HeldOutput();
    code.each(in, valuePath, env, evaluationContext, held);
    return held;
  }

  /** The only value of code; null when there is none. */
  static @Nullable JsonNode value(
      Code code, JsonNode in, @Nullable Env env, EvaluationContext evaluationContext) {
    return code.single
        ? code.one(in, env, evaluationContext)
        : of(code, in, null, env, evaluationContext).value;
  }

  @Override
  public boolean emit(JsonNode output, @Nullable ValuePath at) {
    value = output;
    valuePath = at;
    return true;
  }
}
