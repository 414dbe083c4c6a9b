package dev.pinion.bootstrap.cli.validation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.pinion.bootstrap.cli.validation.ValidationReport.Format;
import dev.pinion.core.model.Diagnostic;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReportsTest {
  private static final Path BASE = Path.of("/base");
  private static final FileFinding WARNED =
      new FileFinding.CheckedDefinition(
          BASE.resolve("sub/a b.yaml"),
          List.of(),
          List.of(new Diagnostic("/do/0/a", 3, 5, "expected POST, found PSOT", "POST")));

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private void report(Format format, FileFinding finding) {
    ValidationReport report =
        format.to(new PrintWriter(out, true), new PrintWriter(err, true), BASE, "1.2.3");
    report.add(finding);
    report.end(0);
  }

  @Test
  void shouldTellWarningsAsLines() {
    report(Format.TEXT, WARNED);

    assertEquals("/base/sub/a b.yaml: valid\n", out.toString());
    assertEquals(
        "/base/sub/a b.yaml:3:5: warning: expected POST, found PSOT; did you mean \"POST\"?\n",
        err.toString());
  }

  @Test
  void shouldTellWarningsAsJson() throws IOException {
    report(Format.JSON, WARNED);

    JsonNode result = new ObjectMapper().readTree(out.toString()).get(0);
    assertTrue(result.get("valid").asBoolean());
    assertEquals(0, result.get("problems").size());
    assertEquals("POST", result.at("/warnings/0/suggestion").asText());
  }

  @Test
  void shouldTellWarningsAsSarif() throws IOException {
    report(Format.SARIF, WARNED);

    JsonNode log = new ObjectMapper().readTree(out.toString());
    JsonNode result = log.at("/runs/0/results/0");
    assertEquals("warning", result.get("level").asText());
    assertEquals("possible-mistake", result.get("ruleId").asText());
    assertEquals(
        "possible-mistake",
        log.at("/runs/0/tool/driver/rules")
            .get(result.get("ruleIndex").asInt())
            .get("id")
            .asText());
    assertEquals(
        "sub/a%20b.yaml", result.at("/locations/0/physicalLocation/artifactLocation/uri").asText());
    assertEquals("file:///base/", log.at("/runs/0/originalUriBaseIds/SRCROOT/uri").asText());
    assertEquals("1.2.3", log.at("/runs/0/tool/driver/version").asText());
    assertEquals(List.of(), SarifShape.problems(log));
  }

  @Test
  void shouldTellNoPlaceInAFileWhereNoneIsKnown() throws IOException {
    report(
        Format.SARIF,
        new FileFinding.CheckedDefinition(
            Path.of("/elsewhere/a.yaml"), List.of(new Diagnostic("", 0, 0, "x", null)), List.of()));

    JsonNode log = new ObjectMapper().readTree(out.toString());
    JsonNode location = log.at("/runs/0/results/0/locations/0");
    assertEquals(
        "file:///elsewhere/a.yaml", location.at("/physicalLocation/artifactLocation/uri").asText());
    assertTrue(location.at("/physicalLocation/region").isMissingNode());
    assertTrue(location.path("logicalLocations").isMissingNode());
    assertEquals(List.of(), SarifShape.problems(log));
  }
}
