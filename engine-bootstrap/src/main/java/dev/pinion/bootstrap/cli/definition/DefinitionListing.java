package dev.pinion.bootstrap.cli.definition;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.bootstrap.cli.CommandException;
import dev.pinion.bootstrap.cli.CommandOutput;
import dev.pinion.bootstrap.cli.EngineCommand;
import dev.pinion.bootstrap.cli.ExitStatus;
import dev.pinion.bootstrap.cli.RestClient;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Lists definitions of a running engine: the group of commands on definitions and one of them. */
abstract class DefinitionListing extends EngineCommand implements Callable<Integer> {
  @Option(names = "--namespace", paramLabel = "NAMESPACE", description = "Only of this namespace.")
  private String namespace = "";

  @Option(names = "--name", paramLabel = "NAME", description = "Only of this name.")
  private String name = "";

  @Option(names = "--version", paramLabel = "VERSION", description = "Only of this version.")
  private String version = "";

  @Option(names = "--prefix", paramLabel = "TEXT", description = "Only names that begin so.")
  private String prefix = "";

  @Option(
      names = "--enabled",
      paramLabel = "true|false",
      description = "Only those that may be started, or only those that may not.")
  private @Nullable Boolean enabled;

  @Option(
      names = "--deployed-after",
      paramLabel = "TIME",
      description = "Only deployed then or later, such as 2026-01-31T12:00:00Z.")
  private String deployedAfter = "";

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "50",
      description = "Most definitions to list. Default: 50.")
  private int limit = 50;

  @Override
  public Integer call() throws CommandException {
    try (RestClient client = client()) {
      RestClient.Response response = client.definitions(query());
      if (!response.ok()) {
        int status = response.status() == 400 ? ExitStatus.USAGE : ExitStatus.FAILURE;
        throw new CommandException(status, RestClient.problem(response));
      }
      if (json()) {
        CommandOutput.json(out(), response.body());
      } else {
        print(response.body());
      }
      return ExitStatus.OK;
    }
  }

  private String query() {
    return "?limit="
        + limit
        + parameter("namespace", namespace)
        + parameter("name", name)
        + parameter("version", version)
        + parameter("prefix", prefix)
        + parameter("enabled", enabled == null ? "" : enabled.toString())
        + parameter("deployedAfter", deployedAfter);
  }

  private static String parameter(String parameter, String value) {
    return value.isEmpty() ? "" : "&" + parameter + "=" + RestClient.encoded(value);
  }

  private void print(JsonNode page) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("DEFINITION", "ENABLED", "DEPLOYED", "TITLE"));
    for (JsonNode each : page.path("items")) {
      rows.add(
          List.of(
              DefinitionNames.of(each),
              each.path("enabled").asBoolean(true) ? "yes" : "no",
              each.path("deployedAt").asText(""),
              each.path("title").asText("")));
    }
    CommandOutput.table(out(), rows);
    if (page.hasNonNull("next")) {
      out().println("There are more; ask for them with --limit.");
    }
  }
}
