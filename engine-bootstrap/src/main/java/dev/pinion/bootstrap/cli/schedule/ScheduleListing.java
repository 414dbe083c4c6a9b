package dev.pinion.bootstrap.cli.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.bootstrap.cli.CommandException;
import dev.pinion.bootstrap.cli.CommandOutput;
import dev.pinion.bootstrap.cli.EngineCommand;
import dev.pinion.bootstrap.cli.ExitStatus;
import dev.pinion.bootstrap.cli.RestClient;
import dev.pinion.bootstrap.cli.definition.DefinitionNames;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Lists schedules of a running engine: the group of commands on schedules and one of them. */
abstract class ScheduleListing extends EngineCommand implements Callable<Integer> {
  @Option(names = "--namespace", paramLabel = "NAMESPACE", description = "Only of this namespace.")
  private String namespace = "";

  @Option(names = "--name", paramLabel = "NAME", description = "Only of definitions of this name.")
  private String name = "";

  @Option(
      names = "--paused",
      paramLabel = "true|false",
      description = "Only paused ones, or only others.")
  private @Nullable Boolean paused;

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "50",
      description = "Most schedules to list. Default: 50.")
  private int limit = 50;

  @Override
  public Integer call() throws CommandException {
    try (RestClient client = client()) {
      RestClient.Response response = client.schedules(query());
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
        + parameter("paused", paused == null ? "" : paused.toString());
  }

  private static String parameter(String parameter, String value) {
    return value.isEmpty() ? "" : "&" + parameter + "=" + RestClient.encoded(value);
  }

  private void print(JsonNode page) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("DEFINITION", "RULE", "NEXT", "LAST", "STATE", "RUNS", "MISSED", "SKIPPED"));
    for (JsonNode each : page.path("items")) {
      rows.add(
          List.of(
              DefinitionNames.of(each),
              rule(each),
              each.path("paused").asBoolean() ? "paused" : each.path("next").asText(""),
              each.path("last").path("id").asText(""),
              each.path("last").path("state").asText(""),
              each.path("runs").asText(),
              each.path("missed").asText(),
              each.path("skipped").asText()));
    }
    CommandOutput.table(out(), rows);
    if (page.hasNonNull("next")) {
      out().println("There are more; ask for them with --limit.");
    }
  }

  private static String rule(JsonNode schedule) {
    if (schedule.has("on")) {
      return "on " + events(schedule.path("on"));
    }
    String kind = Stream.of("every", "cron", "after").filter(schedule::has).findFirst().orElse("?");
    String zone = schedule.has("timeZone") ? " " + schedule.path("timeZone").asText() : "";
    return kind + " " + schedule.path(kind).asText("?") + zone;
  }

  /** How many events start a run, and the types that are named. */
  private static String events(JsonNode on) {
    String strategy = Stream.of("one", "all", "any").filter(on::has).findFirst().orElse("?");
    List<String> types = on.findValuesAsText("type");
    return types.isEmpty() ? strategy : strategy + " " + String.join(", ", types);
  }
}
