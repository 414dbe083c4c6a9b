package dev.pinion.core.expr;

import com.fasterxml.jackson.databind.JsonNode;
import org.jspecify.annotations.Nullable;

/** Code for missing values and failures: {@code //}, {@code try} and {@code ?}. */
final class ErrorCode {
  private ErrorCode() {}

  /**
   * {@code a // b}: the outputs of a that are neither null nor false, else those of b. An error of
   * a stays an error.
   */
  static final class Alternative extends Code {
    private final Code left;
    private final Code right;

    Alternative(Code left, Code right) {
      super(left.single && right.single, 3 + FlowCode.maxHeight(left, right));
      this.left = left;
      this.right = right;
    }

    @Override
    JsonNode one(JsonNode in, @Nullable Env env, Run run) {
      run.step();
      JsonNode value = left.one(in, env, run);
      return Json.truthy(value) ? value : right.one(in, env, run);
    }

    @Override
    boolean each(JsonNode in, @Nullable Path path, @Nullable Env env, Run run, Sink out) {
      run.step();
      Truthy truthy = new Truthy(out);
      if (!left.each(in, path, env, run, truthy)) {
        return false;
      }
      return truthy.emitted || right.each(in, path, env, run, out);
    }

    /** Passes the outputs that are neither null nor false. */
    private static final class Truthy implements Sink {
      private final Sink out;
      boolean emitted;

      Truthy(Sink out) {
        this.out = out;
      }

      @Override
      public boolean emit(JsonNode value, @Nullable Path path) {
        if (!Json.truthy(value)) {
          return true;
        }
        emitted = true;
        return out.emit(value, path);
      }
    }
  }

  /** {@code try body catch handler} */
  static final class Try extends Code {
    private final Code body;
    private final @Nullable Code handler;

    Try(Code body, @Nullable Code handler) {
      super(
          body.single && handler != null && handler.single,
          3 + (handler == null ? body.height : FlowCode.maxHeight(body, handler)));
      this.body = body;
      this.handler = handler;
    }

    @Override
    JsonNode one(JsonNode in, @Nullable Env env, Run run) {
      run.step();
      long mark = run.mark();
      try {
        return body.one(in, env, run);
      } catch (JqError e) {
        run.restore(mark);
        run.charge(20);
        return handled().one(e.value(), env, run);
      }
    }

    @Override
    boolean each(JsonNode in, @Nullable Path path, @Nullable Env env, Run run, Sink out) {
      run.step();
      Guard guard = new Guard(out);
      long mark = run.mark();
      JsonNode error;
      try {
        return body.each(in, path, env, run, guard);
      } catch (JqError e) {
        run.restore(mark);
        run.charge(20);
        error = e.value();
      } catch (Guard.Passing e) {
        throw e.ifFrom(guard);
      }
      return handler == null || handler.each(error, Path.lost(path), env, run, out);
    }

    private Code handled() {
      if (handler == null) {
        throw new IllegalStateException("expected a handler where one value is wanted");
      }
      return handler;
    }
  }

  /**
   * Passes outputs to a sink while errors are being caught: an error that the sink itself raises
   * belongs to code further on and must not be caught here.
   */
  static final class Guard implements Sink {
    private final Sink out;

    Guard(Sink out) {
      this.out = out;
    }

    @Override
    public boolean emit(JsonNode value, @Nullable Path path) {
      try {
        return out.emit(value, path);
      } catch (JqError e) {
        throw new Passing(e, this);
      }
    }

    /** An error on its way through the code that produced the output. */
    static final class Passing extends RuntimeException {
      private final transient JqError error;
      private final transient Guard guard;

      Passing(JqError error, Guard guard) {
        super(null, null, false, false);
        this.error = error;
        this.guard = guard;
      }

      RuntimeException ifFrom(Guard mine) {
        return guard == mine ? error : this;
      }
    }
  }
}
