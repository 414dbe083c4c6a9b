package dev.pinion.bootstrap.cli.validation;

import dev.pinion.bootstrap.cli.ExitStatus;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.spi.DefinitionCatalog;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Checks files and directories one after the other, and reports each file as soon as it can. */
final class DefinitionCheck {
  private final FileCheck fileCheck;
  private final ValidationReport report;
  private int status = ExitStatus.OK;

  /**
   * A check.
   *
   * @param definitionCatalog compiles definitions
   * @param limits the limits of that compiler
   * @param report takes what is found
   */
  DefinitionCheck(
      DefinitionCatalog definitionCatalog, EngineLimits limits, ValidationReport report) {
    this.fileCheck = new FileCheck(definitionCatalog, limits);
    this.report = report;
  }

  /**
   * Checks everything and ends the report.
   *
   * @return exit status
   */
  int run(List<Path> paths) {
    for (Path path : paths) {
      if (Files.isDirectory(path)) {
        directory(path);
      } else {
        add(fileCheck.named(path));
      }
    }
    report.end(status);
    return status;
  }

  private void directory(Path directory) {
    DefinitionFiles found = DefinitionFiles.below(directory);
    found.unreadable().forEach(this::add);
    int definitions = 0;
    for (Path file : found.files()) {
      FileFinding finding = fileCheck.listed(file);
      definitions += finding instanceof FileFinding.CheckedDefinition ? 1 : 0;
      add(finding);
    }
    if (definitions == 0) {
      add(
          new FileFinding.UnreadableFile(
              directory,
              "expected definitions (.yaml, .yml or .json with a member document.dsl) in "
                  + directory
                  + ", found none"));
    }
  }

  private void add(FileFinding finding) {
    status =
        Math.max(
            status,
            switch (finding) {
              case FileFinding.CheckedDefinition checked ->
                  checked.problems().isEmpty() ? ExitStatus.OK : ExitStatus.DATA;
              case FileFinding.SkippedFile _ -> ExitStatus.OK;
              case FileFinding.UnreadableFile _ -> ExitStatus.NO_INPUT;
            });
    report.add(finding);
  }
}
