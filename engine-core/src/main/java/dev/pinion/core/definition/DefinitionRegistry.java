package dev.pinion.core.definition;

import dev.pinion.core.binding.BindingSource;
import dev.pinion.core.definition.InstalledDefinition.CompiledDefinition;
import dev.pinion.core.graph.GraphSource;
import dev.pinion.core.graph.ProcessGraph;
import dev.pinion.core.language.CompilationResult;
import dev.pinion.core.language.DocumentSource;
import dev.pinion.core.limits.DefinitionLimits;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.ChainCatalog;
import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.DeployedDefinition;
import dev.pinion.core.model.Diagnostic;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.PinnedDocument;
import dev.pinion.core.model.SemanticVersion;
import dev.pinion.core.spi.DefinitionCatalog;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The deployed definitions: compiles, saves and installs them, and finds them for the pipeline.
 *
 * <p>Look-ups read an immutable table and never wait, unless {@code start.compileAhead} has left
 * the compilation of a definition to the first of them. Deployments take turns; each is saved
 * before it is installed, so every visible definition survives a restart.
 */
public final class DefinitionRegistry implements DefinitionCatalog, GraphSource {
  private final DefinitionLimits limits;
  private final ChainCatalog chains;
  private final DefinitionCompilation compilation;
  private final DefinitionStore store;
  private final UnboundServiceCheck services;
  private volatile DefinitionTable table = DefinitionTable.EMPTY;
  private volatile Map<DeletedVersion, InstalledDefinition> deleted = Map.of();
  private volatile boolean complete = true;

  /** The content of a deleted definition. */
  private record DeletedVersion(DefinitionKey key, long fingerprint) {}

  /** A registry that accepts any name of a chain of handlers. */
  public DefinitionRegistry(EngineLimits limits, DefinitionStore store) {
    this(limits, store, ChainCatalog.UNKNOWN);
  }

  /**
   * A registry of everything in a store, which accepts any name of an abstract service.
   *
   * @param chains the chains of handlers that definitions may name
   * @throws IllegalStateException when a stored definition does not compile or does not match its
   *     place; the message names it
   */
  public DefinitionRegistry(EngineLimits limits, DefinitionStore store, ChainCatalog chains) {
    this(limits, store, chains, BindingSource.NONE);
  }

  /**
   * A registry of everything in a store, of which the first {@code start.compileAhead} definitions
   * are compiled now, and the others when they are first looked up. A definition that then does not
   * compile is logged with its problems and counts as not deployed; it is compiled again when other
   * chains of handlers are in force.
   *
   * @param chains the chains of handlers that definitions may name
   * @param bindings which abstract services are served, and whether others are refused
   * @throws IllegalStateException when a stored definition does not compile or does not match its
   *     place; the message names it
   */
  public DefinitionRegistry(
      EngineLimits limits, DefinitionStore store, ChainCatalog chains, BindingSource bindings) {
    this(limits, store, chains, bindings, DocumentSource::none);
  }

  /**
   * The same, whose new definitions may refer to documents.
   *
   * @param fetcher opens the source of the documents of a definition
   */
  public DefinitionRegistry(
      EngineLimits limits,
      DefinitionStore store,
      ChainCatalog chains,
      BindingSource bindings,
      Supplier<DocumentSource> fetcher) {
    this.limits = limits.definition();
    this.chains = chains;
    this.compilation = new DefinitionCompilation(limits, chains, fetcher);
    this.store = store;
    this.services = new UnboundServiceCheck(bindings);
    this.table = restored(limits.start().compileAhead());
    this.deleted = restoredDeleted();
  }

  @Override
  public void markStale() {
    complete = false;
  }

  @Override
  public boolean isComplete() {
    return complete;
  }

  @Override
  public synchronized void refresh() {
    DefinitionTable now = restored(Integer.MAX_VALUE);
    deleted = restoredDeleted(); // read afterwards, in force before: no thread finds it in neither
    table = now;
    complete = true;
  }

  /** The deleted definitions of the store; compiled when an instance needs them. */
  private Map<DeletedVersion, InstalledDefinition> restoredDeleted() {
    Map<DeletedVersion, InstalledDefinition> all = new HashMap<>();
    for (DeletedDefinition each : store.deleted()) {
      DeletedVersion deletedVersion = new DeletedVersion(each.stored().key(), each.fingerprint());
      InstalledDefinition known = deleted.get(deletedVersion);
      all.put(
          deletedVersion,
          known != null ? known : InstalledDefinition.lazy(each.stored(), chains, this::restore));
    }
    return all;
  }

