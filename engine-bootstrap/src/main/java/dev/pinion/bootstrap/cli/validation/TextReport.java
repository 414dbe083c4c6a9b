package dev.pinion.bootstrap.cli.validation;

import dev.pinion.bootstrap.cli.DiagnosticText;
import dev.pinion.core.model.Diagnostic;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.function.Function;

/** Lines {@code file:line:column: message}, as compilers write them and editors read them. */
final class TextReport implements ValidationReport {
  private final PrintWriter out;
  private final PrintWriter err;

  TextReport(PrintWriter out, PrintWriter err) {
    this.out = out;
    this.err = err;
  }

  @Override
  public void add(FileFinding finding) {
    switch (finding) {
      case FileFinding.CheckedDefinition checked -> definition(checked);
      case FileFinding.SkippedFile skipped ->
          out.println(skipped.path() + ": skipped: " + skipped.reason());
      case FileFinding.UnreadableFile unreadable ->
          err.println("pinion validate: " + unreadable.message());
    }
  }

  private void definition(FileFinding.CheckedDefinition checked) {
    if (checked.problems().isEmpty()) {
      out.println(checked.path() + ": valid");
    }
    print(checked.path(), checked.problems(), DiagnosticText::line);
    print(checked.path(), checked.warnings(), TextReport::warning);
  }

  private void print(
      Path file, Iterable<Diagnostic> diagnostics, Function<Diagnostic, String> line) {
    diagnostics.forEach(each -> err.println(file + ":" + line.apply(each)));
  }

  private static String warning(Diagnostic diagnostic) {
    String line = DiagnosticText.line(diagnostic);
    int message = line.indexOf(": ") + 2;
    return line.substring(0, message) + "warning: " + line.substring(message);
  }

  @Override
  public void end(int status) {
    out.flush();
    err.flush();
  }
}
