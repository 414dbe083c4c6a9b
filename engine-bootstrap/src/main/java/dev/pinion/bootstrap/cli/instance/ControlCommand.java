package dev.pinion.bootstrap.cli.instance;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.bootstrap.cli.CommandException;
import dev.pinion.bootstrap.cli.CommandOutput;
import dev.pinion.bootstrap.cli.EngineCommand;
import dev.pinion.bootstrap.cli.ExitStatus;
import dev.pinion.bootstrap.cli.RestClient;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/**
 * Controls instances of a running engine: cancels, suspends, resumes, retries or reruns them.
 * Continues after an instance that refuses.
 */
@Command(sortOptions = false)
public final class ControlCommand extends EngineCommand implements Callable<Integer> {
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
   * @param noun its name in paths of the engine
   * @param description its purpose, in a sentence
   */
  public static CommandLine commandLine(String verb, String noun, String description) {
    CommandLine line = new CommandLine(new ControlCommand(noun));
    line.getCommandSpec().name(verb).usageMessage().description(description);
    return line;
  }

  @Override
  public Integer call() throws CommandException {
    int status = ExitStatus.OK;
    try (RestClient client = client()) {
      for (String id : ids) {
        RestClient.Response response = client.control(id, noun);
        if (response.ok()) {
          show(response.body());
        } else {
          err()
              .println(
                  "pinion " + parsed().commandSpec().name() + ": " + RestClient.problem(response));
          status = ExitStatus.FAILURE;
        }
      }
    }
    return status;
  }

  private void show(JsonNode instance) {
    if (json()) {
      CommandOutput.json(out(), instance);
    } else {
      String state = instance.path("state").asText().toLowerCase(Locale.ROOT);
      boolean compensates = instance.at("/compensation/running").asBoolean();
      out()
          .println(
              instance.path("id").asText() + " " + state + (compensates ? ", compensating" : ""));
    }
  }
}
