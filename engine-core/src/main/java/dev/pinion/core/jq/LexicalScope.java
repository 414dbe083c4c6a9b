package dev.pinion.core.jq;

import dev.pinion.core.jq.code.Env;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The names visible at a place of an expression, innermost first. {@link #depth} counts the names
 * with a place in the {@link Env} of the evaluation; functions have none.
 */
final class LexicalScope {
  static final LexicalScope NONE = new LexicalScope(null, null, 0);

  private final @Nullable LexicalScope outer;
  private final @Nullable Entry entry;
  private final int depth;

  private LexicalScope(@Nullable LexicalScope outer, @Nullable Entry entry, int depth) {
    this.outer = outer;
    this.entry = entry;
    this.depth = depth;
  }

  /** The kind of a name. */
  enum Kind {
    VARIABLE,
    PARAMETER,
    LABEL,
    FUNCTION
  }

  /**
   * A visible name.
   *
   * @param depth depth of the scope that it begins
   * @param single whether the filter that a parameter stands for has exactly one output
   * @param function the function, or null for the other kinds
   */
  record Entry(
      Kind kind,
      String name,
      int arity,
      int depth,
      boolean single,
      @Nullable CompiledFunction function) {}

  int depth() {
    return depth;
  }

  /** Number of hops outwards to the binding of a name. */
  int hops(Entry of) {
    return depth - of.depth();
  }

  LexicalScope withVariable(String name) {
    return with(new Entry(Kind.VARIABLE, name, 0, depth + 1, true, null));
  }

  LexicalScope withParameter(String name, boolean single) {
    return with(new Entry(Kind.PARAMETER, name, 0, depth + 1, single, null));
  }

  LexicalScope withLabel(String name) {
    return with(new Entry(Kind.LABEL, name, 0, depth + 1, false, null));
  }

  LexicalScope withFunction(String name, int arity, CompiledFunction function) {
    return with(new Entry(Kind.FUNCTION, name, arity, depth, false, function));
  }

  private LexicalScope with(Entry added) {
    return new LexicalScope(this, added, added.depth());
  }

  @Nullable Entry variable(String name) {
    for (LexicalScope at = this; at != null; at = at.outer) {
      if (at.entry != null && at.entry.kind == Kind.VARIABLE && at.entry.name.equals(name)) {
        return at.entry;
      }
    }
    return null;
  }

  @Nullable Entry label(String name) {
    for (LexicalScope at = this; at != null; at = at.outer) {
      if (at.entry != null && at.entry.kind == Kind.LABEL && at.entry.name.equals(name)) {
        return at.entry;
      }
    }
    return null;
  }

  /** The function or parameter of a name. */
  @Nullable Entry function(String name, int arity) {
    for (LexicalScope at = this; at != null; at = at.outer) {
      Entry found = at.entry;
      if (found != null
          && (found.kind == Kind.FUNCTION || found.kind == Kind.PARAMETER)
          && found.arity == arity
          && found.name.equals(name)) {
        return found;
      }
    }
    return null;
  }

  /** Adds the names of all variables. */
  void variables(Set<String> to) {
    for (LexicalScope at = this; at != null; at = at.outer) {
      if (at.entry != null && at.entry.kind == Kind.VARIABLE) {
        to.add(at.entry.name);
      }
    }
  }

  /** Adds all functions as {@code name/arity}. */
  void functions(Set<String> to) {
    for (LexicalScope at = this; at != null; at = at.outer) {
      if (at.entry != null && (at.entry.kind == Kind.FUNCTION || at.entry.kind == Kind.PARAMETER)) {
        to.add(at.entry.name + "/" + at.entry.arity);
      }
    }
  }
}
