package dev.pinion.core.jq.code;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.core.jq.value.EvaluationContext;
import dev.pinion.core.jq.value.JqException;
import dev.pinion.core.jq.value.JqValues;
import dev.pinion.core.jq.value.ValuePath;
import org.jspecify.annotations.Nullable;

/** Code that passes some of the outputs of other code. */
public final class LimitCode {
  private LimitCode() {}

  /** The outputs of code from one position on, up to a number of them. */
  public static final class SkipAndLimit extends Code {
    private final long skipped;
    private final long most;
    private final Code source;

    public SkipAndLimit(long skipped, long most, Code source) {
      super(false, most <= 1, 4 + source.height);
      this.skipped = skipped;
      this.most = most;
      this.source = source;
    }

    @Override
    public boolean each(
        JsonNode in,
        @Nullable ValuePath valuePath,
        @Nullable Env env,
        EvaluationContext evaluationContext,
        OutputSink out) {
      return window(skipped, most, source, in, valuePath, env, evaluationContext, out);
    }

    static boolean window(
        long skipped,
        long most,
        Code source,
        JsonNode in,
        @Nullable ValuePath valuePath,
        @Nullable Env env,
        EvaluationContext evaluationContext,
        OutputSink out) {
      if (most <= 0) {
        return true;
      }
      Passing passing = new Passing(skipped, most, out);
      return source.each(in, valuePath, env, evaluationContext, passing) || passing.more;
    }

    private static final class Passing implements OutputSink {
      private final OutputSink out;
      private long skipped;
      private long left;
      boolean more;

      Passing(long skipped, long most, OutputSink out) {
        this.skipped = skipped;
        this.left = most;
        this.out = out;
      }

      @Override
      public boolean emit(JsonNode value, @Nullable ValuePath valuePath) {
        if (skipped > 0) {
          skipped--;
          return true;
        }
        left--;
        if (!out.emit(value, valuePath)) {
          return false;
        }
        more = left == 0;
        return left > 0;
      }
    }
  }

  /** {@code limit(n; source)} and {@code skip(n; source)} */
  public static final class CountedLimit extends Code {
    private final Code count;
    private final Code source;
    private final boolean limit;

    public CountedLimit(Code count, Code source, boolean limit) {
      super(false, 6 + count.height + source.height);
      this.count = count;
      this.source = source;
      this.limit = limit;
    }

    @Override
    public boolean each(
        JsonNode in,
        @Nullable ValuePath valuePath,
        @Nullable Env env,
        EvaluationContext evaluationContext,
        OutputSink out) {
      return count.each(
          in,
          null,
          env,
          evaluationContext,
          (n, p) -> {
            long number = number(n);
            return limit
                ? SkipAndLimit.window(0, number, source, in, valuePath, env, evaluationContext, out)
                : SkipAndLimit.window(
                    number, Long.MAX_VALUE, source, in, valuePath, env, evaluationContext, out);
          });
    }

    private long number(JsonNode n) {
      String name = limit ? "limit" : "skip";
      if (!n.isNumber()) {
        throw new JqException(name + " expects a number, found " + JqValues.describe(n));
      }
      if (n.doubleValue() < 0) {
        throw new JqException(name + " doesn't support negative count");
      }
      return (long) Math.ceil(n.doubleValue());
    }
  }

  /** {@code last(source)} */
  public static final class Last extends Code {
    private final Code source;

    public Last(Code source) {
      super(false, true, 4 + source.height);
      this.source = source;
    }

    @Override
    public boolean each(
        JsonNode in,
        @Nullable ValuePath valuePath,
        @Nullable Env env,
        EvaluationContext evaluationContext,
        OutputSink out) {
      Keeping last = new Keeping();
      source.each(in, valuePath, env, evaluationContext, last);
      return last.value == null || out.emit(last.value, last.valuePath);
    }

    private static final class Keeping implements OutputSink {
      @Nullable JsonNode value;
      @Nullable ValuePath valuePath;

      @Override
      public boolean emit(JsonNode newValue, @Nullable ValuePath newPath) {
        value = newValue;
        valuePath = newPath;
        return true;
      }
    }
  }
}
