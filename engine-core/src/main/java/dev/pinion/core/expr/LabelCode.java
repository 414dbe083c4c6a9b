package dev.pinion.core.expr;

import com.fasterxml.jackson.databind.JsonNode;
import org.jspecify.annotations.Nullable;

/** Code that leaves a generator early: {@code label} and {@code break}. */
final class LabelCode {
  private LabelCode() {}

  /** {@code label $name | body} */
  static final class Label extends Code {
    private final Code body;

    Label(Code body) {
      super(false, 2 + body.height);
      this.body = body;
    }

    @Override
    boolean each(JsonNode in, @Nullable Path path, @Nullable Env env, Run run, Sink out) {
      Env label = Env.label(env, run);
      long mark = run.mark();
      try {
        return body.each(in, path, label, run, out);
      } catch (BreakException e) {
        if (e.label != label) {
          throw e;
        }
        run.restore(mark);
        return true;
      }
    }
  }

  /** {@code break $name} */
  static final class Break extends Code {
    private final int hops;

    Break(int hops) {
      super(false, 1);
      this.hops = hops;
    }

    @Override
    boolean each(JsonNode in, @Nullable Path path, @Nullable Env env, Run run, Sink out) {
      run.charge(20);
      throw new BreakException(Env.binding(env, hops));
    }
  }

  private static final class BreakException extends RuntimeException {
    private final transient Env label;

    BreakException(Env label) {
      super(null, null, false, false);
      this.label = label;
    }
  }
}
