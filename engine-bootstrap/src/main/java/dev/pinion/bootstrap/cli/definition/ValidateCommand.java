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
import dev.pinion.bootstrap.cli.DocumentsOption;
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
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Checks definitions with the compiler of the engine, in this process. */
@Command(
    name = "validate",
    description = "Checks definitions and shows every problem as file:line:column: message.",
    sortOptions = false)
public final class ValidateCommand extends BaseCommand implements Callable<Integer> {
  private final EngineLauncher launcher;

  @Mixin private DocumentsOption documents = new DocumentsOption();

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
    DefinitionCatalog definitionCatalog =
        launcher.definitions(EngineLimits.defaults(), documents.allowed());
    ArrayNode results = CommandOutput.JSON.createArrayNode();
    int status = ExitStatus.OK;
    for (Path file : files) {
      try {
        Findings findings = findings(definitionCatalog, file);
        status = Math.max(status, findings.problems().isEmpty() ? ExitStatus.OK : ExitStatus.DATA);
        add(results.addObject(), file, findings);
        if (!json()) {
          print(file, findings);
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

  /**
   * What is found in one file.
   *
   * @param problems why it cannot be deployed; empty when it can
   * @param warnings what is allowed and hardly meant
   */
  private record Findings(List<Diagnostic> problems, List<Diagnostic> warnings) {}

  private static Findings findings(DefinitionCatalog definitionCatalog, Path file)
      throws CommandException {
    Deployment result =
        definitionCatalog.deploy(CommandInput.file(file), CommandInput.mediaType(file), null, true);
    return switch (result) {
      case Deployment.Invalid invalid -> new Findings(invalid.problems(), invalid.warnings());
      case Deployment.Valid valid -> new Findings(List.of(), valid.warnings());
      case Deployment.Created created -> new Findings(List.of(), created.warnings());
      case Deployment.Unchanged unchanged -> new Findings(List.of(), unchanged.warnings());
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

  private static void add(ObjectNode result, Path file, Findings findings) {
    result.put("file", file.toString());
    result.put("valid", findings.problems().isEmpty());
    ArrayNode problems = result.putArray("problems");
    findings.problems().forEach(problem -> problems.add(DiagnosticText.json(problem)));
    if (!findings.warnings().isEmpty()) {
      ArrayNode warnings = result.putArray("warnings");
      findings.warnings().forEach(warning -> warnings.add(DiagnosticText.json(warning)));
    }
  }

  private void print(Path file, Findings findings) {
    if (findings.problems().isEmpty()) {
      out().println(file + ": valid");
    }
    findings.problems().forEach(each -> err().println(file + ":" + DiagnosticText.line(each)));
    findings
        .warnings()
        .forEach(each -> err().println("warning: " + file + ":" + DiagnosticText.line(each)));
  }
}
