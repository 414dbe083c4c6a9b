package dev.pinion.bootstrap.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Deploys definitions. */
@Command(
    name = "deploy",
    description = "Deploys definitions to a running engine.",
    sortOptions = false)
final class DeployCommand extends EngineCommand implements Callable<Integer> {
  @Parameters(arity = "1..*", paramLabel = "FILE", description = "Definitions, YAML or JSON.")
  private List<Path> files = new ArrayList<>();

  @Override
  public Integer call() throws CommandFailure {
    int status = ExitStatus.OK;
    ArrayNode answers = Output.JSON.createArrayNode();
    try (EngineClient client = client()) {
      for (Path file : files) {
        EngineClient.Answer answer = client.deploy(Inputs.file(file), Inputs.mediaType(file));
        answers.addObject().put("file", file.toString()).set("answer", answer.body());
        if (!json()) {
          tell(file, answer);
        }
        status = Math.max(status, statusOf(answer));
      }
    }
    if (json()) {
      Output.json(out(), answers);
    }
    return status;
  }

  private static int statusOf(EngineClient.Answer answer) {
    if (answer.ok()) {
      return ExitStatus.OK;
    }
    return answer.status() == 400 || answer.status() == 422 ? ExitStatus.DATA : ExitStatus.FAILURE;
  }

  private void tell(Path file, EngineClient.Answer answer) {
    if (answer.ok()) {
      String key = DefinitionNames.of(answer.body());
      out().println((answer.status() == 201 ? "deployed " : "unchanged ") + key);
      for (JsonNode warning : answer.body().path("warnings")) {
        err().println("  warning: " + file + ":" + ProblemLines.line(warning));
      }
      return;
    }
    err().println("pinion deploy: " + file + ": " + EngineClient.problem(answer));
    for (JsonNode problem : answer.body().path("errors")) {
      err().println("  " + file + ":" + ProblemLines.line(problem));
    }
  }
}
