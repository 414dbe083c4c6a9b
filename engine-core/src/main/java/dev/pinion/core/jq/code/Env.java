package dev.pinion.core.jq.code;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.core.jq.value.EvaluationContext;
import org.jspecify.annotations.Nullable;

/**
 * The bindings that code can see: an immutable list, innermost first. The position of a binding is
 * known at compile time, so a look-up is a number of hops.
 */
public final class Env {
  /** Hops that take about as long as the visit of a node. */
  private static final int HOPS_PER_STEP = 16;

  private final @Nullable Env parent;
  private final @Nullable JsonNode value;
  private final @Nullable Code code;
  private final @Nullable Env codeEnv;

  private Env(
      @Nullable Env parent, @Nullable JsonNode value, @Nullable Code code, @Nullable Env codeEnv) {
    this.parent = parent;
    this.value = value;
    this.code = code;
    this.codeEnv = codeEnv;
  }

  /** Binds a variable. */
  static Env value(@Nullable Env parent, JsonNode value, EvaluationContext evaluationContext) {
    evaluationContext.charge(2);
    return new Env(parent, value, null, null);
  }

  /** Binds a filter to the parameter of a function, with the bindings that the filter sees. */
  static Env filter(
      @Nullable Env parent, Code code, @Nullable Env codeEnv, EvaluationContext evaluationContext) {
    evaluationContext.charge(2);
    return new Env(parent, null, code, codeEnv);
  }

  /** Marks one activation of a label. */
  static Env label(@Nullable Env parent, EvaluationContext evaluationContext) {
    evaluationContext.charge(2);
    return new Env(parent, null, null, null);
  }

  /** The binding a number of hops outwards, or null for the outermost scope. */
  static @Nullable Env up(@Nullable Env env, int hops) {
    Env at = env;
    for (int i = hops; i > 0; i--) {
      at = present(at).parent;
    }
    return at;
  }

  /** Steps of a look-up. */
  static int cost(int hops) {
    return 1 + hops / HOPS_PER_STEP;
  }

  /** A binding whose existence the compiler has checked. */
  static Env binding(@Nullable Env env, int hops) {
    return present(up(env, hops));
  }

  JsonNode value() {
    return present(value);
  }

  Code code() {
    return present(code);
  }

  @Nullable Env codeEnv() {
    return codeEnv;
  }

  private static <T> T present(@Nullable T binding) {
    if (binding == null) {
      throw new IllegalStateException("expected a binding where the compiler put one");
    }
    return binding;
  }
}