  @Override
  public synchronized Deletion delete(DefinitionKey key) {
    InstalledDefinition standing = table.find(key);
    CompiledDefinition compiledDefinition = compiled(standing);
    if (standing == null || compiledDefinition == null) {
      return Deletion.UNKNOWN;
    }
    if (deleted.size() >= limits.maxDefinitions()) {
      return Deletion.FULL;
    }
    long fingerprint = compiledDefinition.graph().fingerprint();
    Map<DeletedVersion, InstalledDefinition> before = deleted;
    Map<DeletedVersion, InstalledDefinition> all = new HashMap<>(before);
    all.put(new DeletedVersion(key, fingerprint), standing);
    deleted = all; // before the definition goes: a running instance must find its graph
    if (!store.delete(standing.stored(), fingerprint)) {
      deleted = before;
      return Deletion.CHANGED;
    }
    table = table.without(key);
    return Deletion.DELETED;
  }

  /** The definitions of the store; of the new ones, the first are compiled. */
  private DefinitionTable restored(int compiledAhead) {
    List<InstalledDefinition> entries = new ArrayList<>();
    Set<DefinitionKey> keys = new HashSet<>();
    for (StoredDefinition stored : store.load()) {
      InstalledDefinition known = table.find(stored.key());
      InstalledDefinition entry =
          known != null && known.hasSameSource(stored)
              ? known
              : restored(stored, entries.size() < compiledAhead);
      if (!keys.add(entry.key())) {
        throw refusal(stored, "expected each definition once", "another file of " + stored.key());
      }
      entries.add(entry);
    }
    return DefinitionTable.EMPTY.with(entries);
  }

  /**
   * A definition whose version is invalid has no place in the table: its compilation reports why.
   */
  private InstalledDefinition restored(StoredDefinition stored, boolean ahead) {
    return ahead || SemanticVersion.parse(stored.key().version()) == null
        ? InstalledDefinition.of(stored, restore(stored))
        : InstalledDefinition.lazy(stored, chains, this::restore);
  }

  private CompiledDefinition restore(StoredDefinition stored) {
    return switch (compilation.ofStored(stored)) {
      case CompilationResult.Rejected(List<Diagnostic> problems, var _) ->
          throw refusal(
              stored, "expected a definition that compiles", problems.getFirst().toString());
      case CompilationResult.Compiled compiled -> {
        ProcessGraph graph = compiled.graph();
        if (!graph.key().equals(stored.key())) {
          throw refusal(stored, "expected definition " + stored.key(), graph.key().toString());
        }
        yield DefinitionCompilation.installed(compiled, stored.mediaType(), stored.source());
      }
    };
  }

  private IllegalStateException refusal(StoredDefinition stored, String expected, String found) {
    return new IllegalStateException(
        expected + " at " + store.location(stored) + ", found " + found + "; repair or move it");
  }

