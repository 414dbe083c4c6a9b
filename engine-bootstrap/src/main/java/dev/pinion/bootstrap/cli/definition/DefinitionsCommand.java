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
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Lists definitions of a running engine. */
@Command(
    name = "definitions",
    description = "Lists the definitions of a running engine by namespace, name and version.",
    sortOptions = false)
public final class DefinitionsCommand extends EngineCommand implements Callable<Integer> {
  @Option(names = "--namespace", paramLabel = "NAMESPACE", description = "Only of this namespace.")
  private String namespace = "";

  @Option(names = "--name", paramLabel = "NAME", description = "Only of this name.")
  private String name = "";

  @Option(names = "--version", paramLabel = "VERSION", description = "Only of this version.")
  private String version = "";

  @Option(names = "--prefix", paramLabel = "TEXT", description = "Only names that begin so.")
  private String prefix = "";

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
        + parameter("prefix", prefix);
  }

  private static String parameter(String parameter, String value) {
    return value.isEmpty() ? "" : "&" + parameter + "=" + RestClient.encoded(value);
  }

  private void print(JsonNode page) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("DEFINITION", "TITLE"));
    for (JsonNode each : page.path("items")) {
      rows.add(List.of(DefinitionNames.of(each), each.path("title").asText("")));
    }
    CommandOutput.table(out(), rows);
    if (page.hasNonNull("next")) {
      out().println("There are more; ask for them with --limit.");
    }
  }
}
