package dev.pinion.core.language;

import dev.pinion.core.document.DocumentValue;
import dev.pinion.core.document.SourceNode;
import dev.pinion.core.document.ValueDescription;
import dev.pinion.core.language.field.Diagnostics;
import dev.pinion.core.language.field.FieldReader;
import dev.pinion.core.language.reference.ExternalDocuments.ExternalDocument;
import dev.pinion.core.language.reference.ExternalResources;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.SpellingSuggestion;
import dev.pinion.core.schema.SchemaCheck;
import dev.pinion.core.schema.SchemaCompiler;
import dev.pinion.core.schema.SchemaProblem;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Compiles the {@code schema} of an input, an output or an export to a check. */
final class SchemaFieldCompiler {
  private static final List<String> KEYS = List.of("format", "document", "resource");
  private static final String FORMAT = "json";

  /** {@code json}, or {@code json:} and a draft; the draft in force is the schema's own. */
  private static final Pattern JSON_FORMAT =
      Pattern.compile("json(:(draft-?)?(0?[467]|2019-09|2020-12))?");

  /** By the schema, each once: functions are compiled again for each call. */
  private final IdentityHashMap<SourceNode, Optional<SchemaCheck>> checks = new IdentityHashMap<>();

  private final SchemaCompiler compiler;
  private final ExternalResources resources;
  private final Diagnostics diagnostics;

  /** A compiler of the schemas of one document. */
  SchemaFieldCompiler(EngineLimits limits, ExternalResources resources, Diagnostics diagnostics) {
    this.compiler = new SchemaCompiler(limits);
    this.resources = resources;
    this.diagnostics = diagnostics;
  }

  /** The check of a {@code schema}, or null when there is none. */
  @Nullable Expression<Payload> check(@Nullable DocumentValue schema) {
    if (schema == null) {
      return null;
    }
    FieldReader fieldReader = FieldReader.of(schema, "a schema", KEYS, diagnostics);
    checkFormat(fieldReader.text("format"));
    DocumentValue resource = fieldReader.get("resource");
    DocumentValue document = fieldReader.get("document");
    if (resource != null && document != null) {
      diagnostics.key(resource, "expected either \"document\" or \"resource\", found both");
    } else if (resource != null) {
      return external(resource);
    } else if (document == null) {
      fieldReader.required("document");
    } else {
      return compiled(document, diagnostics);
    }
    return null;
  }

  private @Nullable SchemaCheck external(DocumentValue resource) {
    ExternalDocument found = resources.document(resource);
    return found == null ? null : compiled(found.root(), found.diagnostics());
  }

  private void checkFormat(@Nullable DocumentValue format) {
    if (format != null && !JSON_FORMAT.matcher(format.text()).matches()) {
      diagnostics.value(
          format,
          "expected the schema format json, found " + ValueDescription.describe(format.json()),
          () -> SpellingSuggestion.of(format.text(), List.of(FORMAT)));
    }
  }

  private @Nullable SchemaCheck compiled(DocumentValue document, Diagnostics of) {
    Optional<SchemaCheck> known = checks.get(document.node());
    if (known == null) {
      known =
          Optional.ofNullable(
              compiler.compile(document.payload(), problem -> report(document, problem, of)));
      checks.put(document.node(), known);
    }
    return known.orElse(null);
  }

  private static void report(DocumentValue document, SchemaProblem problem, Diagnostics of) {
    of.value(document.descendant(problem.pointer()), problem.message());
  }
}
