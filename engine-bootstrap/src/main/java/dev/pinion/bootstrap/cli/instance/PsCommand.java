package dev.pinion.bootstrap.cli.instance;

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
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Lists instances of a running engine. */
@Command(
    name = "ps",
    description = "Lists instances of a running engine, the newest first.",
    sortOptions = false)
public final class PsCommand extends EngineCommand implements Callable<Integer> {
  private static final String FAULTED = "FAULTED";

  /** Most characters of an error. */
  private static final int MAX_ERROR = 80;

  @Option(
      names = "--state",
      paramLabel = "STATE",
      description =
          "Only in this state: PENDING, RUNNING, WAITING, SUSPENDED, COMPLETED, FAULTED or"
              + " CANCELLED.")
  private String state = "";

  @Option(
      names = "--definition",
      paramLabel = "NAME",
      description = "Only of definitions of this name.")
  private String definition = "";

  @Option(
      names = "--business-key",
      paramLabel = "KEY",
      description = "Only with this business key; asks the history.")
  private String businessKey = "";

  @Option(
      names = "--label",
      paramLabel = "NAME=VALUE",
      description = "Only with this label; asks the history.")
  private String label = "";

  @Option(
      names = "--parent",
      paramLabel = "INSTANCE",
      description = "Only instances that a task of this one started.")
  private String parent = "";

  @Option(
      names = "--past",
      description = "Asks the history, which knows instances that the engine has forgotten.")
  private boolean past;

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "50",
      description = "Most instances to list. Default: 50.")
  private int limit = 50;

  @Override
  public Integer call() throws CommandException {
    try (RestClient client = client()) {
      boolean history = past || !businessKey.isEmpty() || !label.isEmpty();
      RestClient.Response answer =
          history ? client.pastInstances(query()) : client.instances(query());
      if (!answer.ok()) {
        int status = answer.status() == 400 ? ExitStatus.USAGE : ExitStatus.FAILURE;
        throw new CommandException(status, RestClient.problem(answer));
      }
      if (json()) {
        CommandOutput.json(out(), answer.body());
      } else {
        print(answer.body(), client);
      }
      return ExitStatus.OK;
    }
  }

  private String query() {
    return "?limit="
        + limit
        + (businessKey.isEmpty() ? "" : "&businessKey=" + RestClient.encoded(businessKey))
        + (label.isEmpty() ? "" : "&label=" + RestClient.encoded(label))
        + (parent.isEmpty() ? "" : "&parent=" + RestClient.encoded(parent))
        + (state.isEmpty() ? "" : "&state=" + RestClient.encoded(state))
        + (definition.isEmpty() ? "" : "&definition=" + RestClient.encoded(definition));
  }

  private void print(JsonNode page, RestClient client) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("INSTANCE", "DEFINITION", "STATE", "STARTED", "ENDED", "PARENT", "ERROR"));
    for (JsonNode each : page.path("items")) {
      rows.add(
          List.of(
              each.path("id").asText(),
              DefinitionNames.of(each.path("definition")),
              each.path("state").asText(),
              each.path("startedAt").asText(),
              each.path("endedAt").asText(""),
              each.path("parent").path("id").asText(""),
              error(each, client)));
    }
    CommandOutput.table(out(), rows);
    if (page.hasNonNull("next")) {
      out().println("There are more; ask for them with --limit.");
    }
  }

  /**
   * Lists of an engine contain no errors, so the error of a faulted instance is requested. Without
   * a response it is left empty: the rest of the list is still useful.
   */
  private static String error(JsonNode item, RestClient client) {
    if (item.has("error")) {
      return ErrorSummary.of(item.get("error"), MAX_ERROR);
    }
    if (!item.path("state").asText().equals(FAULTED)) {
      return "";
    }
    try {
      RestClient.Response answer = client.instance(item.path("id").asText());
      return answer.ok() ? ErrorSummary.of(answer.body().path("error"), MAX_ERROR) : "";
    } catch (CommandException e) {
      return "";
    }
  }
}
