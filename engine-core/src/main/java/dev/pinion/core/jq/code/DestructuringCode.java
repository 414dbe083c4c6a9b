package dev.pinion.core.jq.code;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.core.jq.value.EvaluationContext;
import dev.pinion.core.jq.value.Indexing;
import dev.pinion.core.jq.value.JqException;
import dev.pinion.core.jq.value.JqValues;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The right side of {@code as}: binds the parts of a value to variables. */
public final class DestructuringCode {
  private DestructuringCode() {}

  @FunctionalInterface
  interface BoundValue {
    boolean with(@Nullable Env env);
  }

  /** A pattern on the right of {@code as}: pushes its variables, in order. */
  public abstract static class Binder {
    final boolean simple;
    final int height;

    Binder(boolean simple, int height) {
      this.simple = simple;
      this.height = height;
    }

    /** Binds the parts of a value; runs the rest for every way to do so. */
    abstract boolean bind(
        JsonNode value,
        JsonNode dot,
        @Nullable Env env,
        EvaluationContext evaluationContext,
        BoundValue rest);
  }

  /** {@code $name} */
  public static final class BindName extends Binder {
    public static final BindName INSTANCE = new BindName();

    private BindName() {
      super(true, 2);
    }

    @Override
    boolean bind(
        JsonNode value,
        JsonNode dot,
        @Nullable Env env,
        EvaluationContext evaluationContext,
        BoundValue rest) {
      return rest.with(Env.value(env, value, evaluationContext));
    }
  }

  /** One pattern behind the other, each for a part of the value that a key names. */
  public static final class BindParts extends Binder {
    private final List<Part> parts;

    public BindParts(List<Part> parts) {
      super(false, 2 + parts.stream().mapToInt(BindParts::height).sum());
      this.parts = List.copyOf(parts);
    }

    private static int height(Part part) {
      return 6 + part.key.height + (part.pattern == null ? 0 : part.pattern.height);
    }

    @Override
    boolean bind(
        JsonNode value,
        JsonNode dot,
        @Nullable Env env,
        EvaluationContext evaluationContext,
        BoundValue rest) {
      return bind(0, value, dot, env, evaluationContext, rest);
    }

    private boolean bind(
        int i,
        JsonNode value,
        JsonNode dot,
        @Nullable Env env,
        EvaluationContext evaluationContext,
        BoundValue rest) {
      if (i == parts.size()) {
        return rest.with(env);
      }
      Part part = parts.get(i);
      BoundValue next = bound -> bind(i + 1, value, dot, bound, evaluationContext, rest);
      return part.key.each(
          dot,
          null,
          env,
          evaluationContext,
          (key, none) -> {
            JsonNode item = part(value, key, evaluationContext);
            Env own = part.named ? Env.value(env, item, evaluationContext) : env;
            return part.pattern == null
                ? next.with(own)
                : part.pattern.bind(item, dot, own, evaluationContext, next);
          });
    }

    private static JsonNode part(
        JsonNode value, JsonNode key, EvaluationContext evaluationContext) {
      if (!key.isTextual() && !key.isNumber()) {
        throw new JqException(
            "Cannot index " + JqValues.type(value) + " with " + JqValues.describe(key));
      }
      return Indexing.get(value, key, evaluationContext);
    }
  }

  /**
   * A part of a pattern.
   *
   * @param key the key of the part
   * @param named whether the part itself becomes a variable
   * @param pattern pattern of the part, or null
   */
  public record Part(Code key, boolean named, @Nullable Binder pattern) {}

  /**
   * Patterns tried one after the other ({@code ?//}). All their variables end up in one layout;
   * variables that the matching pattern lacks are null.
   */
  public static final class BindFirst {
    private final List<Choice> choices;
    private final int variables;

    public BindFirst(List<Choice> choices, int variables) {
      this.choices = List.copyOf(choices);
      this.variables = variables;
    }

    int height() {
      return 6 + choices.stream().mapToInt(choice -> choice.binder.height).max().orElse(0);
    }

    boolean bind(
        JsonNode value,
        JsonNode dot,
        @Nullable Env env,
        EvaluationContext evaluationContext,
        OutputSink out,
        PatternBody patternBody) {
      for (int i = 0; ; i++) {
        Choice choice = choices.get(i);
        ErrorHandlingCode.Guard guard = new ErrorHandlingCode.Guard(out);
        long mark = evaluationContext.mark();
        try {
          return choice.binder.bind(
              value,
              dot,
              env,
              evaluationContext,
              own -> patternBody.run(layout(choice, own, env, evaluationContext), guard));
        } catch (JqException e) {
          if (i == choices.size() - 1) {
            throw e;
          }
          evaluationContext.restore(mark);
          evaluationContext.charge(20);
        } catch (ErrorHandlingCode.Guard.DownstreamException e) {
          throw e.ifFrom(guard);
        }
      }
    }

    private @Nullable Env layout(
        Choice choice, @Nullable Env own, @Nullable Env env, EvaluationContext evaluationContext) {
      Env layout = env;
      for (int i = 0; i < variables; i++) {
        int hops = choice.hops[i];
        layout =
            Env.value(
                layout,
                hops < 0 ? JqValues.NULL : Env.binding(own, hops).value(),
                evaluationContext);
      }
      return layout;
    }
  }

  @FunctionalInterface
  interface PatternBody {
    boolean run(@Nullable Env env, OutputSink out);
  }

  @SuppressWarnings("ArrayRecordComponent")
  public // never compared, only read
  record Choice(Binder binder, int[] hops) {}

  /** All patterns of one {@code as}: nearly always a single one. */
  public record PatternBinding(@Nullable Binder only, @Nullable BindFirst first) {
    boolean simple() {
      return only != null && only.simple;
    }

    int height() {
      return only != null ? only.height : first != null ? first.height() : 0;
    }

    boolean bind(
        JsonNode value,
        JsonNode dot,
        @Nullable Env env,
        EvaluationContext evaluationContext,
        OutputSink out,
        PatternBody patternBody) {
      if (only != null) {
        return only.bind(value, dot, env, evaluationContext, bound -> patternBody.run(bound, out));
      }
      if (first != null) {
        return first.bind(value, dot, env, evaluationContext, out, patternBody);
      }
      throw new IllegalStateException("expected a pattern");
    }
  }
}
