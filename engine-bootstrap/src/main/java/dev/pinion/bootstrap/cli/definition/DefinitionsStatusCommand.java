package dev.pinion.bootstrap.cli.definition;

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

/** Disables or enables definitions. Continues after one that cannot be changed. */
@Command(sortOptions = false)
final class DefinitionsStatusCommand extends EngineCommand implements Callable<Integer> {
  private final String noun;

  @Parameters(
      arity = "1..*",
      paramLabel = "NAMESPACE/NAME/VERSION",
      description = "Definitions, as pinion definitions lists them.")
  private List<String> keys = new ArrayList<>();

  private DefinitionsStatusCommand(String noun) {
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
    CommandLine line = new CommandLine(new DefinitionsStatusCommand(noun));
    line.getCommandSpec().name(verb).usageMessage().description(description);
    return line;
  }

  @Override
  public Integer call() throws CommandException {
    int status = ExitStatus.OK;
    String verb = parsed().commandSpec().name();
    ArrayNode answers = CommandOutput.JSON.createArrayNode();
    try (RestClient client = client()) {
      for (String key : keys) {
        RestClient.Response response = client.changeDefinition(DefinitionNames.path(key), noun);
        answers.addObject().put("definition", key).set("answer", response.body());
        if (!response.ok()) {
          String problem = RestClient.problem(response);
          err().println("pinion definitions " + verb + ": " + key + ": " + problem);
          status = ExitStatus.FAILURE;
        } else if (!json()) {
          out().println(verb + "d " + key);
        }
      }
    }
    if (json()) {
      CommandOutput.json(out(), answers);
    }
    return status;
  }
}
