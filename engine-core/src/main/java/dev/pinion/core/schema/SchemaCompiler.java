package dev.pinion.core.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaException;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.SpecificationVersion;
import com.networknt.schema.path.PathType;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Payload;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Compiles JSON Schema documents (drafts 4, 6, 7, 2019-09 and 2020-12, the default) to checks.
 *
 * <p>A schema is self-contained: references lead into itself or to the published meta-schemas,
 * which the validator includes, and nothing is ever fetched. {@code format} is an annotation, as
 * the drafts have it by default. Safe for use by any thread.
 */
public final class SchemaCompiler {
  private static final SchemaLocation ROOT = SchemaLocation.of("urn:pinion:schema");

  private final EngineLimits limits;
  private final SchemaRegistry registry;

  /** A compiler that holds schemas and their checks to limits. */
  public SchemaCompiler(EngineLimits limits) {
    this.limits = limits;
    BoundedPattern.PatternFactory patterns =
        new BoundedPattern.PatternFactory(limits.definition().maxPatternSize());
    SchemaRegistryConfig config =
        SchemaRegistryConfig.builder()
            .pathType(PathType.JSON_POINTER)
            .locale(Locale.ENGLISH)
            .formatAssertionsEnabled(false)
            .regularExpressionFactory(patterns)
            .build();
    this.registry =
        SchemaRegistry.withDefaultDialect(
            SpecificationVersion.DRAFT_2020_12,
            builder -> builder.schemaRegistryConfig(config).schemaCacheEnabled(false));
  }

  /**
   * Compiles a schema.
   *
   * @param schema the schema document
   * @param problems receives every problem; when it is called, the result is null
   */
  public @Nullable SchemaCheck compile(Payload schema, Consumer<SchemaProblem> problems) {
    List<SchemaProblem> found = new ArrayList<>();
    Optional<SpecificationVersion> dialect = dialect(schema.json(), found);
    if (dialect.isPresent()) {
      checkAgainstMetaSchema(schema.json(), dialect.get(), found);
      found.addAll(SchemaReferences.check(schema.json()));
    }
    SchemaCheck check = found.isEmpty() ? load(schema.json(), found) : null;
    found.forEach(problems);
    return check;
  }

  private static Optional<SpecificationVersion> dialect(
      JsonNode schema, List<SchemaProblem> problems) {
    JsonNode named = schema.path("$schema");
    if (named.isMissingNode()) {
      return Optional.of(SpecificationVersion.DRAFT_2020_12);
    }
    Optional<SpecificationVersion> known = SpecificationVersion.fromDialectId(named.asText());
    if (known.isEmpty()) {
      problems.add(
          new SchemaProblem(
              "/$schema",
              "expected the URI of JSON Schema draft 4, 6, 7, 2019-09 or 2020-12, found " + named));
    }
    return known;
  }

  private void checkAgainstMetaSchema(
      JsonNode schema, SpecificationVersion dialect, List<SchemaProblem> problems) {
    Schema metaSchema = registry.getSchema(SchemaLocation.of(dialect.getDialectId()));
    for (Error error : metaSchema.validate(schema)) {
      SchemaProblem problem =
          new SchemaProblem(
              error.getInstanceLocation().toString(),
              "expected a JSON Schema, found: " + error.getMessage());
      if (!problems.contains(problem)) {
        problems.add(problem);
      }
    }
  }

  private @Nullable SchemaCheck load(JsonNode schema, List<SchemaProblem> problems) {
    try {
      Schema loaded =
          BoundedPattern.withProblems(
              complaint -> problems.add(new SchemaProblem("", complaint)),
              () -> initialized(schema));
      return problems.isEmpty()
          ? new SchemaCheck(loaded, 2 * limits.expression().maxDepth())
          : null;
    } catch (SchemaException e) {
      problems.add(
          new SchemaProblem(
              "", "expected a usable JSON Schema, found: " + SchemaProblem.reason(e)));
      return null;
    }
  }

  private Schema initialized(JsonNode schema) {
    Schema loaded = registry.getSchema(ROOT, schema);
    loaded.initializeValidators();
    return loaded;
  }
}
