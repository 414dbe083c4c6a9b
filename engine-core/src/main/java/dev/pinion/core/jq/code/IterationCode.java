package dev.pinion.core.jq.code;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.core.jq.value.EvaluationContext;
import dev.pinion.core.jq.value.JqException;
import dev.pinion.core.jq.value.JqValues;
import dev.pinion.core.jq.value.ValuePath;
import org.jspecify.annotations.Nullable;

/** Code that repeats a step. */
public final class IterationCode {
  private IterationCode() {}

  /** {@code repeat(step)}: the outputs of the step for the same input, until it fails. */
  public static final class Repeat extends Code {
    private final Code step;

    public Repeat(Code step) {
      super(false, 3 + step.height);
      this.step = step;
    }

    @Override
    public boolean each(
        JsonNode in,
        @Nullable ValuePath valuePath,
        @Nullable Env env,
        EvaluationContext evaluationContext,
        OutputSink out) {
      do {
        evaluationContext.step();
      } while (step.each(in, valuePath, env, evaluationContext, out));
      return false;
    }
  }

  /**
   * {@code while(condition; step)} and {@code recurse(step)}: the input and, repeatedly, the result
   * of a step.
   *
   * <p>An output of the step waits until the step yields another one or ends; the last one is then
   * dealt with in a loop. So a chain of single steps, however long, does not nest.
   */
  public static final class Iteration extends Code {
    private final @Nullable Code condition;
    private final Code step;

    public Iteration(@Nullable Code condition, Code step) {
      super(false, 8 + step.height + (condition == null ? 0 : condition.height));
      this.condition = condition;
      this.step = step;
    }

    @Override
    public boolean each(
        JsonNode in,
        @Nullable ValuePath valuePath,
        @Nullable Env env,
        EvaluationContext evaluationContext,
        OutputSink out) {
      JsonNode value = in;
      ValuePath at = valuePath;
      while (true) {
        evaluationContext.step();
        if (condition != null && !holds(condition, value, env, evaluationContext)) {
          return true;
        }
        if (!out.emit(value, at)) {
          return false;
        }
        Waiting waiting = new Waiting(env, evaluationContext, out);
        if (!waiting.run(value, at)) {
          return false;
        }
        JsonNode next = waiting.value;
        if (next == null) {
          return true;
        }
        value = next;
        at = waiting.valuePath;
      }
    }

    private static boolean holds(
        Code condition, JsonNode value, @Nullable Env env, EvaluationContext evaluationContext) {
      JsonNode first = AssignmentCode.first(condition, value, env, evaluationContext);
      return first != null && JqValues.truthy(first);
    }

    private final class Waiting implements OutputSink {
      private final @Nullable Env env;
      private final EvaluationContext evaluationContext;
      private final OutputSink out;
      @Nullable JsonNode value;
      @Nullable ValuePath valuePath;

      Waiting(@Nullable Env env, EvaluationContext evaluationContext, OutputSink out) {
        this.env = env;
        this.evaluationContext = evaluationContext;
        this.out = out;
      }

      boolean run(JsonNode in, @Nullable ValuePath at) {
        try {
          return step.each(in, at, env, evaluationContext, this);
        } catch (JqException e) {
          if (value != null && !nested(value, valuePath)) {
            return false;
          }
          throw e;
        }
      }

      @Override
      public boolean emit(JsonNode next, @Nullable ValuePath nextPath) {
        JsonNode before = value;
        ValuePath pathBefore = valuePath;
        value = next;
        valuePath = nextPath;
        if (before == null) {
          return true;
        }
        value = null;
        boolean more = nested(before, pathBefore);
        value = next;
        valuePath = nextPath;
        return more;
      }

      private boolean nested(JsonNode from, @Nullable ValuePath at) {
        evaluationContext.enter(height);
        boolean more = Iteration.this.each(from, at, env, evaluationContext, out);
        evaluationContext.leave(height);
        return more;
      }
    }
  }

  /** {@code until(condition; update)} */
  public static final class Until extends Code {
    private final Code condition;
    private final Code update;

    public Until(Code condition, Code update) {
      super(
          condition.single && update.single,
          condition.atMostOne && update.atMostOne,
          8 + condition.height + update.height);
      this.condition = condition;
      this.update = update;
    }

    @Override
    public JsonNode one(JsonNode in, @Nullable Env env, EvaluationContext evaluationContext) {
      JsonNode value = in;
      while (true) {
        evaluationContext.step();
        if (JqValues.truthy(condition.one(value, env, evaluationContext))) {
          return value;
        }
        value = update.one(value, env, evaluationContext);
      }
    }

    @Override
    public boolean each(
        JsonNode in,
        @Nullable ValuePath valuePath,
        @Nullable Env env,
        EvaluationContext evaluationContext,
        OutputSink out) {
      if (single && valuePath == null) {
        return out.emit(one(in, env, evaluationContext), null);
      }
      evaluationContext.enter(height);
      boolean more =
          condition.each(
              in,
              null,
              env,
              evaluationContext,
              (done, p) ->
                  JqValues.truthy(done)
                      ? out.emit(in, valuePath)
                      : update.each(
                          in,
                          valuePath,
                          env,
                          evaluationContext,
                          (value, at) -> each(value, at, env, evaluationContext, out)));
      evaluationContext.leave(height);
      return more;
    }
  }

  /** {@code range(from; to; by)}; from is the outer loop. */
  public static final class Range extends Code {
    private final Code from;
    private final Code to;
    private final Code by;

    public Range(Code from, Code to, Code by) {
      super(false, 10 + from.height + to.height + by.height);
      this.from = from;
      this.to = to;
      this.by = by;
    }

    @Override
    public boolean each(
        JsonNode in,
        @Nullable ValuePath valuePath,
        @Nullable Env env,
        EvaluationContext evaluationContext,
        OutputSink out) {
      ValuePath lost = ValuePath.detached(valuePath);
      return from.each(
          in,
          null,
          env,
          evaluationContext,
          (first, p) ->
              to.each(
                  in,
                  null,
                  env,
                  evaluationContext,
                  (end, q) ->
                      by.each(
                          in,
                          null,
                          env,
                          evaluationContext,
                          (step, r) -> range(first, end, step, lost, evaluationContext, out))));
    }

    private static boolean range(
        JsonNode from,
        JsonNode to,
        JsonNode by,
        @Nullable ValuePath lost,
        EvaluationContext evaluationContext,
        OutputSink out) {
      if (!from.isNumber() || !to.isNumber() || !by.isNumber()) {
        throw new JqException("Range bounds must be numeric");
      }
      if (JqValues.isLong(from)
          && JqValues.isLong(to)
          && by.isInt()
          && from.isInt()
          && to.isInt()) {
        return integers(
            from.longValue(), to.longValue(), by.longValue(), lost, evaluationContext, out);
      }
      double end = to.doubleValue();
      double step = by.doubleValue();
      for (double at = from.doubleValue(); step > 0 ? at < end : step < 0 && at > end; at += step) {
        evaluationContext.step();
        if (!out.emit(JqValues.number(at), lost)) {
          return false;
        }
      }
      return true;
    }

    private static boolean integers(
        long from,
        long to,
        long by,
        @Nullable ValuePath lost,
        EvaluationContext evaluationContext,
        OutputSink out) {
      for (long at = from; by > 0 ? at < to : by < 0 && at > to; at += by) {
        evaluationContext.step();
        if (!out.emit(JqValues.number(at), lost)) {
          return false;
        }
      }
      return true;
    }
  }
}
