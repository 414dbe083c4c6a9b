package dev.pinion.core.language;

import dev.pinion.core.document.DocumentValue;
import dev.pinion.core.graph.DataTransform;
import dev.pinion.core.language.field.Diagnostics;
import dev.pinion.core.language.field.ExpressionFieldCompiler;
import dev.pinion.core.language.field.FieldReader;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Compiles {@code input}, {@code output} and {@code export} of a task or a workflow. */
final class DataFlowCompiler {
  private final SchemaFieldCompiler schemaFieldCompiler;
  private final ExpressionFieldCompiler expressions;
  private final Diagnostics diagnostics;

  DataFlowCompiler(
      SchemaFieldCompiler schemaFieldCompiler,
      ExpressionFieldCompiler expressions,
      Diagnostics diagnostics) {
    this.schemaFieldCompiler = schemaFieldCompiler;
    this.expressions = expressions;
    this.diagnostics = diagnostics;
  }

  /** {@code input}: check, then {@code from}. */
  DataTransform input(@Nullable DocumentValue input, Set<String> variables) {
    return step(input, "an input", "from", variables);
  }

  /** {@code input} of a call whose {@code from} the Invoker evaluates: the check alone. */
  DataTransform checkOnly(DocumentValue input) {
    FieldReader fieldReader =
        FieldReader.of(input, "an input", List.of("schema", "from"), diagnostics);
    return new DataTransform(schemaFieldCompiler.check(fieldReader.get("schema")), null);
  }

  /** {@code output}: {@code as}, then check. */
  DataTransform output(@Nullable DocumentValue output, Set<String> variables) {
    return step(output, "an output", "as", variables);
  }

  /** {@code export}: {@code as}, then check. */
  DataTransform export(@Nullable DocumentValue export, Set<String> variables) {
    return step(export, "an export", "as", variables);
  }

  private DataTransform step(
      @Nullable DocumentValue documentValue, String what, String key, Set<String> variables) {
    if (documentValue == null) {
      return DataTransform.NONE;
    }
    FieldReader fieldReader =
        FieldReader.of(documentValue, what, List.of("schema", key), diagnostics);
    DocumentValue transformation = fieldReader.get(key);
    return new DataTransform(
        schemaFieldCompiler.check(fieldReader.get("schema")),
        transformation == null ? null : expressions.transformation(transformation, variables));
  }
}
