package dev.pinion.bootstrap.cli.validation;

import dev.pinion.bootstrap.cli.CommandException;
import dev.pinion.bootstrap.cli.CommandInput;
import dev.pinion.bootstrap.cli.validation.FileFinding.CheckedDefinition;
import dev.pinion.bootstrap.cli.validation.FileFinding.SkippedFile;
import dev.pinion.bootstrap.cli.validation.FileFinding.UnreadableFile;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Diagnostic;
import dev.pinion.core.spi.DefinitionCatalog;
import dev.pinion.core.spi.DefinitionCatalog.Deployment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Checks files as a deployment would. A file that was named is a definition; one of a directory is
 * looked at first.
 */
final class FileCheck {
  private final DefinitionCatalog definitionCatalog;
  private final DefinitionDetector detector;
  private final int maxBytes;

  FileCheck(DefinitionCatalog definitionCatalog, EngineLimits limits) {
    this.definitionCatalog = definitionCatalog;
    this.detector = new DefinitionDetector(limits);
    this.maxBytes = limits.definition().maxBytes();
  }

  /** Checks a file that was named. */
  FileFinding named(Path file) {
    return checked(file, false);
  }

  /** Checks a file of a directory. */
  FileFinding listed(Path file) {
    return checked(file, true);
  }

  private FileFinding checked(Path file, boolean listed) {
    try {
      if (DefinitionFiles.isLarger(file, maxBytes)) {
        String found = "more than " + maxBytes + " bytes (definition.maxBytes)";
        return listed
            ? new SkippedFile(file, "has " + found)
            : rejected(
                file, "expected a document of at most " + maxBytes + " bytes, found " + found);
      }
      byte[] content = CommandInput.file(file);
      String reason = listed ? reason(file, content) : null;
      return reason == null ? definition(file, content) : new SkippedFile(file, reason);
    } catch (CommandException e) {
      return new UnreadableFile(file, String.valueOf(e.getMessage()));
    }
  }

  private @Nullable String reason(Path file, byte[] content) {
    return detector.reason(
        new String(content, StandardCharsets.UTF_8), CommandInput.mediaType(file));
  }

  private FileFinding definition(Path file, byte[] content) {
    Deployment result = definitionCatalog.deploy(content, CommandInput.mediaType(file), null, true);
    return switch (result) {
      case Deployment.Invalid invalid ->
          new CheckedDefinition(file, invalid.problems(), invalid.warnings());
      case Deployment.Valid valid -> new CheckedDefinition(file, List.of(), valid.warnings());
      case Deployment.Created created -> new CheckedDefinition(file, List.of(), created.warnings());
      case Deployment.Unchanged unchanged ->
          new CheckedDefinition(file, List.of(), unchanged.warnings());
      case Deployment.VersionConflict conflict ->
          rejected(
              file,
              "expected new content under a new version, found other content under "
                  + conflict.existing().key());
      case Deployment.TooManyDefinitions full ->
          rejected(file, "expected room for a definition, found the limit " + full.limit());
    };
  }

  private static FileFinding rejected(Path file, String message) {
    return new CheckedDefinition(file, List.of(new Diagnostic("", 0, 0, message, null)), List.of());
  }
}
