package dev.pinion.core.language.call;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pinion.core.document.DocumentValue;
import dev.pinion.core.language.field.Diagnostics;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.Payload;
import dev.pinion.core.schema.SchemaCompiler;
import dev.pinion.core.schema.SchemaProblem;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Compiles the schema of the payload of a message to a check. The schema of AsyncAPI is JSON Schema
 * draft 7 with more keywords; other formats, and messages of several kinds, are not checked.
 */
final class MessagePayloadCheck {
  private static final String DRAFT = "http://json-schema.org/draft-07/schema#";
  private static final String FORMAT = "schemaFormat";
  private static final String SCHEMAS = "schemas";
  private static final String COMPONENTS = "components";

  /** Formats of schemas that are JSON Schema. */
  private static final Pattern JSON_SCHEMA =
      Pattern.compile(
          "application/(?:vnd\\.aai\\.asyncapi|schema)(?:\\+json|\\+yaml)?(?:\\s*;.*)?");

  private final EngineLimits limits;
  private final Diagnostics diagnostics;

  MessagePayloadCheck(EngineLimits limits, Diagnostics diagnostics) {
    this.limits = limits;
    this.diagnostics = diagnostics;
  }

  /**
   * The check of what a target takes, or null when there is none.
   *
   * @param place the value of the definition that a warning is given at
   */
  @Nullable Expression<Payload> of(
      AsyncApiDocument document, AsyncApiTarget target, DocumentValue place) {
    if (target.messages().size() != 1) {
      return null;
    }
    DocumentValue message = target.messages().getFirst();
    DocumentValue payload = document.member(message, "payload");
    String format = document.text(message, FORMAT);
    DocumentValue schema = payload;
    if (payload != null && document.member(payload, FORMAT) != null) { // generation 3
      format = document.text(payload, FORMAT);
      schema = document.member(payload, "schema");
    }
    if (schema == null || (format != null && !JSON_SCHEMA.matcher(format).matches())) {
      return null;
    }
    List<SchemaProblem> problems = new ArrayList<>();
    Expression<Payload> check =
        new SchemaCompiler(limits).compile(whole(document, schema), problems::add);
    if (!problems.isEmpty()) {
      diagnostics.warn(
          place,
          "expected a schema of the payload that can be checked, found: "
              + problems.getFirst().message()
              + "; payloads are sent unchecked",
          () -> null);
    }
    return check;
  }

  /** The schema with the components that it may refer to. */
  private static Payload whole(AsyncApiDocument document, DocumentValue schema) {
    JsonNode schemas = document.root().json().path(COMPONENTS).path(SCHEMAS);
    ObjectNode whole = JsonNodeFactory.instance.objectNode();
    whole.put("$schema", DRAFT);
    whole.putArray("allOf").add(schema.json());
    if (schemas.isObject()) {
      whole.putObject(COMPONENTS).set(SCHEMAS, schemas);
    }
    return Payload.of(whole);
  }
}
