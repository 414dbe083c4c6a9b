package dev.pinion.core.definition;

import dev.pinion.core.ir.ProcessGraph;
import dev.pinion.core.model.ChainCatalog;
import dev.pinion.core.model.DefinitionInfo;
import dev.pinion.core.model.DefinitionKey;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A deployed definition: compiled from the beginning, or by the first thread that needs more than
 * its stored form. Callable by any thread; threads that need it meanwhile wait.
 *
 * <p>Whether a stored text compiles depends on the chains of handlers in force and on nothing else
 * that changes while an engine runs. A text that does not compile is therefore compiled again by
 * the first use after a change of these, and not before: uses of a broken definition cost a
 * comparison.
 */
final class StandingDefinition {
  private static final Logger LOG = LoggerFactory.getLogger(StandingDefinition.class);

  /** The result of its compilation. */
  record Compiled(DefinitionInfo info, ProcessGraph graph) {}

  /**
   * A compilation that failed.
   *
   * @param chains the chains in force at that time
   */
  private record Failure(@Nullable Map<String, String> chains) {}

  private final StoredDefinition stored;
  private final ChainCatalog chains;
  private final Function<StoredDefinition, Compiled> compiler;
  private volatile @Nullable Compiled compiled;
  private @Nullable Failure failure;

  private StandingDefinition(
      StoredDefinition stored,
      @Nullable Compiled compiled,
      ChainCatalog chains,
      Function<StoredDefinition, Compiled> compiler) {
    this.stored = stored;
    this.compiled = compiled;
    this.chains = chains;
    this.compiler = compiler;
  }

  /** A compiled definition. */
  static StandingDefinition of(StoredDefinition stored, Compiled compiled) {
    return new StandingDefinition(stored, compiled, ChainCatalog.UNKNOWN, _ -> compiled);
  }

  /**
   * A definition that is compiled at its first use.
   *
   * @param chains the chains of handlers that it may name
   * @param compiler compiles it; throws an {@link IllegalStateException} when that fails
   */
  static StandingDefinition later(
      StoredDefinition stored, ChainCatalog chains, Function<StoredDefinition, Compiled> compiler) {
    return new StandingDefinition(stored, null, chains, compiler);
  }

  DefinitionKey key() {
    return stored.key();
  }

  StoredDefinition stored() {
    return stored;
  }

  /** Whether its stored form equals the one of a store. */
  boolean isAs(StoredDefinition other) {
    return stored.source().equals(other.source());
  }

  /**
   * Its compiled form, or null when it does not compile with the chains of handlers in force, which
   * is logged once for each set of chains.
   */
  @Nullable Compiled compiled() {
    Compiled known = compiled;
    return known != null ? known : compile();
  }

  private synchronized @Nullable Compiled compile() {
    Map<String, String> inForce = chains.points();
    if (compiled == null && isUntriedWith(inForce)) {
      try {
        compiled = compiler.apply(stored);
      } catch (IllegalStateException e) {
        failure = new Failure(inForce);
        LOG.error(
            "{}, and start again: until then it is as if it were not deployed, unless handlers are"
                + " reloaded with other chains, with which it is tried again",
            e.getMessage());
      }
    }
    return compiled;
  }

  private boolean isUntriedWith(@Nullable Map<String, String> inForce) {
    Failure last = failure;
    return last == null || !Objects.equals(last.chains(), inForce);
  }
}
