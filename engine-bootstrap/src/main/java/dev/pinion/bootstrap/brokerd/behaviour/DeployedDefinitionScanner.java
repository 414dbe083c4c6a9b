package dev.pinion.bootstrap.brokerd.behaviour;

import dev.pinion.broker.model.ProcessNode;
import dev.pinion.core.definition.DirectoryDefinitionStore;
import dev.pinion.core.definition.StoredDefinition;
import dev.pinion.core.language.CompilationResult;
import dev.pinion.core.language.WorkflowCompiler;
import dev.pinion.core.language.reference.DocumentSource;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.DefinitionKey;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds deployed definitions, in the folder where replicas save them before they respond. A
 * definition never changes, so each is compiled once, and only when it mentions abstract services.
 * Used by one thread.
 */
public final class DeployedDefinitionScanner {
  private static final Logger LOG = LoggerFactory.getLogger(DeployedDefinitionScanner.class);

  /** Text that occurs in every definition that names an abstract service. */
  private static final String MENTION = "svc:";

  private final Path folder;
  private final WorkflowCompiler compiler;
  private final Map<DefinitionKey, ProcessNode> trees = new HashMap<>();
  private @Nullable List<Path> seen;

  /** Deployed definitions in a folder, which need not exist yet. */
  public DeployedDefinitionScanner(Path folder, EngineLimits limits) {
    this.folder = folder;
    this.compiler = new WorkflowCompiler(limits);
  }

  /**
   * The model of the deployed definitions, always on the first call; later empty when nothing has
   * changed.
   *
   * @throws IOException when the folder cannot be read; the previous state stays
   */
  public Optional<BehaviourModel> changed() throws IOException {
    try {
      List<Path> found = files();
      if (found.equals(seen)) {
        return Optional.empty();
      }
      if (found.isEmpty()) {
        trees.clear();
      } else {
        read();
      }
      seen = found;
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    return Optional.of(BehaviourModel.of(trees));
  }

  private List<Path> files() throws IOException {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.walk(folder)) {
      return files.sorted().toList();
    }
  }

  private void read() {
    List<StoredDefinition> stored = new DirectoryDefinitionStore(folder).load();
    trees.keySet().retainAll(stored.stream().map(StoredDefinition::key).toList());
    for (StoredDefinition each : stored) {
      trees.computeIfAbsent(each.key(), _ -> compiled(each));
    }
  }

  private ProcessNode compiled(StoredDefinition stored) {
    boolean mentioned =
        stored.source().contains(MENTION)
            || stored.documents().stream().anyMatch(each -> each.text().contains(MENTION));
    if (!mentioned) {
      return ProcessTrees.NOTHING;
    }
    DocumentSource documents = DocumentSource.kept(stored.documents());
    return switch (compiler.compile(stored.source(), stored.mediaType(), (_, _) -> documents)) {
      case CompilationResult.Compiled compiled -> ProcessGraphModel.of(compiled.graph());
      case CompilationResult.Rejected rejected -> {
        LOG.warn(
            "{} is left out of the broker's model: {}",
            stored.key(),
            rejected.problems().getFirst());
        yield ProcessTrees.NOTHING;
      }
    };
  }
}
