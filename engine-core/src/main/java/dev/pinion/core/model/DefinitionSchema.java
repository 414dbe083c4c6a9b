package dev.pinion.core.model;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** The JSON Schema (2020-12) of definitions, for editors. */
public final class DefinitionSchema {
  private static final String RESOURCE = "definition.schema.json";

  private DefinitionSchema() {}

  /** The schema as JSON text. */
  public static String text() {
    try (InputStream in = DefinitionSchema.class.getResourceAsStream(RESOURCE)) {
      if (in == null) {
        throw new IllegalStateException("expected the resource " + RESOURCE);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
