package dev.pinion.core.expr;

import com.fasterxml.jackson.databind.JsonNode;
import org.jspecify.annotations.Nullable;

/**
 * Functions that decide what is evaluated how often: {@code select}, {@code limit}, {@code until}.
 */
final class FlowBuiltins {
  private FlowBuiltins() {}

  static void register(Builtins.Registry registry) {
    registry.filter("empty", 0, a -> Empty.INSTANCE);
    registry.value(
        "error",
        (in, run) -> {
          run.charge(20);
          throw new JqError(in);
        });
    registry.value(
        "error",
        (in, value, run) -> {
          run.charge(20);
          throw new JqError(value);
        });
    registry.value("not", (in, run) -> Json.bool(!Json.truthy(in)));
    registry.filter("select", 1, a -> select(a[0]));
    registry.filter("recurse", 0, a -> AccessCode.Descent.INSTANCE);
    registry.filter("recurse", 1, a -> new Iteration(null, a[0]));
    registry.filter("repeat", 1, a -> new Iteration(null, a[0]));
    registry.filter("while", 2, a -> new Iteration(a[0], a[1]));
    registry.filter("until", 2, a -> new Until(a[0], a[1]));
    registry.filter("first", 1, a -> new Window(0, 1, a[0]));
    registry.filter("last", 1, a -> new Last(a[0]));
    registry.filter("limit", 2, a -> new Counted(a[0], a[1], true));
    registry.filter("skip", 2, a -> new Counted(a[0], a[1], false));
    registry.filter(
        "isempty", 1, a -> new Exists(a[0], AccessCode.Identity.INSTANCE, Exists.Mode.EMPTY));
    registry.filter("any", 2, a -> new Exists(a[0], a[1], Exists.Mode.ANY));
    registry.filter("all", 2, a -> new Exists(a[0], a[1], Exists.Mode.ALL));
    registry.filter("any", 1, a -> new Exists(items(), a[0], Exists.Mode.ANY));
    registry.filter("all", 1, a -> new Exists(items(), a[0], Exists.Mode.ALL));
    registry.filter("any", 0, a -> new Exists(items(), identity(), Exists.Mode.ANY));
    registry.filter("all", 0, a -> new Exists(items(), identity(), Exists.Mode.ALL));
    registry.filter("range", 1, a -> range(constant(0), a[0], constant(1)));
    registry.filter("range", 2, a -> range(a[0], a[1], constant(1)));
    registry.filter("range", 3, a -> range(a[0], a[1], a[2]));
  }

  private static Code identity() {
    return AccessCode.Identity.INSTANCE;
  }

  private static Code items() {
    return new AccessCode.Iterate(identity());
  }

  private static Code constant(long number) {
    return new MakeCode.Constant(Json.number(number));
  }

  static Code select(Code condition) {
    return new FlowCode.If(condition, identity(), Empty.INSTANCE);
  }

  /** {@code empty} */
  static final class Empty extends Code {
    static final Empty INSTANCE = new Empty();

    private Empty() {
      super(false, 1);
    }

    @Override
    boolean each(JsonNode in, @Nullable Path path, @Nullable Env env, Run run, Sink out) {
      run.step();
      return true;
    }
  }

  /**
   * {@code while(condition; step)}, {@code repeat(step)} and {@code recurse(step)}: the input and,
   * again and again, what a step makes of it.
   *
   * <p>An output of the step waits until the step yields another one or ends; the last one is then
   * dealt with in a loop. So a chain of single steps, however long, does not nest.
   */
  private static final class Iteration extends Code {
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
  private static final class Until extends Code {
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

  /** The outputs of code from one position on, up to a number of them. */
  private static final class Window extends Code {
    private final long skipped;
    private final long most;
    private final Code source;

    Window(long skipped, long most, Code source) {
      super(false, 4 + source.height);
      this.skipped = skipped;
      this.most = most;
      this.source = source;
    }

    @Override
    boolean each(JsonNode in, @Nullable Path path, @Nullable Env env, Run run, Sink out) {
      return window(skipped, most, source, in, path, env, run, out);
    }

    static boolean window(
        long skipped,
        long most,
        Code source,
        JsonNode in,
        @Nullable Path path,
        @Nullable Env env,
        Run run,
        Sink out) {
      if (most <= 0) {
        return true;
      }
      Passing passing = new Passing(skipped, most, out);
      return source.each(in, path, env, run, passing) || passing.more;
    }

