package dev.pinion.bootstrap.cli.definition;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.bootstrap.cli.CommandException;
import dev.pinion.bootstrap.cli.ExitStatus;
import dev.pinion.bootstrap.cli.RestClient;
import java.util.List;

/** Names of definitions in responses of an engine, and on command lines. */
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

  /** The path of a definition that was named as {@code namespace/name/version}. */
  static String path(String key) throws CommandException {
    String[] parts = key.split("/", -1);
    if (parts.length != 3 || List.of(parts).contains("")) {
      throw new CommandException(
          ExitStatus.USAGE,
          "expected NAMESPACE/NAME/VERSION, such as default/hello/1.0.0, found \"" + key + "\"");
    }
    return RestClient.version(parts[0], parts[1], parts[2]);
  }
}
