package dev.pinion.bootstrap.cli.schedule;

import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.pinion.bootstrap.cli.CommandException;
import dev.pinion.bootstrap.cli.CommandOutput;
import dev.pinion.bootstrap.cli.EngineCommand;
import dev.pinion.bootstrap.cli.ExitStatus;
import dev.pinion.bootstrap.cli.RestClient;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Pauses or resumes schedules. Continues after one that cannot be changed. */
@Command(sortOptions = false)
final class SchedulesControlCommand extends EngineCommand implements Callable<Integer> {
  private final String noun;

  @Parameters(
      arity = "1..*",
      paramLabel = "NAMESPACE/NAME",
      description = "Definitions whose schedules are meant.")
  private List<String> names = new ArrayList<>();

  private SchedulesControlCommand(String noun) {
    this.noun = noun;
  }

  /**
   * The parser of one of these commands.
   *
   * @param verb its name
   * @param noun its name in paths of the engine
   * @param description its purpose, in a sentence
   */
  static CommandLine commandLine(String verb, String noun, String description) {
    CommandLine line = new CommandLine(new SchedulesControlCommand(noun));
    line.getCommandSpec().name(verb).usageMessage().description(description);
    return line;
  }

  @Override
  public Integer call() throws CommandException {
    int status = ExitStatus.OK;
    String verb = parsed().commandSpec().name();
    ArrayNode answers = CommandOutput.JSON.createArrayNode();
    try (RestClient client = client()) {
      for (String name : names) {
        String[] parts = parts(name);
        RestClient.Response response = client.controlSchedule(parts[0], parts[1], noun);
        answers.addObject().put("definition", name).set("answer", response.body());
        if (!response.ok()) {
          String problem = RestClient.problem(response);
          err().println("pinion schedules " + verb + ": " + name + ": " + problem);
          status = ExitStatus.FAILURE;
        } else if (!json()) {
          out().println(verb + "d " + name);
        }
      }
    }
    if (json()) {
      CommandOutput.json(out(), answers);
    }
    return status;
  }

  private static String[] parts(String name) throws CommandException {
    String[] parts = name.split("/", -1);
    if (parts.length != 2 || List.of(parts).contains("")) {
      throw new CommandException(
          ExitStatus.USAGE,
          "expected NAMESPACE/NAME, such as default/hello, found \"" + name + "\"");
    }
    return parts;
  }
}
