package dev.pinion.core.expr;

import com.fasterxml.jackson.databind.JsonNode;
import org.jspecify.annotations.Nullable;

/** Code for control flow: sequence, choice, errors, labels. */
final class FlowCode {
  private FlowCode() {}

  /** {@code left | right} */
  static Code pipe(Code left, Code right) {
    if (left instanceof AccessCode.Identity) {
      return right;
    }
    if (right instanceof AccessCode.Identity) {
      return left;
    }
    if (left instanceof AccessCode.Fields a && right instanceof AccessCode.Fields b) {
      return a.then(b);
    }
    return new Pipe(left, right);
  }

  static final class Pipe extends Code {
    private final Code left;
    private final Code right;

    Pipe(Code left, Code right) {
      super(
          left.single && right.single,
          left.single ? Math.max(left.height, right.height) + 1 : left.height + right.height + 3);
      this.left = left;
      this.right = right;
    }

    Code left() {
      return left;
    }

    Code right() {
      return right;
    }

    @Override
    JsonNode one(JsonNode in, @Nullable Env env, Run run) {
      return right.one(left.one(in, env, run), env, run);
    }

    @Override
    boolean each(JsonNode in, @Nullable Path path, @Nullable Env env, Run run, Sink out) {
      run.step();
      if (left.single && path == null) {
        return right.each(left.one(in, env, run), null, env, run, out);
      }
      return left.each(in, path, env, run, (value, at) -> right.each(value, at, env, run, out));
    }
  }

  /** {@code a, b, c} */
  static final class Comma extends Code {
    private final Code[] parts;

    Comma(Code... parts) {
      super(false, 1 + maxHeight(parts));
      this.parts = parts;
    }

    /** Whether every part is a constant. */
    boolean constant() {
      for (Code part : parts) {
        if (!(part instanceof MakeCode.Constant)) {
          return false;
        }
      }
      return true;
    }

    @Override
    boolean each(JsonNode in, @Nullable Path path, @Nullable Env env, Run run, Sink out) {
      for (Code part : parts) {
        run.step();
        if (!part.each(in, path, env, run, out)) {
          return false;
        }
      }
      return true;
    }
  }

  static int maxHeight(Code... codes) {
    int most = 0;
    for (Code code : codes) {
      most = Math.max(most, code.height);
    }
    return most;
  }

  /** {@code if condition then a else b end} */
  static final class If extends Code {
    private final Code condition;
    private final Code then;
    private final Code otherwise;

    If(Code condition, Code then, Code otherwise) {
      super(
          condition.single && then.single && otherwise.single,
          condition.single
              ? 1 + maxHeight(condition, then, otherwise)
              : 3 + condition.height + maxHeight(then, otherwise));
      this.condition = condition;
      this.then = then;
      this.otherwise = otherwise;
    }

    @Override
    JsonNode one(JsonNode in, @Nullable Env env, Run run) {
      run.step();
      return Json.truthy(condition.one(in, env, run))
          ? then.one(in, env, run)
          : otherwise.one(in, env, run);
    }

    @Override
    boolean each(JsonNode in, @Nullable Path path, @Nullable Env env, Run run, Sink out) {
      run.step();
      if (condition.single) {
        Code branch = Json.truthy(condition.one(in, env, run)) ? then : otherwise;
        return branch.each(in, path, env, run, out);
      }
      return condition.each(
          in,
          null,
          env,
          run,
          (value, none) -> (Json.truthy(value) ? then : otherwise).each(in, path, env, run, out));
    }
  }

  /** {@code a and b}, {@code a or b} */
  static final class Logic extends Code {
    private final boolean decisive;
    private final Code left;
    private final Code right;

    /**
     * A logical operator.
     *
     * @param decisive the value of the left side that decides without the right one
     */
    Logic(boolean decisive, Code left, Code right) {
      super(
          left.single && right.single,
          left.single && right.single
              ? 1 + maxHeight(left, right)
              : 5 + left.height + right.height);
      this.decisive = decisive;
      this.left = left;
      this.right = right;
    }

    @Override
    JsonNode one(JsonNode in, @Nullable Env env, Run run) {
      run.step();
      boolean first = Json.truthy(left.one(in, env, run));
      return Json.bool(first == decisive ? decisive : Json.truthy(right.one(in, env, run)));
    }

    @Override
    boolean each(JsonNode in, @Nullable Path path, @Nullable Env env, Run run, Sink out) {
      Path lost = Path.lost(path);
      if (single) {
        return out.emit(one(in, env, run), lost);
      }
      return left.each(
          in,
          null,
          env,
          run,
          (first, p) -> {
            run.step();
            return Json.truthy(first) == decisive
                ? out.emit(Json.bool(decisive), lost)
                : right.each(
                    in,
                    null,
                    env,
                    run,
                    (second, q) -> out.emit(Json.bool(Json.truthy(second)), lost));
          });
    }
  }
}
