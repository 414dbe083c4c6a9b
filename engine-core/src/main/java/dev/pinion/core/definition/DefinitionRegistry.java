package dev.pinion.core.definition;

import dev.pinion.core.definition.StandingDefinition.Compiled;
import dev.pinion.core.frontend.swf.Compilation;
import dev.pinion.core.frontend.swf.WorkflowCompiler;
import dev.pinion.core.ir.GraphSource;
import dev.pinion.core.ir.ProcessGraph;
import dev.pinion.core.model.ChainCatalog;
import dev.pinion.core.model.DefinitionInfo;
import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.Diagnostic;
import dev.pinion.core.model.EngineLimits;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.SemanticVersion;
import dev.pinion.core.spi.BindingSource;
import dev.pinion.core.spi.Definitions;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The deployed definitions: compiles, saves and installs them, and finds them for the pipeline.
 *
 * <p>Look-ups read an immutable table and never wait, unless {@code start.compileAhead} has left
 * the compilation of a definition to the first of them. Deployments take turns; each is saved
 * before it is installed, so every visible definition survives a restart.
 */
public final class DefinitionRegistry implements Definitions, GraphSource {
  private final EngineLimits.Definition limits;
  private final ChainCatalog chains;
  private final WorkflowCompiler compiler;
  private final DefinitionStore store;
  private final ServiceCheck services;
  private volatile DefinitionTable table = DefinitionTable.EMPTY;
  private volatile Map<Held, StandingDefinition> deleted = Map.of();
  private volatile boolean complete = true;

