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
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Deletes definitions. Continues after one that cannot be deleted. */
@Command(
    name = "undeploy",
    description = "Deletes definitions that no instance under way uses from a running engine.",
    sortOptions = false)
public final class UndeployCommand extends EngineCommand implements Callable<Integer> {
  @Parameters(
      arity = "1..*",
      paramLabel = "NAMESPACE/NAME/VERSION",
      description = "Definitions, as pinion definitions lists them.")
  private List<String> keys = new ArrayList<>();

  @Override
  public Integer call() throws CommandException {
    int status = ExitStatus.OK;
    ArrayNode answers = CommandOutput.JSON.createArrayNode();
    try (RestClient client = client()) {
      for (String key : keys) {
        String[] parts = parts(key);
        RestClient.Response response = client.undeploy(parts[0], parts[1], parts[2]);
        answers.addObject().put("definition", key).put("status", response.status());
        if (!response.ok()) {
          err().println("pinion undeploy: " + key + ": " + RestClient.problem(response));
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

  private static String[] parts(String key) throws CommandException {
    String[] parts = key.split("/", -1);
    if (parts.length != 3 || List.of(parts).contains("")) {
      throw new CommandException(
          ExitStatus.USAGE,
          "expected NAMESPACE/NAME/VERSION, such as default/hello/1.0.0, found \"" + key + "\"");
    }
    return parts;
  }
}
