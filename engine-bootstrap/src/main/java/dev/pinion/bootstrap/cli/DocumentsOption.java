package dev.pinion.bootstrap.cli;

import dev.pinion.core.resource.AllowedDocuments;
import picocli.CommandLine.Option;

/** The option that allows documents to which definitions refer. */
public final class DocumentsOption {
  @Option(
      names = "--documents",
      paramLabel = "PLACE,...",
      description =
          "Folders and URLs below which the documents are to which definitions refer, as for serve.")
  private String places = "";

  /** The folders and URLs. */
  public AllowedDocuments allowed() throws CommandException {
    try {
      return AllowedDocuments.parse(places);
    } catch (IllegalArgumentException e) {
      throw new CommandException(ExitStatus.USAGE, "--documents: " + e.getMessage());
    }
  }
}
