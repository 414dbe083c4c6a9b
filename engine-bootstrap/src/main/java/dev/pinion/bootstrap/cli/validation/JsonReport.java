package dev.pinion.bootstrap.cli.validation;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pinion.bootstrap.cli.CommandOutput;
import dev.pinion.bootstrap.cli.DiagnosticText;
import dev.pinion.core.model.Diagnostic;
import java.io.PrintWriter;
import java.util.List;

/** One array with an object for each file. */
final class JsonReport implements ValidationReport {
  private final PrintWriter out;
  private final PrintWriter err;
  private final ArrayNode results = CommandOutput.JSON.createArrayNode();

  JsonReport(PrintWriter out, PrintWriter err) {
    this.out = out;
    this.err = err;
  }

  @Override
  public void add(FileFinding finding) {
    ObjectNode result = results.addObject().put("file", finding.path().toString());
    switch (finding) {
      case FileFinding.CheckedDefinition checked -> {
        result.put("valid", checked.problems().isEmpty());
        add(result, "problems", checked.problems());
        add(result, "warnings", checked.warnings());
      }
      case FileFinding.SkippedFile skipped -> result.put("skipped", skipped.reason());
      case FileFinding.UnreadableFile unreadable -> {
        result.put("error", unreadable.message());
        err.println("pinion validate: " + unreadable.message());
      }
    }
  }

  private static void add(ObjectNode result, String member, List<Diagnostic> diagnostics) {
    ArrayNode array = result.putArray(member);
    diagnostics.forEach(each -> array.add(DiagnosticText.json(each)));
  }

  @Override
  public void end(int status) {
    CommandOutput.json(out, results);
  }
}
