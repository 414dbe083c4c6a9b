package dev.pinion.bootstrap.cli.validation;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pinion.bootstrap.cli.CommandOutput;
import dev.pinion.core.model.Diagnostic;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;

/**
 * One run in SARIF 2.1.0. Files below the base have relative addresses, so that the report means
 * the same wherever the base is checked out. What is no result, such as a skipped file, is a
 * notification.
 */
final class SarifReport implements ValidationReport {
  private static final List<ProblemRule> RULES = List.of(ProblemRule.values());
  private static final String SCHEMA =
      "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

  private final PrintWriter out;
  private final SarifLocations locations;
  private final String version;
  private final ArrayNode results = CommandOutput.JSON.createArrayNode();
  private final ArrayNode notifications = CommandOutput.JSON.createArrayNode();
  private boolean complete = true;

  SarifReport(PrintWriter out, Path base, String version) {
    this.out = out;
    this.locations = new SarifLocations(base);
    this.version = version;
  }

  @Override
  public void add(FileFinding finding) {
    switch (finding) {
      case FileFinding.CheckedDefinition checked -> {
        checked.problems().forEach(each -> result(checked.path(), each, ProblemRule.of(each)));
        checked
            .warnings()
            .forEach(each -> result(checked.path(), each, ProblemRule.POSSIBLE_MISTAKE));
      }
      case FileFinding.SkippedFile skipped ->
          notification(skipped.path(), "note", "skipped: the file " + skipped.reason());
      case FileFinding.UnreadableFile unreadable -> {
        complete = false;
        notification(unreadable.path(), "error", unreadable.message());
      }
    }
  }

  private void result(Path file, Diagnostic diagnostic, ProblemRule rule) {
    ObjectNode result = results.addObject();
    result
        .put("ruleId", rule.id())
        .put("ruleIndex", RULES.indexOf(rule))
        .put("level", rule.level());
    String hint =
        diagnostic.suggestion() == null
            ? ""
            : "; did you mean \"" + diagnostic.suggestion() + "\"?";
    result.putObject("message").put("text", diagnostic.message() + hint);
    result.putArray("locations").add(locations.of(file, diagnostic));
  }

  private void notification(Path file, String level, String text) {
    ObjectNode notification = notifications.addObject();
    notification.put("level", level);
    notification.putObject("message").put("text", text);
    notification.putArray("locations").add(locations.of(file));
  }

  @Override
  public void end(int status) {
    ObjectNode log = CommandOutput.JSON.createObjectNode();
    log.put("$schema", SCHEMA).put("version", "2.1.0");
    ObjectNode run = log.putArray("runs").addObject();
    run.putObject("tool").set("driver", driver());
    run.putObject("originalUriBaseIds").set(SarifLocations.BASE, locations.base());
    ObjectNode invocation = run.putArray("invocations").addObject();
    invocation.put("executionSuccessful", complete).put("exitCode", status);
    invocation.set("toolExecutionNotifications", notifications);
    run.put("columnKind", "unicodeCodePoints");
    run.set("results", results);
    CommandOutput.json(out, log);
  }

  private ObjectNode driver() {
    ObjectNode driver = CommandOutput.JSON.createObjectNode();
    driver.put("name", "pinion validate").put("version", version);
    ArrayNode rules = driver.putArray("rules");
    for (ProblemRule rule : RULES) {
      ObjectNode description = rules.addObject().put("id", rule.id());
      description.putObject("shortDescription").put("text", rule.description());
      description.putObject("defaultConfiguration").put("level", rule.level());
    }
    return driver;
  }
}
