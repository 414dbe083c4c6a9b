package dev.pinion.bootstrap.cli.definition;

import dev.pinion.bootstrap.assembly.CoreEngineLauncher;
import dev.pinion.bootstrap.cli.BaseCommand;
import dev.pinion.bootstrap.cli.CommandException;
import dev.pinion.bootstrap.cli.CommandInput;
import dev.pinion.bootstrap.cli.DiagnosticText;
import dev.pinion.bootstrap.cli.DocumentsOption;
import dev.pinion.bootstrap.cli.ExitStatus;
import dev.pinion.bootstrap.diagram.SvgPicture;
import dev.pinion.core.diagram.Diagram;
import dev.pinion.core.diagram.DiagramJson;
import dev.pinion.core.diagram.DiagramReader;
import dev.pinion.core.diagram.DiagramTooLargeException;
import dev.pinion.core.diagram.MermaidText;
import dev.pinion.core.document.DocumentReader;
import dev.pinion.core.document.DocumentSyntaxException;
import dev.pinion.core.document.SourceText;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Diagnostic;
import dev.pinion.core.model.Payload;
import dev.pinion.core.spi.DefinitionCatalog.Deployment;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Draws a definition. */
@Command(
    name = "graph",
    description = {
      "Draws a definition, without an engine.",
      "One that is not valid is drawn as far as it is understood."
    },
    sortOptions = false)
public final class GraphCommand extends BaseCommand implements Callable<Integer> {
  /** Forms of drawings. */
  enum DrawingFormat {
    SVG,
    MERMAID,
    JSON
  }

  @Parameters(paramLabel = "FILE", description = "A definition, YAML or JSON.")
  private Path file = Path.of("");

  @Option(
      names = "--format",
      paramLabel = "svg|mermaid|json",
      description = "Form of the drawing; --json is json. Default: svg.")
  private @Nullable DrawingFormat format;

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description = "Write into a file instead of printing.")
  private @Nullable Path target;

  @Mixin private DocumentsOption documents = new DocumentsOption();

  private final EngineLimits limits = EngineLimits.defaults();

  private GraphCommand() {}

  /** The command. */
  public static CommandLine commandLine() {
    return new CommandLine(new GraphCommand()).setCaseInsensitiveEnumValuesAllowed(true);
  }

  @Override
  public Integer call() throws CommandException {
    byte[] content = CommandInput.file(file);
    String drawing = drawing(diagram(content));
    tellProblems(content);
    if (target == null) {
      out().print(drawing);
      out().flush();
    } else {
      write(target, drawing);
    }
    return ExitStatus.OK;
  }

  private Diagram diagram(byte[] content) throws CommandException {
    String text = new String(content, StandardCharsets.UTF_8);
    try {
      Payload document =
          Payload.of(new DocumentReader(limits).read(text, CommandInput.mediaType(file)).json());
      return DiagramReader.read(document, limits.definition().maxDrawnTasks());
    } catch (DocumentSyntaxException e) {
      SourceText.Position at = new SourceText(text).at(e.offset());
      Diagnostic problem = new Diagnostic("", at.line(), at.column(), e.problem(), null);
      throw new CommandException(ExitStatus.DATA, file + ":" + DiagnosticText.line(problem));
    } catch (DiagramTooLargeException e) {
      throw new CommandException(ExitStatus.DATA, file + ": " + e.getMessage());
    }
  }

  private String drawing(Diagram diagram) throws CommandException {
    if (json() && format != null && format != DrawingFormat.JSON) {
      throw new CommandException(
          ExitStatus.USAGE, "expected --json or another --format, found both");
    }
    DrawingFormat wanted =
        format != null ? format : json() ? DrawingFormat.JSON : DrawingFormat.SVG;
    return switch (wanted) {
      case SVG -> new SvgPicture().svg(diagram);
      case MERMAID -> MermaidText.of(diagram);
      case JSON -> DiagramJson.of(diagram).toIndentedString() + "\n";
    };
  }

  private void tellProblems(byte[] content) throws CommandException {
    Deployment result =
        new CoreEngineLauncher()
            .definitions(limits, documents.allowed())
            .deploy(content, CommandInput.mediaType(file), null, true);
    if (result instanceof Deployment.Invalid invalid) {
      err()
          .println(
              "pinion graph: "
                  + file
                  + " is not valid (problems: "
                  + invalid.problems().size()
                  + "); see them with pinion validate");
    }
  }

  private static void write(Path target, String drawing) throws CommandException {
    try {
      Files.writeString(target, drawing);
    } catch (IOException e) {
      throw new CommandException(
          ExitStatus.FAILURE,
          "expected a file that can be written (--out), found that %s cannot: %s"
              .formatted(target, e.getClass().getSimpleName()));
    }
  }
}
