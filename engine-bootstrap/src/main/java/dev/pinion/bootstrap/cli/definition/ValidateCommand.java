package dev.pinion.bootstrap.cli.definition;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pinion.bootstrap.assembly.CoreEngineLauncher;
import dev.pinion.bootstrap.assembly.EngineLauncher;
import dev.pinion.bootstrap.cli.BaseCommand;
import dev.pinion.bootstrap.cli.CommandException;
import dev.pinion.bootstrap.cli.CommandInput;
import dev.pinion.bootstrap.cli.CommandOutput;
import dev.pinion.bootstrap.cli.DiagnosticText;
import dev.pinion.bootstrap.cli.ExitStatus;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Diagnostic;
import dev.pinion.core.spi.DefinitionCatalog;
import dev.pinion.core.spi.DefinitionCatalog.Deployment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Checks definitions with the compiler of the engine, in this process. */
@Command(
    name = "validate",
    description = "Checks definitions and shows every problem as file:line:column: message.",
    sortOptions = false)
public final class ValidateCommand extends BaseCommand implements Callable<Integer> {
  private final EngineLauncher launcher;

  @Parameters(arity = "1..*", paramLabel = "FILE", description = "Definitions, YAML or JSON.")
  private List<Path> files = new ArrayList<>();

  public ValidateCommand() {
    this(new CoreEngineLauncher());
  }

  ValidateCommand(EngineLauncher launcher) {
    this.launcher = launcher;
  }

  @Override
  public Integer call() throws CommandException {
    DefinitionCatalog definitionCatalog = launcher.definitions(EngineLimits.defaults());
    ArrayNode results = CommandOutput.JSON.createArrayNode();
    int status = ExitStatus.OK;
    for (Path file : files) {
      try {
        List<Diagnostic> problems = problems(definitionCatalog, file);
        status = Math.max(status, problems.isEmpty() ? ExitStatus.OK : ExitStatus.DATA);
        add(results.addObject(), file, problems);
        if (!json()) {
          print(file, problems);
        }
      } catch (CommandException e) { // the other files are checked anyway
        status = Math.max(status, e.status());
        results.addObject().put("file", file.toString()).put("error", e.getMessage());
        err().println("pinion validate: " + e.getMessage());
      }
    }
    if (json()) {
      CommandOutput.json(out(), results);
    }
    return status;
  }

  private static List<Diagnostic> problems(DefinitionCatalog definitionCatalog, Path file)
      throws CommandException {
    Deployment result =
        definitionCatalog.deploy(CommandInput.file(file), CommandInput.mediaType(file), null, true);
    return switch (result) {
      case Deployment.Invalid invalid -> invalid.problems();
      case Deployment.Valid _, Deployment.Created _, Deployment.Unchanged _ -> List.of();
      case Deployment.VersionConflict versionConflict ->
          throw new CommandException(
              ExitStatus.DATA,
              file + ": other content stands under " + versionConflict.existing().key());
      case Deployment.TooManyDefinitions tooManyDefinitions ->
          throw new CommandException(
              ExitStatus.FAILURE,
              file + ": the limit " + tooManyDefinitions.limit() + " is reached");
    };
  }

  private static void add(ObjectNode result, Path file, List<Diagnostic> problems) {
    result.put("file", file.toString());
    result.put("valid", problems.isEmpty());
    ArrayNode array = result.putArray("problems");
    problems.forEach(problem -> array.add(DiagnosticText.json(problem)));
  }

  private void print(Path file, List<Diagnostic> problems) {
    if (problems.isEmpty()) {
      out().println(file + ": valid");
    }
    problems.forEach(problem -> err().println(file + ":" + DiagnosticText.line(problem)));
  }
}