  /** The content of a deleted definition. */
  private record Held(DefinitionKey key, long fingerprint) {}

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
    this.limits = limits.definition();
    this.chains = chains;
    this.compiler = new WorkflowCompiler(limits, chains);
    this.store = store;
    this.services = new ServiceCheck(bindings);
    this.table = restored(limits.start().compileAhead());
    this.deleted = restoredDeleted();
  }

  @Override
  public void expectRefresh() {
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
  private Map<Held, StandingDefinition> restoredDeleted() {
    Map<Held, StandingDefinition> all = new HashMap<>();
    for (DeletedDefinition each : store.deleted()) {
      Held held = new Held(each.stored().key(), each.fingerprint());
      StandingDefinition known = deleted.get(held);
      all.put(
          held,
          known != null ? known : StandingDefinition.later(each.stored(), chains, this::restore));
    }
    return all;
  }

  @Override
  public synchronized Deletion delete(DefinitionKey key) {
    StandingDefinition standing = table.find(key);
    Compiled compiled = compiled(standing);
    if (standing == null || compiled == null) {
      return Deletion.UNKNOWN;
    }
    if (deleted.size() >= limits.maxDefinitions()) {
      return Deletion.FULL;
    }
    long fingerprint = compiled.graph().fingerprint();
    Map<Held, StandingDefinition> before = deleted;
    Map<Held, StandingDefinition> all = new HashMap<>(before);
    all.put(new Held(key, fingerprint), standing);
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
    List<StandingDefinition> entries = new ArrayList<>();
    Set<DefinitionKey> keys = new HashSet<>();
    for (StoredDefinition stored : store.load()) {
      StandingDefinition known = table.find(stored.key());
      StandingDefinition entry =
          known != null && known.isAs(stored)
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
  private StandingDefinition restored(StoredDefinition stored, boolean ahead) {
    return ahead || SemanticVersion.parse(stored.key().version()) == null
        ? StandingDefinition.of(stored, restore(stored))
        : StandingDefinition.later(stored, chains, this::restore);
  }

  private Compiled restore(StoredDefinition stored) {
    return switch (compiler.compile(stored.source(), stored.mediaType())) {
      case Compilation.Refused(List<Diagnostic> problems) ->
          throw refusal(
              stored, "expected a definition that compiles", problems.getFirst().toString());
      case Compilation.Compiled compiled -> {
        ProcessGraph graph = compiled.graph();
        if (!graph.key().equals(stored.key())) {
          throw refusal(stored, "expected definition " + stored.key(), graph.key().toString());
        }
        yield compiled(compiled, stored.mediaType(), stored.source());
      }
    };
  }

  private IllegalStateException refusal(StoredDefinition stored, String expected, String found) {
    return new IllegalStateException(
        expected + " at " + store.place(stored) + ", found " + found + "; repair or move it");
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
    return switch (compiler.compile(text, mediaType)) {
      case Compilation.Refused(List<Diagnostic> problems) -> new Deployment.Invalid(problems);
      case Compilation.Compiled compiled -> {
        List<Diagnostic> unserved = services.unserved(compiled.services());
        yield !unserved.isEmpty() && services.refuses()
            ? new Deployment.Invalid(unserved)
            : deploy(compiled(compiled, mediaType, text), expected, dryRun, unserved);
      }
    };
  }

  private Deployment deploy(
      Compiled compiled,
      @Nullable DefinitionKey expected,
      boolean dryRun,
      List<Diagnostic> warnings) {
    DefinitionInfo info = compiled.info();
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
    DefinitionInfo existing = find(info.key());
    if (existing != null && !existing.sha256().equals(info.sha256())) {
      return new Deployment.Conflict(existing);
    }
    if (dryRun) {
      return new Deployment.Valid(info.key(), warnings);
    }
    return existing != null
        ? new Deployment.Unchanged(existing, warnings)
        : install(compiled, warnings);
  }

  private Deployment install(Compiled compiled, List<Diagnostic> warnings) {
    if (table.size() >= limits.maxDefinitions()) {
      return new Deployment.Full("definition.maxDefinitions");
    }
    DefinitionInfo info = compiled.info();
    StoredDefinition wanted = new StoredDefinition(info.key(), info.mediaType(), info.source());
    StoredDefinition standing = store.save(wanted);
    if (standing == null) {
      table = table.with(List.of(StandingDefinition.of(wanted, compiled)));
      return new Deployment.Created(info, warnings);
    }
    // Another replica deployed first.
    Compiled first = restore(standing);
    table = table.with(List.of(StandingDefinition.of(standing, first)));
    return first.info().sha256().equals(info.sha256())
        ? new Deployment.Unchanged(first.info(), warnings)
        : new Deployment.Conflict(first.info());
  }

  private static Deployment invalid(String message) {
    return new Deployment.Invalid(List.of(new Diagnostic("", 0, 0, message, null)));
  }

  private static Compiled compiled(Compilation.Compiled compiled, String mediaType, String source) {
    ProcessGraph graph = compiled.graph();
    Payload document = compiled.document();
    return new Compiled(
        new DefinitionInfo(
            graph.key(),
            sha256(document),
            mediaType,
            source,
            document,
            compiled.chains(),
            compiled.orderingKey(),
            compiled.origins()),
        graph);
  }

  private static String sha256(Payload document) {
    try {
      byte[] json = document.toString().getBytes(StandardCharsets.UTF_8);
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(json));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // Every Java platform has SHA-256.
    }
  }

  @Override
  public @Nullable ProcessGraph graph(DefinitionKey key) {
    Compiled compiled = compiled(table.find(key));
    return compiled == null ? null : compiled.graph();
  }

  @Override
  public @Nullable ProcessGraph graph(DefinitionKey key, long fingerprint) {
    ProcessGraph standing = graph(key);
    if (standing != null && standing.fingerprint() == fingerprint) {
      return standing;
    }
    Compiled held = compiled(deleted.get(new Held(key, fingerprint)));
    return held == null ? standing : held.graph();
  }

  @Override
  public @Nullable DefinitionInfo find(DefinitionKey key) {
    Compiled compiled = compiled(table.find(key));
    return compiled == null ? null : compiled.info();
  }

  @Override
  public @Nullable DefinitionInfo latest(String namespace, String name) {
    Compiled compiled = compiled(table.latest(namespace, name));
    return compiled == null ? null : compiled.info();
  }

  private static @Nullable Compiled compiled(@Nullable StandingDefinition definition) {
    return definition == null ? null : definition.compiled();
  }

  @Override
  public List<DefinitionInfo> list(@Nullable String namespace, @Nullable String name) {
    return table.list(namespace, name);
  }
}
