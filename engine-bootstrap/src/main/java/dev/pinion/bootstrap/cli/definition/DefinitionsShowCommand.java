package dev.pinion.bootstrap.cli.definition;

import dev.pinion.bootstrap.cli.CommandException;
import dev.pinion.bootstrap.cli.CommandOutput;
import dev.pinion.bootstrap.cli.EngineCommand;
import dev.pinion.bootstrap.cli.ExitStatus;
import dev.pinion.bootstrap.cli.RestClient;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Shows the document of a definition. */
@Command(
    name = "show",
    description = "Shows a definition as it was deployed, in YAML or JSON.",
    sortOptions = false)
final class DefinitionsShowCommand extends EngineCommand implements Callable<Integer> {
  private static final String JSON = "application/json";

  @Parameters(
      paramLabel = "NAMESPACE/NAME/VERSION",
      description = "The definition, as pinion definitions lists it.")
  private String key = "";

  @Override
  public Integer call() throws CommandException {
    String path = DefinitionNames.path(key);
    try (RestClient client = client()) {
      RestClient.Response response =
          client.definition(path, "", json() ? JSON : "application/yaml, application/json;q=0.5");
      if (!response.ok()) {
        throw new CommandException(ExitStatus.FAILURE, RestClient.problem(response));
      }
      if (response.body().isObject()) {
        CommandOutput.json(out(), response.body());
      } else {
        out().print(response.text());
        out().flush();
      }
      return ExitStatus.OK;
    }
  }
}
