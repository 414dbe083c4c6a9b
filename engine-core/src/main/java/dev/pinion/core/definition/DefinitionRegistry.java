package dev.pinion.core.definition;

import dev.pinion.core.binding.BindingSource;
import dev.pinion.core.definition.InstalledDefinition.CompiledDefinition;
import dev.pinion.core.graph.GraphSource;
import dev.pinion.core.graph.ProcessGraph;
import dev.pinion.core.language.CompilationResult;
import dev.pinion.core.limits.DefinitionLimits;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.ChainCatalog;
import dev.pinion.core.model.Clock;
import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.DefinitionName;
import dev.pinion.core.model.DeployedDefinition;
import dev.pinion.core.model.Diagnostic;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.PinnedDocument;
import dev.pinion.core.model.SemanticVersion;
import dev.pinion.core.secret.SecretSource;
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
import java.util.concurrent.Executor;
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
  private final StoredDefinitionCompiler restorer;
  private final BackgroundCompilation background = new BackgroundCompilation();
  private final Clock clock;
  private final UnboundServiceCheck services;
  private final ProgramCheck programs;
  private final @Nullable MissingSecretCheck secrets;
  private final ScheduleCheck schedules;
  private final ScheduleListeners listeners = new ScheduleListeners();
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
   * A registry of everything in a store, whose definitions may run any program.
   *
   * @param chains the chains of handlers that definitions may name
   * @param bindings which abstract services are served, and whether others are refused
   * @throws IllegalStateException when a stored definition does not compile or does not match its
   *     place; the message names it
   */
  public DefinitionRegistry(
      EngineLimits limits, DefinitionStore store, ChainCatalog chains, BindingSource bindings) {
    this(limits, store, chains, bindings, DefinitionResources.DEFAULT, Clock.system());
  }

  /**
   * A registry like that, which restricts what new definitions may use.
   *
   * @param resources what deployed definitions may use
   * @param clock time at which new definitions are deployed
   * @throws IllegalStateException when a stored definition does not compile or does not match its
   *     place; the message names it
   */
  public DefinitionRegistry(
      EngineLimits limits,
      DefinitionStore store,
      ChainCatalog chains,
      BindingSource bindings,
      DefinitionResources resources,
      Clock clock) {
    this.limits = limits.definition();
    this.chains = chains;
    this.compilation = new DefinitionCompilation(limits, chains, resources.documents());
    this.store = store;
    this.restorer = new StoredDefinitionCompiler(compilation, store);
    this.clock = clock;
    this.services = new UnboundServiceCheck(bindings);
    this.programs = new ProgramCheck(resources.programs());
    SecretSource known = resources.secrets();
    this.secrets = known == null ? null : new MissingSecretCheck(known);
    this.schedules = new ScheduleCheck(limits.schedule());
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
  public boolean knowsAll() {
    return complete;
  }

  @Override
  public synchronized void refresh() {
    DefinitionTable now = restored(Integer.MAX_VALUE);
    deleted = restoredDeleted(); // read afterwards, in force before: no thread finds it in neither
    table = now;
    complete = true;
    listeners.changed();
  }

  private void install(DefinitionTable now) {
    table = now;
    listeners.changed();
  }

  /** The deleted definitions of the store; compiled when an instance needs them. */
  private Map<DeletedVersion, InstalledDefinition> restoredDeleted() {
    Map<DeletedVersion, InstalledDefinition> all = new HashMap<>();
    for (DeletedDefinition each : store.deleted()) {
      DeletedVersion deletedVersion = new DeletedVersion(each.stored().key(), each.fingerprint());
      InstalledDefinition known = deleted.get(deletedVersion);
      all.put(
          deletedVersion,
          known != null
              ? known
              : InstalledDefinition.lazy(each.stored(), chains, restorer::compile));
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
    install(table.without(key));
    return Deletion.DELETED;
  }

  @Override
  public synchronized @Nullable DeployedDefinition setEnabled(DefinitionKey key, boolean enabled) {
    InstalledDefinition standing = table.find(key);
    if (standing == null || compiled(standing) == null || !store.setEnabled(key, enabled)) {
      return null;
    }
    install(table.with(List.of(standing.withEnabled(enabled))));
    return find(key);
  }

  @Override
  public synchronized void refreshStatus(DefinitionKey key) {
    InstalledDefinition standing = table.find(key);
    if (standing != null) { // otherwise it is read when it is installed
      install(table.with(List.of(standing.withEnabled(store.isEnabled(key)))));
    }
  }

  @Override
  public boolean isEnabled(DefinitionKey key) {
    InstalledDefinition standing = table.find(key);
    return standing == null || standing.isEnabled();
  }

  /** The definitions of the store; of the new ones, the first are compiled. */
  private DefinitionTable restored(int compiledAhead) {
    List<InstalledDefinition> entries = new ArrayList<>();
    Set<DefinitionKey> keys = new HashSet<>();
    List<StoredDefinition> all = store.load();
    Set<DefinitionKey> disabled = store.disabled();
    for (StoredDefinition stored : all) {
      InstalledDefinition known = table.find(stored.key());
      InstalledDefinition entry =
          known != null && known.hasSameSource(stored)
              ? known
              : restored(stored, entries.size() < compiledAhead);
      if (!keys.add(entry.key())) {
        throw restorer.refusal(
            stored, "expected each definition once", "another file of " + stored.key());
      }
      entries.add(entry.withEnabled(!disabled.contains(entry.key())));
    }
    return DefinitionTable.EMPTY.with(entries);
  }

  /**
   * A definition whose version is invalid has no place in the table: its compilation reports why.
   */
  private InstalledDefinition restored(StoredDefinition stored, boolean ahead) {
    return ahead
            || SemanticVersion.parse(stored.key().version()) == null
            || InstalledDefinition.mayHaveSchedule(stored)
        ? InstalledDefinition.of(stored, restorer.compile(stored))
        : InstalledDefinition.lazy(stored, chains, restorer::compile);
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
        List<Diagnostic> refused = new ArrayList<>(programs.refused(compiled.programs()));
        refused.addAll(schedules.refused(compiled.schedule()));
        if (!refused.isEmpty()) {
          yield new Deployment.Invalid(refused, compiled.warnings());
        }
        List<Diagnostic> unserved = services.unserved(compiled.services());
        List<Diagnostic> warnings = new ArrayList<>(compiled.warnings());
        if (!unserved.isEmpty() && services.refuses()) {
          yield new Deployment.Invalid(unserved, warnings);
        }
        warnings.addAll(unserved);
        warnings.addAll(secrets == null ? List.of() : secrets.missing(compiled.secrets()));
        yield deploy(deployed(compiled, mediaType, text), expected, dryRun, List.copyOf(warnings));
      }
    };
  }

  private CompiledDefinition deployed(
      CompilationResult.Compiled compiled, String mediaType, String text) {
    DefinitionKey key = compiled.graph().key();
    return StoredDefinitionCompiler.of(
        compiled,
        new StoredDefinition(key, mediaType, text, clock.epochMillis(), compiled.documents()));
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
    if (compiledDefinition.graph().schedule() != null
        && !schedules.hasRoom(table, DefinitionName.of(info.key()))) {
      return new Deployment.TooManyDefinitions("schedule.maxSchedules");
    }
    StoredDefinition wanted =
        new StoredDefinition(
            info.key(),
            info.mediaType(),
            info.source(),
            info.status().deployedAtMillis(),
            info.text().documents());
    StoredDefinition standing = store.save(wanted);
    if (standing == null) {
      install(table.with(List.of(InstalledDefinition.of(wanted, compiledDefinition))));
      return new Deployment.Created(info, warnings);
    }
    // Another replica deployed first.
    CompiledDefinition first = restorer.compile(standing);
    boolean enabled = store.isEnabled(standing.key());
    install(table.with(List.of(InstalledDefinition.of(standing, first).withEnabled(enabled))));
    DeployedDefinition there = first.withEnabled(enabled).info();
    return there.sha256().equals(info.sha256())
        ? new Deployment.Unchanged(there, warnings)
        : new Deployment.VersionConflict(there);
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

  @Override
  public @Nullable ProcessGraph latestGraph(String namespace, String name) {
    CompiledDefinition compiledDefinition = compiled(table.latest(namespace, name));
    return compiledDefinition == null ? null : compiledDefinition.graph();
  }

  @Override
  public boolean isPrepared(String namespace, String name, @Nullable String version) {
    InstalledDefinition wanted =
        version == null
            ? table.latest(namespace, name)
            : table.find(new DefinitionKey(namespace, name, version));
    return wanted == null || background.isReady(wanted);
  }

  @Override
  public void prepareOn(Executor executor) {
    background.use(executor);
  }

  @Override
  public Map<DefinitionName, ProcessGraph> schedules() {
    return table.schedules();
  }

  @Override
  public void addScheduleListener(Runnable listener) {
    listeners.add(listener);
  }

  @Override
  public void removeScheduleListener(Runnable listener) {
    listeners.remove(listener);
  }

  private static @Nullable CompiledDefinition compiled(@Nullable InstalledDefinition definition) {
    return definition == null ? null : definition.compiled();
  }

  @Override
  public List<DeployedDefinition> list(@Nullable String namespace, @Nullable String name) {
    return table.list(namespace, name);
  }
}
