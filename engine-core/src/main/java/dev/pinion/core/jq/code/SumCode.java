package dev.pinion.core.jq.code;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.core.jq.value.Arithmetic;
import dev.pinion.core.jq.value.EvaluationContext;
import dev.pinion.core.jq.value.JqValues;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Code that adds up values. */
public final class SumCode {
  private SumCode() {}

  /** {@code add} and {@code add(f)}; strings and arrays are concatenated at once. */
  public static final class Sum extends Code.SingleValue {
    private final Code source;

    public Sum(Code source) {
      super(6 + source.height);
      this.source = source;
    }

    @Override
    public JsonNode one(JsonNode in, @Nullable Env env, EvaluationContext evaluationContext) {
      Adding adding = new Adding(JqValues.NULL, evaluationContext);
      source.each(
          in,
          null,
          env,
          evaluationContext,
          (value, p) -> {
            adding.add(value);
            return true;
          });
      return adding.result();
    }
  }

  /** A sum that grows; strings and arrays grow in place. */
  static final class Adding {
    private final EvaluationContext evaluationContext;
    private JsonNode sum;
    private @Nullable StringBuilder text;
    private @Nullable List<JsonNode> items;

    Adding(JsonNode first, EvaluationContext evaluationContext) {
      this.evaluationContext = evaluationContext;
      this.sum = first;
      start();
    }

    void add(JsonNode value) {
      evaluationContext.step();
      if (text != null && value.isTextual()) {
        evaluationContext.text(value.textValue().length());
        evaluationContext.checkText((long) text.length() + value.textValue().length());
        text.append(value.textValue());
      } else if (items != null && value.isArray()) {
        evaluationContext.array(value.size());
        evaluationContext.checkText(2L * (items.size() + value.size()));
        value.forEach(items::add);
      } else if (!value.isNull()) {
        sum = Arithmetic.add(result(), value, evaluationContext);
        start();
      }
    }

    private void start() {
      text = null;
      items = null;
      if (sum.isTextual()) {
        evaluationContext.text(sum.textValue().length());
        text = new StringBuilder(sum.textValue());
      } else if (sum.isArray()) {
        evaluationContext.array(sum.size());
        items = new ArrayList<>();
        sum.forEach(items::add);
      }
    }

    JsonNode result() {
      if (text != null) {
        return evaluationContext.textNode(text.toString());
      }
      return items != null ? JqValues.array(items) : sum;
    }
  }
}
