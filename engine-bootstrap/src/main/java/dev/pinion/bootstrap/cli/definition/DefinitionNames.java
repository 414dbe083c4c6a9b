package dev.pinion.bootstrap.cli.definition;

import com.fasterxml.jackson.databind.JsonNode;

/** Names of definitions in responses of an engine. */
public final class DefinitionNames {
  private DefinitionNames() {}

  /** {@code namespace/name/version} of an object that has these members. */
  public static String of(JsonNode definition) {
    return definition.path("namespace").asText("?")
        + "/"
        + definition.path("name").asText("?")
        + "/"
        + definition.path("version").asText("?");
  }
}
