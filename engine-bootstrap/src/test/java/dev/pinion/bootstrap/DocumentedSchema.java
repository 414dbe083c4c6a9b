package dev.pinion.bootstrap;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.ExecutionContext;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;

/** A schema of the OpenAPI document, to compare readers with. */
public final class DocumentedSchema {
  private static final String COMPONENTS = "/dev/pinion/core/http/openapi-components.json";
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Schema schema;

  /**
   * A schema.
   *
   * @param limits values of the limits in the document
   */
  public DocumentedSchema(String name, Map<String, Integer> limits) throws IOException {
    String text;
    try (InputStream in =
        Objects.requireNonNull(DocumentedSchema.class.getResourceAsStream(COMPONENTS))) {
      text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
    for (Map.Entry<String, Integer> limit : limits.entrySet()) {
      text = text.replace("\"${" + limit.getKey() + "}\"", limit.getValue().toString());
    }
    text = text.replaceAll("\"\\$\\{[^}]*}\"", "1000");
    ObjectNode root = JSON.createObjectNode();
    root.set("components", JSON.readTree(text));
    root.put("$ref", "#/components/schemas/" + name);
    schema = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12).getSchema(root);
  }

  /** Whether the document permits a value, formats included. */
  public boolean allows(String json) throws IOException {
    JsonNode value = JSON.readTree(json);
    return schema
        .validate(
            value,
            (ExecutionContext context) ->
                context.executionConfig(config -> config.formatAssertionsEnabled(true)))
        .isEmpty();
  }
}