  @Override
  public synchronized Deployment deploy(
      byte[] source, String mediaType, @Nullable DefinitionKey expected, boolean dryRun) {
    if (source.length > limits.maxBytes()) {
      return invalid(
          "expected a document of at most "
              + limits.maxBytes()
              + " bytes (definition.maxBytes), found "
              + source.length);
    }
    String text;
    try {
      text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(source)).toString();
    } catch (CharacterCodingException e) {
      return invalid("expected a document in UTF-8, found bytes that are not");
    }
    CompilationResult result =
        compilation.ofDeployed(text, mediaType, (key, document) -> kept(key, document, text));
    return deploy(result, text, mediaType, expected, dryRun);
  }

  /**
   * The documents that are kept when the same definition is deployed, here or by another replica,
   * so that it means the same everywhere; null when it is not.
   */
  private @Nullable List<PinnedDocument> kept(DefinitionKey key, Payload document, String text) {
    DeployedDefinition known = find(key);
    if (known != null) {
      return known.document().equals(document) ? known.text().documents() : null;
    }
    StoredDefinition stored = store.find(key);
    return stored != null && stored.source().equals(text) ? stored.documents() : null;
  }

  private Deployment deploy(
      CompilationResult result,
      String text,
      String mediaType,
      @Nullable DefinitionKey expected,
      boolean dryRun) {
    return switch (result) {
      case CompilationResult.Rejected(List<Diagnostic> problems, List<Diagnostic> warnings) ->
          new Deployment.Invalid(problems, warnings);
      case CompilationResult.Compiled compiled -> {
        List<Diagnostic> unserved = services.unserved(compiled.services());
        List<Diagnostic> warnings = new ArrayList<>(compiled.warnings());
        if (!unserved.isEmpty() && services.refuses()) {
          yield new Deployment.Invalid(unserved, warnings);
        }
        warnings.addAll(unserved);
        yield deploy(
            DefinitionCompilation.installed(compiled, mediaType, text),
            expected,
            dryRun,
            List.copyOf(warnings));
      }
    };
  }

  private Deployment deploy(
      CompiledDefinition compiledDefinition,
      @Nullable DefinitionKey expected,
      boolean dryRun,
      List<Diagnostic> warnings) {
    DeployedDefinition info = compiledDefinition.info();
    if (expected != null && !expected.equals(info.key())) {
      return new Deployment.Invalid(
          List.of(
              new Diagnostic(
                  "/document",
                  0,
                  0,
                  "expected the definition " + expected + ", found " + info.key(),
                  null)));
    }
    DeployedDefinition existing = find(info.key());
    if (existing != null && !existing.sha256().equals(info.sha256())) {
      return new Deployment.VersionConflict(existing);
    }
    if (dryRun) {
      return new Deployment.Valid(info.key(), warnings);
    }
    return existing != null
        ? new Deployment.Unchanged(existing, warnings)
        : install(compiledDefinition, warnings);
  }

  private Deployment install(CompiledDefinition compiledDefinition, List<Diagnostic> warnings) {
    if (table.size() >= limits.maxDefinitions()) {
      return new Deployment.TooManyDefinitions("definition.maxDefinitions");
    }
    DeployedDefinition info = compiledDefinition.info();
    StoredDefinition wanted =
        new StoredDefinition(info.key(), info.mediaType(), info.source(), info.text().documents());
    StoredDefinition standing = store.save(wanted);
    if (standing == null) {
      table = table.with(List.of(InstalledDefinition.of(wanted, compiledDefinition)));
      return new Deployment.Created(info, warnings);
    }
    // Another replica deployed first.
    CompiledDefinition first = restore(standing);
    table = table.with(List.of(InstalledDefinition.of(standing, first)));
    return first.info().sha256().equals(info.sha256())
        ? new Deployment.Unchanged(first.info(), warnings)
        : new Deployment.VersionConflict(first.info());
  }

  private static Deployment invalid(String message) {
    return new Deployment.Invalid(List.of(new Diagnostic("", 0, 0, message, null)));
  }

  @Override
  public @Nullable ProcessGraph graph(DefinitionKey key) {
    CompiledDefinition compiledDefinition = compiled(table.find(key));
    return compiledDefinition == null ? null : compiledDefinition.graph();
  }

  @Override
  public @Nullable ProcessGraph graph(DefinitionKey key, long fingerprint) {
    ProcessGraph standing = graph(key);
    if (standing != null && standing.fingerprint() == fingerprint) {
      return standing;
    }
    CompiledDefinition held = compiled(deleted.get(new DeletedVersion(key, fingerprint)));
    return held == null ? standing : held.graph();
  }

  @Override
  public @Nullable DeployedDefinition find(DefinitionKey key) {
    CompiledDefinition compiledDefinition = compiled(table.find(key));
    return compiledDefinition == null ? null : compiledDefinition.info();
  }

  @Override
  public @Nullable DeployedDefinition latest(String namespace, String name) {
    CompiledDefinition compiledDefinition = compiled(table.latest(namespace, name));
    return compiledDefinition == null ? null : compiledDefinition.info();
  }

  private static @Nullable CompiledDefinition compiled(@Nullable InstalledDefinition definition) {
    return definition == null ? null : definition.compiled();
  }

  @Override
  public List<DeployedDefinition> list(@Nullable String namespace, @Nullable String name) {
    return table.list(namespace, name);
  }
}
