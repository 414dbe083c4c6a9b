package dev.pinion.bootstrap.cli.handlers;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.bootstrap.cli.CommandException;
import dev.pinion.bootstrap.cli.CommandOutput;
import dev.pinion.bootstrap.cli.EngineCommand;
import dev.pinion.bootstrap.cli.ExitStatus;
import dev.pinion.bootstrap.cli.RestClient;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** Lets a running engine reload its chains of handlers. */
@Command(
    name = "reload",
    description = "Has a running engine read its chains of handlers again, in every replica.",
    sortOptions = false)
final class HandlersReloadCommand extends EngineCommand implements Callable<Integer> {
  @Override
  public Integer call() throws CommandException {
    try (RestClient client = client()) {
      RestClient.Response response = client.reloadHandlers();
      if (!response.ok()) {
        for (JsonNode problem : response.body().path("errors")) {
          err().println(problem.path("pointer").asText() + ": " + problem.path("detail").asText());
        }
        throw new CommandException(ExitStatus.FAILURE, RestClient.problem(response));
      }
      if (json()) {
        CommandOutput.json(out(), response.body());
      } else {
        response.body().path("chains").forEach(each -> out().println(each.path("name").asText()));
      }
      return ExitStatus.OK;
    }
  }
}
