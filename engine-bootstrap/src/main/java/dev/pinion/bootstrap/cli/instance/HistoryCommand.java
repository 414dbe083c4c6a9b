package dev.pinion.bootstrap.cli.instance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
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
import picocli.CommandLine.Parameters;

/** Shows the events of an instance. */
@Command(
    name = "history",
    description = "Shows what happened in an instance: every task with its output and its time.",
    sortOptions = false)
public final class HistoryCommand extends EngineCommand implements Callable<Integer> {
  /** Most characters of a value in the table. */
  private static final int MAX_SHOWN = 60;

  /** Most characters of an error in the table. */
  private static final int MAX_ERROR = 200;

  private static final int PAGE = 1_000;

  @Parameters(paramLabel = "INSTANCE", description = "Id of the instance.")
  private String id = "";

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "1000",
      description = "Most events to show. Default: 1000.")
  private int limit = PAGE;

  @Override
  public Integer call() throws CommandException {
    ObjectNode all = CommandOutput.JSON.createObjectNode();
    ArrayNode events = all.putArray("items");
    try (RestClient client = client()) {
      String after = "";
      boolean more = true;
      while (more) {
        int page = Math.clamp(limit - events.size(), 1, PAGE);
        RestClient.Response response = client.events(id, "?limit=" + page + after);
        if (!response.ok()) {
          throw new CommandException(ExitStatus.FAILURE, RestClient.problem(response));
        }
        response.body().path("items").forEach(events::add);
        all.set("history", response.body().path("history"));
        after = "&after=" + response.body().path("next").asText();
        more = response.body().hasNonNull("next") && events.size() < limit;
      }
    }
    if (json()) {
      CommandOutput.json(out(), all);
    } else {
      print(all);
    }
    return ExitStatus.OK;
  }

  private void print(JsonNode all) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("TIME", "EVENT", "TASK", "MILLIS", "VALUE"));
    for (JsonNode event : all.path("items")) {
      rows.add(
          List.of(
              event.path("time").asText(""),
              event.path("kind").asText(),
              event.path("name").asText(""),
              event.path("durationMillis").asText(""),
              value(event)));
    }
    CommandOutput.table(out(), rows);
    long lag = all.path("history").path("lagRecords").asLong();
    if (!all.path("history").path("complete").asBoolean(true)) {
      out().println("The history cannot read all journals now.");
    }
    if (lag > 0) {
      out().println("The history is " + lag + " records behind the journals.");
    }
  }

  /** Most important content of an event, in one line. */
  private static String value(JsonNode event) {
    if (event.has("error")) {
      return ErrorSummary.of(event.get("error"), MAX_ERROR);
    }
    for (String member : List.of("output", "detail", "input")) {
      if (event.has(member)) {
        JsonNode value = event.get(member);
        return ErrorSummary.line(value.isTextual() ? value.asText() : value.toString(), MAX_SHOWN);
      }
    }
    return event.path("omittedChars").asLong() > 0
        ? event.path("omittedChars").asLong() + " characters not kept"
        : "";
  }
}
