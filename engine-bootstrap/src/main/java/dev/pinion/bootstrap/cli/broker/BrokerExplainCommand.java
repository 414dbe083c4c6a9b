package dev.pinion.bootstrap.cli.broker;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.bootstrap.cli.CommandException;
import dev.pinion.bootstrap.cli.CommandOutput;
import dev.pinion.bootstrap.cli.EngineCommand;
import dev.pinion.bootstrap.cli.ExitStatus;
import dev.pinion.bootstrap.cli.RestClient;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Explains decisions of the broker to people. */
@Command(
    name = "explain",
    description = "Tells what the broker of a running engine has decided, why, and what changed.",
    sortOptions = false)
final class BrokerExplainCommand extends EngineCommand implements Callable<Integer> {
  private static final double PERCENT = 100;

  @Option(
      names = "--last",
      paramLabel = "N",
      description = "Tell of the latest N decisions. Default: ${DEFAULT-VALUE}.",
      defaultValue = "10")
  private int last;

  @Override
  public Integer call() throws CommandException {
    if (last < 1) {
      throw new CommandException(ExitStatus.USAGE, "expected at least 1 as --last, found " + last);
    }
    try (RestClient client = client()) {
      JsonNode all = BrokerResponses.check(client.broker("decisions"));
      if (json()) {
        CommandOutput.json(out(), all);
        return ExitStatus.OK;
      }
      JsonNode items = all.path("items");
      if (items.isEmpty()) {
        out().println("nothing has been decided yet");
      }
      for (int i = Math.min(last, items.size()) - 1; i >= 0; i--) {
        print(items.get(i));
      }
      return ExitStatus.OK;
    }
  }

  private void print(JsonNode decision) {
    out()
        .printf(
            Locale.ROOT,
            "%s  %s: %s, plan %d%n",
            decision.path("at").asText(),
            decision.path("change").asText(),
            decision.path("outcome").asText(),
            decision.path("plan").asLong());
    for (JsonNode cause : decision.path("causes")) {
      out()
          .printf(
              Locale.ROOT,
              "  because of %s, %s: %s%n",
              cause.path("subject").asText(),
              cause.path("rule").asText(),
              cause.path("detail").asText());
    }
    if (!decision.path("reason").asText().isEmpty()) {
      out().println("  " + decision.path("reason").asText());
    }
    JsonNode before = decision.path("before").path("shares");
    for (Map.Entry<String, JsonNode> each : decision.path("after").path("shares").properties()) {
      for (Map.Entry<String, JsonNode> task : each.getValue().properties()) {
        JsonNode old = before.path(each.getKey()).path(task.getKey());
        if (!old.equals(task.getValue())) {
          out()
              .printf(
                  Locale.ROOT,
                  "  %s, %s: %s -> %s%n",
                  each.getKey(),
                  task.getKey(),
                  shares(old),
                  shares(task.getValue()));
        }
      }
    }
  }

  private static String shares(JsonNode shares) {
    StringBuilder text = new StringBuilder();
    for (Map.Entry<String, JsonNode> each : shares.properties()) {
      text.append(text.isEmpty() ? "" : ", ")
          .append(
              String.format(
                  Locale.ROOT, "%s %.1f %%", each.getKey(), PERCENT * each.getValue().asDouble()));
    }
    return text.isEmpty() ? "nobody" : text.toString();
  }
}
