package dev.pinion.bootstrap.cli.instance;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.bootstrap.cli.BaseCommand;
import dev.pinion.bootstrap.cli.CommandOutput;
import dev.pinion.bootstrap.cli.ExitStatus;
import java.util.Locale;

/** Shows the outcome of an instance. */
final class InstanceOutcome {
  private InstanceOutcome() {}

  /**
   * Prints the output of a completed instance, or its error to standard error.
   *
   * @param instance the instance in the engine's format
   * @return exit status
   */
  static int show(BaseCommand command, JsonNode instance) {
    String state = instance.path("state").asText();
    if (command.json()) {
      CommandOutput.json(command.out(), instance);
    } else {
      print(command, instance, state);
    }
    return state.equals("FAULTED") || state.equals("CANCELLED")
        ? ExitStatus.FAILURE
        : ExitStatus.OK;
  }

  private static void print(BaseCommand command, JsonNode instance, String state) {
    switch (state) {
      case "COMPLETED" -> CommandOutput.json(command.out(), instance.path("output"));
      case "FAULTED" -> command.err().println("faulted: " + sentence(instance.path("error")));
      case "CANCELLED" -> command.err().println("cancelled");
      default ->
          command
              .out()
              .println(instance.path("id").asText() + " " + state.toLowerCase(Locale.ROOT));
    }
  }

  private static String sentence(JsonNode error) {
    String title = error.path("title").asText(error.path("type").asText("unknown error"));
    String detail = error.path("detail").asText("");
    String where = error.path("instance").asText("");
    return title
        + (detail.isEmpty() ? "" : ": " + detail)
        + (where.isEmpty() ? "" : " (at " + where + ")");
  }
}
