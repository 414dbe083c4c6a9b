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

/** Deletes definitions. Continues after one that cannot be deleted. */
@Command(sortOptions = false)
public final class DefinitionsDeleteCommand extends EngineCommand implements Callable<Integer> {
  @Parameters(
      arity = "1..*",
      paramLabel = "NAMESPACE/NAME/VERSION",
      description = "Definitions, as pinion definitions lists them.")
  private List<String> keys = new ArrayList<>();

  private DefinitionsDeleteCommand() {}

  /**
   * The command.
   *
   * @param verb its name
   */
  public static CommandLine commandLine(String verb) {
    CommandLine line = new CommandLine(new DefinitionsDeleteCommand());
    line.getCommandSpec()
        .name(verb)
        .usageMessage()
        .description("Deletes definitions that no instance under way uses from a running engine.");
    return line;
  }

  @Override
  public Integer call() throws CommandException {
    int status = ExitStatus.OK;
    ArrayNode answers = CommandOutput.JSON.createArrayNode();
    try (RestClient client = client()) {
      for (String key : keys) {
        RestClient.Response response = client.undeploy(DefinitionNames.path(key));
        answers.addObject().put("definition", key).put("status", response.status());
        if (!response.ok()) {
          err()
              .println(
                  "pinion "
                      + parsed().commandSpec().qualifiedName()
                      + ": "
                      + key
                      + ": "
                      + RestClient.problem(response));
          status = ExitStatus.FAILURE;
        } else if (!json()) {
          out().println("deleted " + key);
        }
      }
    }
    if (json()) {
      CommandOutput.json(out(), answers);
    }
    return status;
  }
}
