package dev.pinion.core.expr;

import com.fasterxml.jackson.databind.JsonNode;
import org.jspecify.annotations.Nullable;

/** Code that repeats a step. */
final class IterationCode {
  private IterationCode() {}

  /** {@code repeat(step)}: the outputs of the step for the same input, until it fails. */
  static final class Repeat extends Code {
    private final Code step;

    Repeat(Code step) {
      super(false, 3 + step.height);
      this.step = step;
    }

    @Override
    boolean each(JsonNode in, @Nullable Path path, @Nullable Env env, Run run, Sink out) {
      do {
        run.step();
      } while (step.each(in, path, env, run, out));
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
  static final class Iteration extends Code {
    private final @Nullable Code condition;
    private final Code step;

    Iteration(@Nullable Code condition, Code step) {
      super(false, 8 + step.height + (condition == null ? 0 : condition.height));
      this.condition = condition;
      this.step = step;
    }

    @Override
    boolean each(JsonNode in, @Nullable Path path, @Nullable Env env, Run run, Sink out) {
      JsonNode value = in;
      Path at = path;
      while (true) {
        run.step();
        if (condition != null && !holds(condition, value, env, run)) {
          return true;
        }
        if (!out.emit(value, at)) {
          return false;
        }
        Waiting waiting = new Waiting(env, run, out);
        if (!waiting.run(value, at)) {
          return false;
        }
        JsonNode next = waiting.value;
        if (next == null) {
          return true;
        }
        value = next;
        at = waiting.path;
      }
    }

    private static boolean holds(Code condition, JsonNode value, @Nullable Env env, Run run) {
      JsonNode first = AssignCode.first(condition, value, env, run);
      return first != null && Json.truthy(first);
    }

    private final class Waiting implements Sink {
      private final @Nullable Env env;
      private final Run run;
      private final Sink out;
      @Nullable JsonNode value;
      @Nullable Path path;

      Waiting(@Nullable Env env, Run run, Sink out) {
        this.env = env;
        this.run = run;
        this.out = out;
      }

      boolean run(JsonNode in, @Nullable Path at) {
        try {
          return step.each(in, at, env, run, this);
        } catch (JqError e) {
          if (value != null && !nested(value, path)) {
            return false;
          }
          throw e;
        }
      }

      @Override
      public boolean emit(JsonNode next, @Nullable Path nextPath) {
        JsonNode before = value;
        Path pathBefore = path;
        value = next;
        path = nextPath;
        if (before == null) {
          return true;
        }
        value = null;
        boolean more = nested(before, pathBefore);
        value = next;
        path = nextPath;
        return more;
      }

      private boolean nested(JsonNode from, @Nullable Path at) {
        run.enter(height);
        boolean more = Iteration.this.each(from, at, env, run, out);
        run.leave(height);
        return more;
      }
    }
  }

  /** {@code until(condition; update)} */
  static final class Until extends Code {
    private final Code condition;
    private final Code update;

    Until(Code condition, Code update) {
      super(condition.single && update.single, 8 + condition.height + update.height);
      this.condition = condition;
      this.update = update;
    }

    @Override
    JsonNode one(JsonNode in, @Nullable Env env, Run run) {
      JsonNode value = in;
      while (true) {
        run.step();
        if (Json.truthy(condition.one(value, env, run))) {
          return value;
        }
        value = update.one(value, env, run);
      }
    }

    @Override
    boolean each(JsonNode in, @Nullable Path path, @Nullable Env env, Run run, Sink out) {
      if (single && path == null) {
        return out.emit(one(in, env, run), null);
      }
      run.enter(height);
      boolean more =
          condition.each(
              in,
              null,
              env,
              run,
              (done, p) ->
                  Json.truthy(done)
                      ? out.emit(in, path)
                      : update.each(
                          in, path, env, run, (value, at) -> each(value, at, env, run, out)));
      run.leave(height);
      return more;
    }
  }

  /** {@code range(from; to; by)}; from is the outer loop. */
  static final class Range extends Code {
    private final Code from;
    private final Code to;
    private final Code by;

    Range(Code from, Code to, Code by) {
      super(false, 10 + from.height + to.height + by.height);
      this.from = from;
      this.to = to;
      this.by = by;
    }

    @Override
    boolean each(JsonNode in, @Nullable Path path, @Nullable Env env, Run run, Sink out) {
      Path lost = Path.lost(path);
      return from.each(
          in,
          null,
          env,
          run,
          (first, p) ->
              to.each(
                  in,
                  null,
                  env,
                  run,
                  (end, q) ->
                      by.each(
                          in,
                          null,
                          env,
                          run,
                          (step, r) -> range(first, end, step, lost, run, out))));
    }

    private static boolean range(
        JsonNode from, JsonNode to, JsonNode by, @Nullable Path lost, Run run, Sink out) {
      if (!from.isNumber() || !to.isNumber() || !by.isNumber()) {
        throw new JqError("Range bounds must be numeric");
      }
      if (Json.isLong(from) && Json.isLong(to) && by.isInt() && from.isInt() && to.isInt()) {
        return integers(from.longValue(), to.longValue(), by.longValue(), lost, run, out);
      }
      double end = to.doubleValue();
      double step = by.doubleValue();
      for (double at = from.doubleValue(); step > 0 ? at < end : step < 0 && at > end; at += step) {
        run.step();
        if (!out.emit(Json.number(at), lost)) {
          return false;
        }
      }
      return true;
    }

    private static boolean integers(
        long from, long to, long by, @Nullable Path lost, Run run, Sink out) {
      for (long at = from; by > 0 ? at < to : by < 0 && at > to; at += by) {
        run.step();
        if (!out.emit(Json.number(at), lost)) {
          return false;
        }
      }
      return true;
    }
  }
}
