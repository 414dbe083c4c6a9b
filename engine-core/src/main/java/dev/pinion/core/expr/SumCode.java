package dev.pinion.core.expr;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Code that adds up values. */
final class SumCode {
  private SumCode() {}

  /** {@code add} and {@code add(f)}; strings and arrays are concatenated at once. */
  static final class Sum extends Code.Value {
    private final Code source;

    Sum(Code source) {
      super(6 + source.height);
      this.source = source;
    }

    @Override
    JsonNode one(JsonNode in, @Nullable Env env, Run run) {
      Adding adding = new Adding(run);
      source.each(
          in,
          null,
          env,
          run,
          (value, p) -> {
            adding.add(value);
            return true;
          });
      return adding.result();
    }
  }

  private static final class Adding {
    private final Run run;
    private JsonNode sum = Json.NULL;
    private @Nullable StringBuilder text;
    private @Nullable List<JsonNode> items;

    Adding(Run run) {
      this.run = run;
    }

    void add(JsonNode value) {
      run.step();
      if (text != null && value.isTextual()) {
        run.text(value.textValue().length());
        run.checkText((long) text.length() + value.textValue().length());
        text.append(value.textValue());
      } else if (items != null && value.isArray()) {
        run.array(value.size());
        run.checkText(2L * (items.size() + value.size()));
        value.forEach(items::add);
      } else if (!value.isNull()) {
        sum = Arithmetic.add(result(), value, run);
        start();
      }
    }

    private void start() {
      text = null;
      items = null;
      if (sum.isTextual()) {
        run.text(sum.textValue().length());
        text = new StringBuilder(sum.textValue());
      } else if (sum.isArray()) {
        run.array(sum.size());
        items = new ArrayList<>();
        sum.forEach(items::add);
      }
    }

    JsonNode result() {
      if (text != null) {
        return run.textNode(text.toString());
      }
      return items != null ? Json.array(items) : sum;
    }
  }
}
