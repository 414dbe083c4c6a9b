package dev.pinion.bootstrap.cli.definition;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.pinion.bootstrap.cli.CommandException;
import dev.pinion.bootstrap.cli.CommandInput;
import dev.pinion.bootstrap.cli.CommandOutput;
import dev.pinion.bootstrap.cli.DiagnosticText;
import dev.pinion.bootstrap.cli.EngineCommand;
import dev.pinion.bootstrap.cli.ExitStatus;
import dev.pinion.bootstrap.cli.RestClient;
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
public final class DeployCommand extends EngineCommand implements Callable<Integer> {
  @Parameters(arity = "1..*", paramLabel = "FILE", description = "Definitions, YAML or JSON.")
  private List<Path> files = new ArrayList<>();

  @Override
  public Integer call() throws CommandException {
    int status = ExitStatus.OK;
    ArrayNode answers = CommandOutput.JSON.createArrayNode();
    try (RestClient client = client()) {
      for (Path file : files) {
        RestClient.Response response =
            client.deploy(CommandInput.file(file), CommandInput.mediaType(file));
        answers.addObject().put("file", file.toString()).set("answer", response.body());
        if (!json()) {
          print(file, response);
        }
        status = Math.max(status, statusOf(response));
      }
    }
    if (json()) {
      CommandOutput.json(out(), answers);
    }
    return status;
  }

  private static int statusOf(RestClient.Response response) {
    if (response.ok()) {
      return ExitStatus.OK;
    }
    return response.status() == 400 || response.status() == 422
        ? ExitStatus.DATA
        : ExitStatus.FAILURE;
  }

  private void print(Path file, RestClient.Response response) {
    if (response.ok()) {
      String key = DefinitionNames.of(response.body());
      out().println((response.status() == 201 ? "deployed " : "unchanged ") + key);
      for (JsonNode warning : response.body().path("warnings")) {
        err().println("  warning: " + file + ":" + DiagnosticText.line(warning));
      }
      return;
    }
    err().println("pinion deploy: " + file + ": " + RestClient.problem(response));
    for (JsonNode problem : response.body().path("errors")) {
      err().println("  " + file + ":" + DiagnosticText.line(problem));
    }
  }
}
