package dev.pinion.bootstrap.cli.validation;

import dev.pinion.bootstrap.assembly.CoreEngineLauncher;
import dev.pinion.bootstrap.cli.BaseCommand;
import dev.pinion.bootstrap.cli.CommandException;
import dev.pinion.bootstrap.cli.DocumentsOption;
import dev.pinion.bootstrap.cli.ExitStatus;
import dev.pinion.bootstrap.cli.VersionCommand;
import dev.pinion.bootstrap.cli.validation.ValidationReport.Format;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.spi.DefinitionCatalog;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Checks definitions with the compiler of the engine, in this process. */
@Command(
    name = "validate",
    description = {
      "Checks definitions and shows every problem as file:line:column: message.",
      "Of a directory, and of those below it, it checks each .yaml, .yml and .json file that has"
          + " a member document.dsl, and tells which it skips. Names that begin with a dot are"
          + " passed over."
    },
    sortOptions = false)
public final class ValidateCommand extends BaseCommand implements Callable<Integer> {
  @Parameters(
      arity = "1..*",
      paramLabel = "FILE|DIR",
      description = "Definitions, YAML or JSON, or directories of them.")
  private List<Path> paths = new ArrayList<>();

  @Option(
      names = "--format",
      paramLabel = "text|json|sarif",
      description =
          "Format of the report: text, json (as --json) or sarif (version 2.1.0). Default: text.")
  private @Nullable Format format;

  @Mixin private DocumentsOption documents = new DocumentsOption();

  /** The command. */
  public static CommandLine commandLine() {
    return new CommandLine(new ValidateCommand()).setCaseInsensitiveEnumValuesAllowed(true);
  }

  private ValidateCommand() {}

  @Override
  public Integer call() throws CommandException, IOException {
    EngineLimits limits = EngineLimits.defaults();
    ValidationReport report = format().to(out(), err(), Path.of(""), VersionCommand.version());
    DefinitionCatalog definitionCatalog =
        new CoreEngineLauncher().definitions(limits, documents.allowed());
    return new DefinitionCheck(definitionCatalog, limits, report).run(paths);
  }

  private Format format() throws CommandException {
    if (json() && format != null && format != Format.JSON) {
      throw new CommandException(
          ExitStatus.USAGE, "expected --json or another --format, found both");
    }
    return format != null ? format : json() ? Format.JSON : Format.TEXT;
  }
}
