package dev.pinion.core.definition;

import dev.pinion.core.ir.ProcessGraph;
import dev.pinion.core.model.DefinitionInfo;
import dev.pinion.core.model.DefinitionKey;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A definition that stands under its key: compiled from the beginning, or by the first thread that
 * needs more of it than what is stored. Any thread; others that need it at that moment wait.
 */
final class StandingDefinition {
  private static final Logger LOG = LoggerFactory.getLogger(StandingDefinition.class);

  /** What a compilation makes of it. */
  record Compiled(DefinitionInfo info, ProcessGraph graph) {}

  private final StoredDefinition stored;
  private volatile @Nullable Compiled compiled;

  /** Null once it was asked. */
  private @Nullable Function<StoredDefinition, Compiled> compiler;

  private StandingDefinition(
      StoredDefinition stored,
      @Nullable Compiled compiled,
      @Nullable Function<StoredDefinition, Compiled> compiler) {
    this.stored = stored;
    this.compiled = compiled;
    this.compiler = compiler;
  }

  /** One that is compiled. */
  static StandingDefinition of(StoredDefinition stored, Compiled compiled) {
    return new StandingDefinition(stored, compiled, null);
  }

  /**
   * One that waits for its first use.
   *
   * @param compiler compiles it; an {@link IllegalStateException} says that it cannot be
   */
  static StandingDefinition later(
      StoredDefinition stored, Function<StoredDefinition, Compiled> compiler) {
    return new StandingDefinition(stored, null, compiler);
  }

  DefinitionKey key() {
    return stored.key();
  }

  /** Whether it is what a store has. */
  boolean isAs(StoredDefinition other) {
    return stored.source().equals(other.source());
  }

  /** Its compiled form, or null when it does not compile, which is logged once. */
  @Nullable Compiled compiled() {
    Compiled known = compiled;
    return known != null ? known : firstUse();
  }

  private synchronized @Nullable Compiled firstUse() {
    Function<StoredDefinition, Compiled> waiting = compiler;
    compiler = null;
    if (waiting != null) {
      try {
        compiled = waiting.apply(stored);
      } catch (IllegalStateException e) {
        LOG.error("{}: from now on as if it were not deployed", e.getMessage());
      }
    }
    return compiled;
  }
}
