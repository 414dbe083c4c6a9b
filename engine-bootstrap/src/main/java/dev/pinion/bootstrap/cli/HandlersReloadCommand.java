package dev.pinion.bootstrap.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** Lets a running engine reload its chains of handlers. */
@Command(
    name = "reload",
    description = "Has a running engine read its chains of handlers again, in every replica.",
    sortOptions = false)
final class HandlersReloadCommand extends EngineCommand implements Callable<Integer> {
  @Override
  public Integer call() throws CommandFailure {
    try (EngineClient client = client()) {
      EngineClient.Answer answer = client.reloadHandlers();
      if (!answer.ok()) {
        for (JsonNode problem : answer.body().path("errors")) {
          err().println(problem.path("pointer").asText() + ": " + problem.path("detail").asText());
        }
        throw new CommandFailure(ExitStatus.FAILURE, EngineClient.problem(answer));
      }
      if (json()) {
        Output.json(out(), answer.body());
      } else {
        answer.body().path("chains").forEach(each -> out().println(each.path("name").asText()));
      }
      return ExitStatus.OK;
    }
  }
}
