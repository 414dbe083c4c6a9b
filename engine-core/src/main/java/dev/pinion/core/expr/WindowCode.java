package dev.pinion.core.expr;

import com.fasterxml.jackson.databind.JsonNode;
import org.jspecify.annotations.Nullable;

/** Code that passes some of the outputs of other code. */
final class WindowCode {
  private WindowCode() {}

  /** The outputs of code from one position on, up to a number of them. */
  static final class Window extends Code {
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
  static final class Counted extends Code {
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
  static final class Last extends Code {
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
}
