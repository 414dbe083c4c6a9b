package dev.pinion.core.definition;

import dev.pinion.core.language.CompilationResult;
import dev.pinion.core.language.WorkflowCompiler;
import dev.pinion.core.language.reference.DocumentSource;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.ChainCatalog;
import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.PinnedDocument;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Compiles definitions with the documents to which they refer. */
final class DefinitionCompilation {
  private final WorkflowCompiler compiler;
  private final Supplier<DocumentSource> fetcher;

  DefinitionCompilation(
      EngineLimits limits, ChainCatalog chains, Supplier<DocumentSource> fetcher) {
    this.compiler = new WorkflowCompiler(limits, chains);
    this.fetcher = fetcher;
  }

  /** Documents that are kept with definitions. */
  @FunctionalInterface
  interface KeptDocuments {
    /** The documents of a definition, or null when it is a new one. */
    @Nullable List<PinnedDocument> of(DefinitionKey key, Payload document);
  }

  /** Compiles a stored definition with the documents that are kept with it. */
  CompilationResult ofStored(StoredDefinition stored) {
    DocumentSource kept = DocumentSource.kept(stored.documents());
    return compiler.compile(stored.source(), stored.mediaType(), (_, _) -> kept);
  }

  /**
   * Compiles a definition that is deployed; fetches its documents if it is new.
   *
   * @param kept documents of definitions that are deployed
   */
  CompilationResult ofDeployed(String text, String mediaType, KeptDocuments kept) {
    List<DocumentSource> opened = new ArrayList<>();
    try {
      return compiler.compile(
          text,
          mediaType,
          (key, document) -> {
            List<PinnedDocument> known = key == null ? null : kept.of(key, document);
            DocumentSource source = known == null ? fetcher.get() : DocumentSource.kept(known);
            opened.add(source);
            return source;
          });
    } finally {
      opened.forEach(DocumentSource::close);
    }
  }
}
