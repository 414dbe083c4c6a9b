package dev.pinion.bootstrap.cli.definition;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.pinion.bootstrap.PinionMain;
import dev.pinion.bootstrap.cli.ExitStatus;
import dev.pinion.bootstrap.cli.StubEngine;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DefinitionsCommandTest {
  private static final String VERSION = "/v1/namespaces/tour/definitions/hello/versions/1.0.0";
  private static final String SUMMARY =
      "{\"namespace\":\"tour\",\"name\":\"hello\",\"version\":\"1.0.0\",\"sha256\":\"0\","
          + "\"enabled\":false,\"deployedAt\":\"2026-01-02T03:04:05.678Z\",\"title\":\"Hi\"}";
  private static final String REFUSAL =
      "{\"title\":\"Not found\",\"detail\":\"expected a deployed definition\"}";

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private StubEngine engine;

  @BeforeEach
  void start() throws IOException {
    engine = new StubEngine();
  }

  @AfterEach
  void stop() {
    engine.close();
  }

  private int definitions(String... arguments) {
    String[] all =
        Stream.of(Stream.of("definitions"), Stream.of(arguments), Stream.of("--url", engine.url()))
            .flatMap(each -> each)
            .toArray(String[]::new);
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    return PinionMain.run(all, new PrintWriter(out, true), new PrintWriter(err, true));
  }

  private List<String> asked() {
    return engine.seen().stream().map(StubEngine.Seen::line).toList();
  }

  private JsonNode json() throws IOException {
    return new ObjectMapper().readTree(out.toString());
  }

  @Test
  void shouldListByEachFilterWithAndWithoutItsName() throws IOException {
    String page = "{\"items\":[" + SUMMARY + "]}";
    engine.answering(200, page).answering(200, page).answering(200, page);

    assertEquals(ExitStatus.OK, definitions());
    assertEquals(
        List.of(
            "DEFINITION        ENABLED  DEPLOYED                  TITLE",
            "tour/hello/1.0.0  no       2026-01-02T03:04:05.678Z  Hi"),
        out.toString().lines().toList());
    assertEquals(
        ExitStatus.OK,
        definitions(
            "list",
            "--namespace=tour",
            "--name=hello",
            "--version=1.0.0",
            "--prefix=he",
            "--enabled=false",
            "--deployed-after=2026-01-01T00:00:00+01:00",
            "--limit=7"));
    assertEquals(ExitStatus.OK, definitions("list", "--json"));
    assertEquals("tour", json().at("/items/0/namespace").asText());

    assertEquals(
        List.of(
            "GET /v1/definitions?limit=50",
            "GET /v1/definitions?limit=7&namespace=tour&name=hello&version=1.0.0&prefix=he"
                + "&enabled=false&deployedAfter=2026-01-01T00%3A00%3A00%2B01%3A00",
            "GET /v1/definitions?limit=50"),
        asked());
  }

  @Test
  void shouldShowADefinition() throws IOException {
    engine
        .answering(200, "document: {dsl: 1.0.3}\n")
        .answering(200, "{\"document\":{}}")
        .answering(200, "{\"document\":{}}")
        .answering(404, REFUSAL);

    assertEquals(ExitStatus.OK, definitions("show", "tour/hello/1.0.0"));
    assertEquals("document: {dsl: 1.0.3}\n", out.toString());
    assertEquals(ExitStatus.OK, definitions("show", "tour/hello/1.0.0"));
    assertTrue(json().has("document"), "deployed as JSON");
    assertEquals(ExitStatus.OK, definitions("show", "tour/hello/1.0.0", "--json"));
    assertTrue(json().has("document"));
    assertEquals(ExitStatus.FAILURE, definitions("show", "tour/hello/1.0.0"));
    assertTrue(err.toString().contains("expected a deployed definition"), err.toString());
    assertEquals(List.of("GET " + VERSION), asked().stream().distinct().toList());
  }

  @Test
  void shouldCompareVersions() throws IOException {
    engine
        .answering(200, "--- a\n+++ b\n")
        .answering(200, "{\"changes\":[]}")
        .answering(404, REFUSAL);

    assertEquals(ExitStatus.OK, definitions("diff", "tour/hello/1.0.0", "1.1.0+x"));
    assertEquals("--- a\n+++ b\n", out.toString());
    assertEquals(ExitStatus.OK, definitions("diff", "tour/hello/1.0.0", "--json"));
    assertTrue(json().has("changes"));
    assertEquals(ExitStatus.FAILURE, definitions("diff", "tour/hello/1.0.0"));
    assertEquals(
        List.of(
            "GET " + VERSION + "/diff?to=1.1.0%2Bx",
            "GET " + VERSION + "/diff",
            "GET " + VERSION + "/diff"),
        asked());
  }

  @Test
  void shouldDisableAndEnableAndContinueAfterARefusal() throws IOException {
    engine
        .answering(404, REFUSAL)
        .answering(200, SUMMARY)
        .answering(200, SUMMARY.replace("false", "true"))
        .answering(200, SUMMARY);

    assertEquals(ExitStatus.FAILURE, definitions("disable", "tour/none/1.0.0", "tour/hello/1.0.0"));
    assertEquals("disabled tour/hello/1.0.0\n", out.toString());
    assertTrue(
        err.toString().startsWith("pinion definitions disable: tour/none/1.0.0: Not found"),
        err.toString());
    assertEquals(ExitStatus.OK, definitions("enable", "tour/hello/1.0.0"));
    assertEquals("enabled tour/hello/1.0.0\n", out.toString());
    assertEquals(ExitStatus.OK, definitions("disable", "--json", "tour/hello/1.0.0"));
    assertEquals("tour/hello/1.0.0", json().at("/0/definition").asText());
    assertEquals("false", json().at("/0/answer/enabled").toString());
    assertEquals(
        List.of(
            "POST " + VERSION.replace("hello", "none") + "/disablement",
            "POST " + VERSION + "/disablement",
            "POST " + VERSION + "/enablement",
            "POST " + VERSION + "/disablement"),
        asked());
  }

  @Test
  void shouldDelete() {
    engine.answering(204, "").answering(409, "{\"title\":\"Definition in use\"}");

    assertEquals(ExitStatus.FAILURE, definitions("delete", "tour/hello/1.0.0", "tour/hello/1.0.0"));

    assertEquals("deleted tour/hello/1.0.0\n", out.toString());
    assertEquals(
        "pinion definitions delete: tour/hello/1.0.0: Definition in use\n", err.toString());
  }

  @Test
  void shouldRefuseWhatMakesNoSense() {
    for (String verb : List.of("show", "diff", "disable", "enable", "delete")) {
      assertEquals(ExitStatus.USAGE, definitions(verb, "hello"), verb);
      assertTrue(err.toString().contains("NAMESPACE/NAME/VERSION"), err.toString());
      assertEquals(ExitStatus.USAGE, definitions(verb), verb);
    }
    assertEquals(ExitStatus.USAGE, definitions("--name", "x", "show", "a/b/1.0.0"));
    assertTrue(
        err.toString().contains("expected --name after show, found it before"), err.toString());
    assertEquals(ExitStatus.USAGE, definitions("list", "--enabled", "maybe"));
  }
}
