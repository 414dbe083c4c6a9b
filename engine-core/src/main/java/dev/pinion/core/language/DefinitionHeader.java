package dev.pinion.core.language;

import dev.pinion.core.document.DocumentValue;
import dev.pinion.core.document.ValueDescription;
import dev.pinion.core.language.field.Diagnostics;
import dev.pinion.core.language.field.ExpressionFieldCompiler;
import dev.pinion.core.language.field.FieldReader;
import dev.pinion.core.language.field.MetadataHints;
import dev.pinion.core.model.ChainCatalog;
import dev.pinion.core.model.ChainReferences;
import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.Durability;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.SpellingSuggestion;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the header of a definition: {@code document} and {@code evaluate}. */
final class DefinitionHeader {
  /** The versions of the language that this engine supports. */
  static final List<String> DSL_VERSIONS = List.of("1.0.0", "1.0.1", "1.0.2", "1.0.3");

  private static final List<String> KEYS =
      List.of("dsl", "namespace", "name", "version", "title", "summary", "tags", "metadata");
  private final Diagnostics diagnostics;
  private final DefinitionNameCheck names;
  private final ChainCatalog chains;
  private final ExpressionFieldCompiler expressions;

  DefinitionHeader(
      Diagnostics diagnostics, ChainCatalog chains, ExpressionFieldCompiler expressions) {
    this.diagnostics = diagnostics;
    this.names = new DefinitionNameCheck(diagnostics);
    this.chains = chains;
    this.expressions = expressions;
  }

  /**
   * Content of a header.
   *
   * @param key identity of the definition
   * @param durability the part of its instances that survives a crash, or null when not given
   * @param chains the chains of handlers that it names
   * @param orderingKey makes the ordering key of a start from its input, or null
   * @param scheduleHints hints to the schedule, or null
   */
  record DocumentSection(
      DefinitionKey key,
      @Nullable Durability durability,
      ChainReferences chains,
      @Nullable Expression<Payload> orderingKey,
      @Nullable DocumentValue scheduleHints) {}

  /** Reads the header; with problems, returns a placeholder. */
  DocumentSection document(@Nullable DocumentValue document) {
    if (document == null) {
      return new DocumentSection(
          new DefinitionKey("", "", ""), null, ChainReferences.EMPTY, null, null);
    }
    FieldReader fieldReader = FieldReader.of(document, "document", KEYS, diagnostics);
    checkDsl(fieldReader.requiredText("dsl"));
    String namespace = names.label(fieldReader.requiredText("namespace"));
    String name = names.label(fieldReader.requiredText("name"));
    String version = names.version(fieldReader.requiredText("version"));
    fieldReader.text("title");
    fieldReader.text("summary");
    fieldReader.object("tags");
    MetadataHints.Hints hints =
        new MetadataHints(diagnostics).ofDocument(fieldReader.get("metadata"), chains, expressions);
    return new DocumentSection(
        new DefinitionKey(namespace, name, version),
        hints.durability(),
        hints.chains(),
        hints.orderingKey(),
        hints.schedule());
  }

  /** Checks {@code evaluate}, whose mode is that of all expressions compiled afterwards. */
  void evaluate(@Nullable DocumentValue evaluate) {
    if (evaluate == null) {
      return;
    }
    FieldReader fieldReader =
        FieldReader.of(evaluate, "evaluate", List.of("language", "mode"), diagnostics);
    DocumentValue language = fieldReader.text("language");
    if (language != null && !language.text().equals("jq")) {
      diagnostics.value(
          language,
          "expected the expression language jq, found "
              + ValueDescription.describe(language.json()));
    }
    if (fieldReader.word("mode", List.of("strict", "loose")).equals("loose")) {
      expressions.evaluateLoosely();
    }
  }

  private void checkDsl(@Nullable DocumentValue dsl) {
    if (dsl != null && !DSL_VERSIONS.contains(dsl.text())) {
      diagnostics.value(
          dsl,
          "expected a version of the DSL that is known here ("
              + String.join(", ", DSL_VERSIONS)
              + "), found "
              + ValueDescription.describe(dsl.json()),
          () -> SpellingSuggestion.of(dsl.text(), DSL_VERSIONS));
    }
  }
}
