package dev.pinion.core.jq.code;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.core.jq.value.EvaluationContext;
import dev.pinion.core.jq.value.ValuePath;
import org.jspecify.annotations.Nullable;

/** {@code ..}: a value and everything below it, outer first. */
public final class DescentCode extends Code {
  public static final DescentCode INSTANCE = new DescentCode();

  private DescentCode() {
    super(false, 3);
  }

  @Override
  public boolean each(
      JsonNode in,
      @Nullable ValuePath valuePath,
      @Nullable Env env,
      EvaluationContext evaluationContext,
      OutputSink out) {
    return new Walk(evaluationContext, out).emit(in, valuePath);
  }

  /** Passes on a value, then everything below it; takes three Java frames a level. */
  private record Walk(EvaluationContext run, OutputSink out) implements OutputSink {
    @Override
    public boolean emit(JsonNode value, @Nullable ValuePath valuePath) {
      run.step();
      if (!out.emit(value, valuePath)) {
        return false;
      }
      if (!value.isContainerNode()) {
        return true;
      }
      run.enter(6);
      boolean more = PathCode.Iterate.iterate(value, valuePath, false, run, this);
      run.leave(6);
      return more;
    }
  }
}
