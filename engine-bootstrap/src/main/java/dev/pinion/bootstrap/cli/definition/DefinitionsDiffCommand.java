package dev.pinion.bootstrap.cli.definition;

import dev.pinion.bootstrap.cli.CommandException;
import dev.pinion.bootstrap.cli.CommandOutput;
import dev.pinion.bootstrap.cli.EngineCommand;
import dev.pinion.bootstrap.cli.ExitStatus;
import dev.pinion.bootstrap.cli.RestClient;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Shows the differences of two versions of a definition. */
@Command(
    name = "diff",
    description = {
      "Shows what makes one version of a definition another one, as diff -u does.",
      "With --json, as changes that are a JSON Patch."
    },
    sortOptions = false)
final class DefinitionsDiffCommand extends EngineCommand implements Callable<Integer> {
  @Parameters(
      index = "0",
      paramLabel = "NAMESPACE/NAME/VERSION",
      description = "The definition, as pinion definitions lists it.")
  private String key = "";

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "VERSION",
      description = "The other version. Default: the newest one that is enabled.")
  private String other = "";

  @Override
  public Integer call() throws CommandException {
    String below = "/diff" + (other.isEmpty() ? "" : "?to=" + RestClient.encoded(other));
    String path = DefinitionNames.path(key);
    try (RestClient client = client()) {
      RestClient.Response response =
          client.definition(path, below, json() ? "application/json" : "text/x-diff");
      if (!response.ok()) {
        throw new CommandException(ExitStatus.FAILURE, RestClient.problem(response));
      }
      if (json()) {
        CommandOutput.json(out(), response.body());
      } else {
        out().print(response.text());
        out().flush();
      }
      return ExitStatus.OK;
    }
  }
}
