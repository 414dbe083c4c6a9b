package dev.pinion.core.jq;

import dev.pinion.core.jq.code.CallCode;
import dev.pinion.core.jq.code.Code;
import dev.pinion.core.jq.syntax.Syntax;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A function written in jq, compiled once for each combination of single-valued arguments. */
final class CompiledFunction {
  private static final int MAX_MASKED = 30;

  private final Syntax.Function function;
  private final LexicalScope visible;
  private final CodeGenerator generator;
  private final Map<Integer, Variant> variants = new HashMap<>();

  CompiledFunction(Syntax.Function function, LexicalScope lexicalScope, CodeGenerator generator) {
    this.function = function;
    this.visible = lexicalScope.withFunction(function.name(), function.parameters().size(), this);
    this.generator = generator;
  }

  /** The names visible after the definition, the function itself included. */
  LexicalScope visible() {
    return visible;
  }

  /** Code that calls this function from a place with a number of bindings around it. */
  Code call(Code[] arguments, int depth) {
    Variant variant = variant(mask(arguments));
    boolean single = variant.use();
    return new CallCode.Call(
        variant.body, single, single || variant.atMostOne, depth - visible.depth(), arguments);
  }

  /** Compiles the body if nothing called it, to find its problems. */
  void check() {
    if (variants.isEmpty()) {
      variant(0);
    }
  }

  private static int mask(Code... arguments) {
    int mask = 0;
    for (int i = 0; i < Math.min(arguments.length, MAX_MASKED); i++) {
      mask |= arguments[i].single ? 1 << i : 0;
    }
    return mask;
  }

  /**
   * The body for a combination. A recursive call is assumed to have a single output until the body
   * turns out to have more or none; then the body is compiled again without that assumption.
   */
  private Variant variant(int mask) {
    Variant known = variants.get(mask);
    if (known != null) {
      return known;
    }
    Variant variant = compile(mask, true);
    return variant.single && !variant.body.code().single && variant.used
        ? compile(mask, false)
        : variant.settle();
  }

  private Variant compile(int mask, boolean single) {
    Variant variant = new Variant(single);
    variants.put(mask, variant);
    LexicalScope lexicalScope = visible;
    List<String> parameters = function.parameters();
    for (int i = 0; i < parameters.size(); i++) {
      lexicalScope =
          lexicalScope.withParameter(parameters.get(i), i < MAX_MASKED && (mask & 1 << i) != 0);
    }
    variant.body.set(generator.code(function.body(), lexicalScope));
    return variant;
  }

  private static final class Variant {
    final CallCode.Body body = new CallCode.Body();
    boolean single;
    boolean atMostOne;
    boolean used;

    Variant(boolean single) {
      this.single = single;
    }

    boolean use() {
      used = true;
      return single;
    }

    Variant settle() {
      single = body.code().single;
      atMostOne = body.code().atMostOne;
      return this;
    }
  }
}
