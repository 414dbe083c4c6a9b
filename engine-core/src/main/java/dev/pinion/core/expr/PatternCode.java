package dev.pinion.core.expr;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The right side of {@code as}: binds the parts of a value to variables. */
final class PatternCode {
  private PatternCode() {}

  @FunctionalInterface
  interface Bound {
    boolean with(@Nullable Env env);
  }

  /** A pattern on the right of {@code as}: pushes its variables, in order. */
  abstract static class Binder {
    final boolean simple;
    final int height;

    Binder(boolean simple, int height) {
      this.simple = simple;
      this.height = height;
    }

    /** Binds the parts of a value; runs the rest for every way to do so. */
    abstract boolean bind(JsonNode value, JsonNode dot, @Nullable Env env, Run run, Bound rest);
  }

  /** {@code $name} */
  static final class BindName extends Binder {
    static final BindName INSTANCE = new BindName();

    private BindName() {
      super(true, 2);
    }

    @Override
    boolean bind(JsonNode value, JsonNode dot, @Nullable Env env, Run run, Bound rest) {
      return rest.with(Env.value(env, value, run));
    }
  }

  /** One pattern behind the other, each for a part of the value that a key names. */
  static final class BindParts extends Binder {
    private final List<Part> parts;

    BindParts(List<Part> parts) {
      super(false, 2 + parts.stream().mapToInt(BindParts::height).sum());
      this.parts = List.copyOf(parts);
    }

    private static int height(Part part) {
      return 6 + part.key.height + (part.pattern == null ? 0 : part.pattern.height);
    }

    @Override
    boolean bind(JsonNode value, JsonNode dot, @Nullable Env env, Run run, Bound rest) {
      return bind(0, value, dot, env, run, rest);
    }

    private boolean bind(
        int i, JsonNode value, JsonNode dot, @Nullable Env env, Run run, Bound rest) {
      if (i == parts.size()) {
        return rest.with(env);
      }
      Part part = parts.get(i);
      Bound next = bound -> bind(i + 1, value, dot, bound, run, rest);
      return part.key.each(
          dot,
          null,
          env,
          run,
          (key, none) -> {
            JsonNode item = part(value, key, run);
            Env own = part.named ? Env.value(env, item, run) : env;
            return part.pattern == null
                ? next.with(own)
                : part.pattern.bind(item, dot, own, run, next);
          });
    }

    private static JsonNode part(JsonNode value, JsonNode key, Run run) {
      if (!key.isTextual() && !key.isNumber()) {
        throw new JqError("Cannot index " + Json.type(value) + " with " + Json.describe(key));
      }
      return Access.get(value, key, run);
    }
  }

  /**
   * A part of a pattern.
   *
   * @param key the key of the part
   * @param named whether the part itself becomes a variable
   * @param pattern pattern of the part, or null
   */
  record Part(Code key, boolean named, @Nullable Binder pattern) {}

  /**
   * Patterns tried one after the other ({@code ?//}). All their variables end up in one layout;
   * variables that the matching pattern lacks are null.
   */
  static final class BindFirst {
    private final List<Choice> choices;
    private final int variables;

    BindFirst(List<Choice> choices, int variables) {
      this.choices = List.copyOf(choices);
      this.variables = variables;
    }

    int height() {
      return 6 + choices.stream().mapToInt(choice -> choice.binder.height).max().orElse(0);
    }

    boolean bind(JsonNode value, JsonNode dot, @Nullable Env env, Run run, Sink out, Body body) {
      for (int i = 0; ; i++) {
        Choice choice = choices.get(i);
        ErrorCode.Guard guard = new ErrorCode.Guard(out);
        long mark = run.mark();
        try {
          return choice.binder.bind(
              value, dot, env, run, own -> body.run(layout(choice, own, env, run), guard));
        } catch (JqError e) {
          if (i == choices.size() - 1) {
            throw e;
          }
          run.restore(mark);
          run.charge(20);
        } catch (ErrorCode.Guard.Passing e) {
          throw e.ifFrom(guard);
        }
      }
    }

    private @Nullable Env layout(Choice choice, @Nullable Env own, @Nullable Env env, Run run) {
      Env layout = env;
      for (int i = 0; i < variables; i++) {
        int hops = choice.hops[i];
        layout = Env.value(layout, hops < 0 ? Json.NULL : Env.binding(own, hops).value(), run);
      }
      return layout;
    }
  }

  @FunctionalInterface
  interface Body {
    boolean run(@Nullable Env env, Sink out);
  }

  @SuppressWarnings("ArrayRecordComponent") // never compared, only read
  record Choice(Binder binder, int[] hops) {}

  /** All patterns of one {@code as}: nearly always a single one. */
  record Binding(@Nullable Binder only, @Nullable BindFirst first) {
    boolean simple() {
      return only != null && only.simple;
    }

    int height() {
      return only != null ? only.height : first != null ? first.height() : 0;
    }

    boolean bind(JsonNode value, JsonNode dot, @Nullable Env env, Run run, Sink out, Body body) {
      if (only != null) {
        return only.bind(value, dot, env, run, bound -> body.run(bound, out));
      }
      if (first != null) {
        return first.bind(value, dot, env, run, out, body);
      }
      throw new IllegalStateException("expected a pattern");
    }
  }
}
