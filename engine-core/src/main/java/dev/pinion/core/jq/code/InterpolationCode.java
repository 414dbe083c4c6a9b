package dev.pinion.core.jq.code;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.pinion.core.jq.value.EvaluationContext;
import dev.pinion.core.jq.value.StringFormats;
import dev.pinion.core.jq.value.ValuePath;
import org.jspecify.annotations.Nullable;

/** Code that makes strings. */
public final class InterpolationCode {
  private InterpolationCode() {}

  /** A string with interpolations; for every combination of their outputs, the first fastest. */
  public static final class Interpolation extends Code {
    private final String[] texts;
    private final Code[] holes;
    private final StringFormats.Format format;

    public Interpolation(String[] texts, Code[] holes, StringFormats.Format format) {
      super(ConstructionCode.allSingle(holes), PipelineCode.allAtMostOne(holes), height(holes));
      this.texts = texts;
      this.holes = holes;
      this.format = format;
    }

    Code[] holes() {
      return holes;
    }

    private static int height(Code... holes) {
      int sum = 2;
      int most = 0;
      for (Code hole : holes) {
        sum += hole.height + 4;
        most = Math.max(most, hole.height);
      }
      return ConstructionCode.allSingle(holes) ? most + 2 : sum;
    }

    @Override
    public JsonNode one(JsonNode in, @Nullable Env env, EvaluationContext evaluationContext) {
      String[] filled = new String[holes.length];
      for (int i = holes.length - 1; i >= 0; i--) {
        filled[i] = format.apply(holes[i].one(in, env, evaluationContext), evaluationContext);
      }
      return join(filled, evaluationContext);
    }

    @Override
    public boolean each(
        JsonNode in,
        @Nullable ValuePath valuePath,
        @Nullable Env env,
        EvaluationContext evaluationContext,
        OutputSink out) {
      return hole(
          holes.length - 1,
          new String[holes.length],
          in,
          env,
          evaluationContext,
          (v, p) -> out.emit(v, ValuePath.detached(valuePath)));
    }

    private boolean hole(
        int i,
        String[] filled,
        JsonNode in,
        @Nullable Env env,
        EvaluationContext evaluationContext,
        OutputSink out) {
      if (i < 0) {
        return out.emit(join(filled, evaluationContext), null);
      }
      return holes[i].each(
          in,
          null,
          env,
          evaluationContext,
          (value, p) -> {
            filled[i] = format.apply(value, evaluationContext);
            return hole(i - 1, filled, in, env, evaluationContext, out);
          });
    }

    private JsonNode join(String[] filled, EvaluationContext evaluationContext) {
      long length = texts[0].length();
      for (int i = 0; i < filled.length; i++) {
        length += filled[i].length() + texts[i + 1].length();
      }
      evaluationContext.text(length);
      StringBuilder text = new StringBuilder((int) length).append(texts[0]);
      for (int i = 0; i < filled.length; i++) {
        text.append(filled[i]).append(texts[i + 1]);
      }
      return TextNode.valueOf(text.toString());
    }
  }
}