    private static final class Passing implements Sink {
      private final Sink out;
      private long skipped;
      private long left;
      boolean more;

      Passing(long skipped, long most, Sink out) {
        this.skipped = skipped;
        this.left = most;
        this.out = out;
      }

      @Override
      public boolean emit(JsonNode value, @Nullable Path path) {
        if (skipped > 0) {
          skipped--;
          return true;
        }
        left--;
        if (!out.emit(value, path)) {
          return false;
        }
        more = left == 0;
        return left > 0;
      }
    }
  }

  /** {@code limit(n; source)} and {@code skip(n; source)} */
  private static final class Counted extends Code {
    private final Code count;
    private final Code source;
    private final boolean limit;

    Counted(Code count, Code source, boolean limit) {
      super(false, 6 + count.height + source.height);
      this.count = count;
      this.source = source;
      this.limit = limit;
    }

    @Override
    boolean each(JsonNode in, @Nullable Path path, @Nullable Env env, Run run, Sink out) {
      return count.each(
          in,
          null,
          env,
          run,
          (n, p) -> {
            long number = number(n);
            return limit
                ? Window.window(0, number, source, in, path, env, run, out)
                : Window.window(number, Long.MAX_VALUE, source, in, path, env, run, out);
          });
    }

    private long number(JsonNode n) {
      String name = limit ? "limit" : "skip";
      if (!n.isNumber()) {
        throw new JqError(name + " expects a number, found " + Json.describe(n));
      }
      if (n.doubleValue() < 0) {
        throw new JqError(name + " doesn't support negative count");
      }
      return (long) Math.ceil(n.doubleValue());
    }
  }

  /** {@code last(source)} */
  private static final class Last extends Code {
    private final Code source;

    Last(Code source) {
      super(false, 4 + source.height);
      this.source = source;
    }

    @Override
    boolean each(JsonNode in, @Nullable Path path, @Nullable Env env, Run run, Sink out) {
      Keeping last = new Keeping();
      source.each(in, path, env, run, last);
      return last.value == null || out.emit(last.value, last.path);
    }

    private static final class Keeping implements Sink {
      @Nullable JsonNode value;
      @Nullable Path path;

      @Override
      public boolean emit(JsonNode newValue, @Nullable Path newPath) {
        value = newValue;
        path = newPath;
        return true;
      }
    }
  }

  /** {@code any}, {@code all}, {@code isempty}: whether an output decides. */
  private static final class Exists extends Code.Value {
    enum Mode {
      ANY,
      ALL,
      EMPTY
    }

    private final Code source;
    private final Code condition;
    private final Mode mode;

    Exists(Code source, Code condition, Mode mode) {
      super(6 + source.height + condition.height);
      this.source = source;
      this.condition = condition;
      this.mode = mode;
    }

    @Override
    JsonNode one(JsonNode in, @Nullable Env env, Run run) {
      boolean undecided =
          mode == Mode.EMPTY
              ? source.each(in, null, env, run, (value, p) -> false)
              : source.each(
                  in,
                  null,
                  env,
                  run,
                  (value, p) ->
                      condition.each(
                          value,
                          null,
                          env,
                          run,
                          (verdict, q) -> Json.truthy(verdict) != (mode == Mode.ANY)));
      return Json.bool(undecided == (mode != Mode.ANY));
    }
  }

  private static Code range(Code from, Code to, Code by) {
    return new Range(from, to, by);
  }

  /** {@code range(from; to; by)}; from is the outer loop. */
  private static final class Range extends Code {
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
      for (double at = from.doubleValue();
          step > 0 ? at < end : step < 0 ? at > end : at < end;
          at += step) {
        run.step();
        if (!out.emit(Json.number(at), lost)) {
          return false;
        }
      }
      return true;
    }

    private static boolean integers(
        long from, long to, long by, @Nullable Path lost, Run run, Sink out) {
      for (long at = from; by > 0 ? at < to : by < 0 ? at > to : at < to; at += by) {
        run.step();
        if (!out.emit(Json.number(at), lost)) {
          return false;
        }
      }
      return true;
    }
  }
}
