package dev.pinion.bootstrap.cli.validation;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.pinion.bootstrap.PinionMain;
import dev.pinion.bootstrap.cli.ExitStatus;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ValidateCommandTest {
  private static final String HEAD =
      "document: {dsl: 1.0.3, namespace: default, name: hello, version: 1.0.0}\n";
  private static final String VALID = HEAD + "do:\n  - pause: {wait: PT0S}\n";
  private static final String WRONG = HEAD + "do:\n  - pause: {weit: PT0S}\n";

  @TempDir private Path folder;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int validate(Object... arguments) {
    List<String> all = new ArrayList<>(List.of("validate"));
    for (Object argument : arguments) {
      all.add(argument.toString());
    }
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    return PinionMain.run(
        all.toArray(String[]::new), new PrintWriter(out, true), new PrintWriter(err, true));
  }

  private Path write(String name, String text) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(Objects.requireNonNull(file.getParent()));
    return Files.writeString(file, text);
  }

  @Test
  void shouldCheckEachDefinitionBelowADirectory() throws IOException {
    write("b/two.yml", WRONG);
    write("a.yaml", VALID);
    write("b/three.json", "{\"document\": {\"dsl\": \"1.0.3\"}}");
    write("notes.txt", VALID);
    write(".git/four.yaml", WRONG);
    write("b/.five.yaml", WRONG);
    write("settings.yaml", "document: {title: x}\n");
    write("list.json", "[1, 2]");

    assertEquals(ExitStatus.DATA, validate(folder));

    assertEquals(
        List.of(
            folder.resolve("a.yaml") + ": valid",
            folder.resolve("list.json") + ": skipped: has no member document.dsl",
            folder.resolve("settings.yaml") + ": skipped: has no member document.dsl"),
        out.toString().lines().toList());
    List<String> problems = err.toString().lines().toList();
    assertTrue(problems.getFirst().startsWith(folder.resolve("b/three.json") + ":1:1: "));
    assertTrue(problems.getLast().startsWith(folder.resolve("b/two.yml") + ":3:13: expected one"));
    assertFalse(err.toString().contains("four") || err.toString().contains("five"));
  }

  @Test
  void shouldCheckWhateverIsNamed() throws IOException {
    Path other = write("settings.yaml", "a: 1\n");

    assertEquals(ExitStatus.DATA, validate(other));

    assertTrue(err.toString().contains("expected \"document\" in a definition"), err.toString());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "document:\n  dsl: 1.0.3\ndo: [\n",
        "{\"document\": {\"dsl\": \"1.0.3\"}, \"do\": [}",
        "document: {dsl: 1.0.3}\n---\na: 1\n"
      })
  void shouldNotSkipADefinitionThatCannotBeRead(String text) throws IOException {
    write("broken.yaml", text);

    assertEquals(ExitStatus.DATA, validate(folder));
    assertFalse(out.toString().contains("skipped"), out.toString());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"a: [\n", "{{ .Values.x }}\n", "", "- a\n- b\n", "a: 1\n---\nb: 1\n", "\0"})
  void shouldSkipWhatIsNoDefinition(String text) throws IOException {
    write("other.yaml", text);
    write("good.yaml", VALID);

    assertEquals(ExitStatus.OK, validate(folder));
    assertTrue(out.toString().contains("other.yaml: skipped: "), out.toString());
  }

  @Test
  void shouldNotReadWhatIsTooLarge() throws IOException {
    Path large = write("large.yaml", VALID + "# " + "x".repeat(4 << 20));
    write("good.yaml", VALID);

    assertEquals(ExitStatus.OK, validate(folder));
    assertTrue(out.toString().contains("skipped: has more than 4194304 bytes"), out.toString());
    assertEquals(ExitStatus.DATA, validate(large));
    assertTrue(err.toString().contains("(definition.maxBytes)"), err.toString());
  }

  @Test
  void shouldTellThatADirectoryHasNoDefinitions() throws IOException {
    write("list.json", "[]");

    assertEquals(ExitStatus.NO_INPUT, validate(folder));
    assertTrue(err.toString().contains("expected definitions"), err.toString());
  }

  @Test
  @DisabledOnOs(OS.WINDOWS)
  void shouldEndWhereLinksLeadBack() throws IOException {
    write("good.yaml", VALID);
    Files.createSymbolicLink(folder.resolve("again"), folder);
    Files.createSymbolicLink(folder.resolve("dangling.yaml"), folder.resolve("none"));
    Files.createSymbolicLink(folder.resolve("link.yaml"), folder.resolve("good.yaml"));

    assertEquals(ExitStatus.OK, validate(folder));
    assertEquals(2, out.toString().lines().count(), out.toString());
  }

  @Test
  void shouldContinueAfterAFileThatCannotBeRead() throws IOException {
    Path good = write("good.yaml", VALID);

    assertEquals(ExitStatus.NO_INPUT, validate(folder.resolve("none.yaml"), good));
    assertTrue(err.toString().contains("found nothing there"), err.toString());
    assertTrue(out.toString().contains("good.yaml: valid"), out.toString());
  }

  @Test
  void shouldReportAsJson() throws IOException {
    write("a.yaml", VALID);
    write("b.yaml", WRONG);
    write("c.yaml", "x: 1\n");

    assertEquals(ExitStatus.DATA, validate("--format", "json", folder));
    JsonNode results = new ObjectMapper().readTree(out.toString());
    assertEquals(ExitStatus.DATA, validate("--json", folder));

    assertEquals(results, new ObjectMapper().readTree(out.toString()));
    assertTrue(results.at("/0/valid").asBoolean());
    assertEquals("wait", results.at("/1/problems/0/suggestion").asText());
    assertEquals("has no member document.dsl", results.at("/2/skipped").asText());
    assertEquals(ExitStatus.USAGE, validate("--json", "--format", "sarif", folder));
    assertEquals(ExitStatus.USAGE, validate("--format", "xml", folder));
  }

  @Test
  void shouldReportAsSarif() throws IOException {
    Path wrong = write("b c/ü.yaml", WRONG);
    write("c.yaml", "x: 1\n");

    assertEquals(
        ExitStatus.NO_INPUT, validate("--format", "sarif", folder, folder.resolve("none")));

    assertEquals("", err.toString());
    JsonNode log = new ObjectMapper().readTree(out.toString());
    JsonNode run = log.at("/runs/0");
    JsonNode result = run.at("/results/0");
    assertEquals(1, run.get("results").size());
    assertEquals("unknown-key", result.get("ruleId").asText());
    assertEquals(wrong.toUri().toString(), uri(result, run));
    assertEquals(
        "/do/0/pause/weit",
        result.at("/locations/0/logicalLocations/0/fullyQualifiedName").asText());
    assertEquals(3, result.at("/locations/0/physicalLocation/region/startLine").asInt());
    assertEquals(13, result.at("/locations/0/physicalLocation/region/startColumn").asInt());
    JsonNode invocation = run.at("/invocations/0");
    assertFalse(invocation.get("executionSuccessful").asBoolean());
    assertEquals(ExitStatus.NO_INPUT, invocation.get("exitCode").asInt());
    assertEquals(
        List.of("note", "error"),
        invocation.get("toolExecutionNotifications").findValuesAsText("level"));
    assertEquals(List.of(), SarifShape.problems(log));
  }

  /** The address of a result, resolved as SARIF tells. */
  private static String uri(JsonNode result, JsonNode run) {
    JsonNode address = result.at("/locations/0/physicalLocation/artifactLocation");
    String base =
        run.at("/originalUriBaseIds").path(address.path("uriBaseId").asText()).path("uri").asText();
    return base + address.get("uri").asText();
  }

  /** A problem of each rule, found by the compiler itself: other words of it would be noticed. */
  @Test
  void shouldTellRulesApart() throws IOException {
    String calls = "do:\n  - a: {call: http, with: {method: get, endpoint: http://127.0.0.1/}}\n";
    write("a.yaml", HEAD + "do: [\n");
    write("b.yaml", WRONG);
    write("c.yaml", HEAD);
    write("d.yaml", HEAD + "do:\n  - a: {set: {b: '${ lenght }'}}\n");
    write("e.yaml", HEAD + "do:\n  - a: {set: {b: 1}, metadata: 1}\n");
    write("f.yaml", HEAD.replace("hello", "-x") + calls);
    write(
        "g.yaml",
        HEAD
            + "use: {catalogs: {c: {endpoint: {uri: 'https://localhost/', authentication: {basic:"
            + " {username: a, password: b}}}}}}\n"
            + calls);
    write("g2.yaml", HEAD + "do:\n  - a: {call: none:1.0.0@nowhere}\n");
    Files.write(folder.resolve("h.yaml"), (HEAD + "do: \u00fc").getBytes(UTF_8));

    assertEquals(ExitStatus.DATA, validate("--format", "sarif", folder));

    JsonNode results = new ObjectMapper().readTree(out.toString()).at("/runs/0/results");
    assertEquals(
        List.of(
            "syntax",
            "unknown-key",
            "missing-key",
            "unknown-name",
            "wrong-type",
            "wrong-value",
            "not-supported"),
        results.findValuesAsText("ruleId").stream().distinct().toList());
  }
}
