package dev.pinion.core.definition;

import dev.pinion.core.graph.ProcessGraph;
import dev.pinion.core.model.ChainCatalog;
import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.DeployedDefinition;
import java.util.List;
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
final class InstalledDefinition {
  private static final Logger LOG = LoggerFactory.getLogger(InstalledDefinition.class);

  /** Beginnings of escapes, in which a text may hide a word. */
  private static final List<String> ESCAPES = List.of("\\u", "\\U", "\\x");

  /** The result of its compilation. */
  record CompiledDefinition(DeployedDefinition info, ProcessGraph graph) {
    CompiledDefinition withEnabled(boolean enabled) {
      return info.status().enabled() == enabled
          ? this
          : new CompiledDefinition(info.withEnabled(enabled), graph);
    }
  }

  /**
   * A compilation that failed.
   *
   * @param chains the chains in force at that time
   */
  private record CompileFailure(@Nullable Map<String, String> chains) {}

  private final StoredDefinition stored;
  private final boolean enabled;
  private final ChainCatalog chains;
  private final Function<StoredDefinition, CompiledDefinition> compiler;
  private volatile @Nullable CompiledDefinition compiledDefinition;
  private volatile @Nullable CompileFailure compileFailure;

  private InstalledDefinition(
      StoredDefinition stored,
      boolean enabled,
      @Nullable CompiledDefinition compiledDefinition,
      ChainCatalog chains,
      Function<StoredDefinition, CompiledDefinition> compiler) {
    this.stored = stored;
    this.enabled = enabled;
    this.compiledDefinition =
        compiledDefinition == null ? null : compiledDefinition.withEnabled(enabled);
    this.chains = chains;
    this.compiler = compiler;
  }

  /** A compiled definition, enabled. */
  static InstalledDefinition of(StoredDefinition stored, CompiledDefinition compiledDefinition) {
    return new InstalledDefinition(
        stored, true, compiledDefinition, ChainCatalog.UNKNOWN, _ -> compiledDefinition);
  }

  /**
   * A definition, enabled, that is compiled at its first use.
   *
   * @param chains the chains of handlers that it may name
   * @param compiler compiles it; throws an {@link IllegalStateException} when that fails
   */
  static InstalledDefinition lazy(
      StoredDefinition stored,
      ChainCatalog chains,
      Function<StoredDefinition, CompiledDefinition> compiler) {
    return new InstalledDefinition(stored, true, null, chains, compiler);
  }

  /** The same definition, disabled or enabled. */
  InstalledDefinition withEnabled(boolean wanted) {
    return wanted == enabled
        ? this
        : new InstalledDefinition(stored, wanted, compiledDefinition, chains, compiler);
  }

  /** Whether instances of it may start. */
  boolean isEnabled() {
    return enabled;
  }

  DefinitionKey key() {
    return stored.key();
  }

  StoredDefinition stored() {
    return stored;
  }

  /** Whether its stored form equals the one of a store. */
  boolean hasSameSource(StoredDefinition other) {
    return stored.source().equals(other.source()) && stored.documents().equals(other.documents());
  }

  /** Whether its text may have a schedule: then it is compiled from the beginning. */
  static boolean mayHaveSchedule(StoredDefinition stored) {
    String text = stored.source();
    return text.contains("schedule") || ESCAPES.stream().anyMatch(text::contains);
  }

  /** The graph of the instance that keeps its schedule; null without one, or not compiled yet. */
  @Nullable ProcessGraph schedule() {
    CompiledDefinition known = compiledDefinition;
    return known == null ? null : known.graph().schedule();
  }

  /**
   * Its compiled form, or null when it does not compile with the chains of handlers in force, which
   * is logged once for each set of chains.
   */
  @Nullable CompiledDefinition compiled() {
    CompiledDefinition known = compiledDefinition;
    return known != null ? known : compile();
  }

  /** Whether {@link #compiled} answers without compiling. */
  boolean isSettled() {
    return compiledDefinition != null || !isUntriedWith(chains.points());
  }

  private synchronized @Nullable CompiledDefinition compile() {
    Map<String, String> inForce = chains.points();
    if (compiledDefinition == null && isUntriedWith(inForce)) {
      try {
        compiledDefinition = compiler.apply(stored).withEnabled(enabled);
      } catch (IllegalStateException e) {
        compileFailure = new CompileFailure(inForce);
        LOG.error(
            "{}, and start again: until then it is as if it were not deployed, unless handlers are"
                + " reloaded with other chains, with which it is tried again",
            e.getMessage());
      } catch (RuntimeException e) { // whoever waits for it must go on
        compileFailure = new CompileFailure(inForce);
        LOG.error("{} failed inside the compiler: it is as if it were not deployed", key(), e);
      }
    }
    return compiledDefinition;
  }

  private boolean isUntriedWith(@Nullable Map<String, String> inForce) {
    CompileFailure last = compileFailure;
    return last == null || !Objects.equals(last.chains(), inForce);
  }
}
