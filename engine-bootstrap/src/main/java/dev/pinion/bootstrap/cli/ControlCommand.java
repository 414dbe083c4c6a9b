package dev.pinion.bootstrap.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/**
 * Tells a running engine what is wanted of instances: that they be cancelled, suspended, resumed,
 * retried or run again. Goes on after one of which it is not possible.
 */
@Command(sortOptions = false)
final class ControlCommand extends EngineCommand implements Callable<Integer> {
  private final String noun;

  @Parameters(arity = "1..*", paramLabel = "INSTANCE", description = "Ids of instances.")
  private List<String> ids = List.of();

  private ControlCommand(String noun) {
    this.noun = noun;
  }

  /**
   * The parser of one of these commands.
   *
   * @param verb its name
   * @param noun what the engine calls it in paths
   * @param description what it does, in a sentence
   */
  static CommandLine commandLine(String verb, String noun, String description) {
    CommandLine line = new CommandLine(new ControlCommand(noun));
    line.getCommandSpec().name(verb).usageMessage().description(description);
    return line;
  }

  @Override
  public Integer call() throws CommandFailure {
    int status = ExitStatus.OK;
    try (EngineClient client = client()) {
      for (String id : ids) {
        EngineClient.Answer answer = client.control(id, noun);
        if (answer.ok()) {
          show(answer.body());
        } else {
          err()
              .println(
                  "pinion " + parsed().commandSpec().name() + ": " + EngineClient.problem(answer));
          status = ExitStatus.FAILURE;
        }
      }
    }
    return status;
  }

  private void show(JsonNode instance) {
    if (json()) {
      Output.json(out(), instance);
    } else {
      String state = instance.path("state").asText().toLowerCase(Locale.ROOT);
      out().println(instance.path("id").asText() + " " + state);
    }
  }
}
