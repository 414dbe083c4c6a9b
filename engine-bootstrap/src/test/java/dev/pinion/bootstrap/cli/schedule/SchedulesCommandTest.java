package dev.pinion.bootstrap.cli.schedule;

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

class SchedulesCommandTest {
  private static final String SCHEDULE = "/v1/namespaces/tour/definitions/tick/schedule";
  private static final String NIGHTLY =
      "{\"namespace\":\"docs\",\"name\":\"nightly\",\"version\":\"1.0.0\",\"cron\":\"30 2 * * *\","
          + "\"timeZone\":\"Europe/Berlin\",\"overlap\":\"skip\",\"paused\":false,"
          + "\"next\":\"2026-01-02T01:30:00.000Z\",\"last\":{\"id\":\"i_0000000000001\","
          + "\"due\":\"2026-01-01T01:30:00.000Z\",\"startedAt\":\"2026-01-01T01:30:00.001Z\","
          + "\"state\":\"COMPLETED\"},\"runs\":3,\"missed\":1,\"skipped\":0,"
          + "\"instance\":\"i_0000000000000\"}";
  private static final String TICK =
      "{\"namespace\":\"tour\",\"name\":\"tick\",\"version\":\"1.0.0\",\"every\":\"PT1S\","
          + "\"overlap\":\"allow\",\"paused\":true,\"runs\":0,\"missed\":0,\"skipped\":0,"
          + "\"instance\":\"i_0000000000002\"}";
  private static final String REFUSAL =
      "{\"title\":\"Not found\",\"detail\":\"expected a definition with a schedule\"}";

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

  private int schedules(String... arguments) {
    String[] all =
        Stream.of(Stream.of("schedules"), Stream.of(arguments), Stream.of("--url", engine.url()))
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
    String page = "{\"items\":[" + NIGHTLY + "," + TICK + "],\"next\":\"x\"}";
    engine.answering(200, page).answering(200, page).answering(200, page);

    assertEquals(ExitStatus.OK, schedules());
    assertEquals(
        List.of(
            "DEFINITION          RULE                           NEXT                      LAST"
                + "             STATE      RUNS  MISSED  SKIPPED",
            "docs/nightly/1.0.0  cron 30 2 * * * Europe/Berlin  2026-01-02T01:30:00.000Z"
                + "  i_0000000000001  COMPLETED  3     1       0",
            "tour/tick/1.0.0     every PT1S                     paused"
                + " ".repeat(48)
                + "0     0       0",
            "There are more; ask for them with --limit."),
        out.toString().lines().toList());
    assertEquals(
        ExitStatus.OK,
        schedules("list", "--namespace=tour", "--name=tick", "--paused=true", "--limit=7"));
    assertEquals(ExitStatus.OK, schedules("list", "--json"));
    assertEquals("nightly", json().at("/items/0/name").asText());

    assertEquals(
        List.of(
            "GET /v1/schedules?limit=50",
            "GET /v1/schedules?limit=7&namespace=tour&name=tick&paused=true",
            "GET /v1/schedules?limit=50"),
        asked());
  }

  @Test
  void shouldNameTheTypesOfEvents() {
    String on = "\"on\":{\"any\":[{\"with\":{\"type\":\"a\"}},{\"with\":{\"type\":\"b\"}}]}";
    String every = "\"every\":\"PT1S\"";
    engine.answering(
        200,
        "{\"items\":["
            + TICK.replace(every, on)
            + ","
            + TICK.replace(every, "\"on\":{\"any\":[]}")
            + "]}");

    assertEquals(ExitStatus.OK, schedules());
    assertTrue(out.toString().contains("  on any a, b  "), out.toString());
    assertTrue(out.toString().contains("  on any  "), out.toString());
  }

  @Test
  void shouldPauseAndResumeAndContinueAfterARefusal() throws IOException {
    engine
        .answering(404, REFUSAL)
        .answering(200, TICK)
        .answering(200, TICK.replace("true", "false"))
        .answering(200, TICK);

    assertEquals(ExitStatus.FAILURE, schedules("pause", "tour/none", "tour/tick"));
    assertEquals("paused tour/tick\n", out.toString());
    assertTrue(
        err.toString().startsWith("pinion schedules pause: tour/none: Not found"), err.toString());
    assertEquals(ExitStatus.OK, schedules("resume", "tour/tick"));
    assertEquals("resumed tour/tick\n", out.toString());
    assertEquals(ExitStatus.OK, schedules("pause", "--json", "tour/tick"));
    assertEquals("tour/tick", json().at("/0/definition").asText());
    assertEquals("true", json().at("/0/answer/paused").toString());
    assertEquals(
        List.of(
            "POST " + SCHEDULE.replace("tick", "none") + "/pause",
            "POST " + SCHEDULE + "/pause",
            "POST " + SCHEDULE + "/resumption",
            "POST " + SCHEDULE + "/pause"),
        asked());
  }

  @Test
  void shouldTellThatTheListIsRefused() {
    engine.answering(400, REFUSAL).answering(503, REFUSAL);

    assertEquals(ExitStatus.USAGE, schedules("--limit=0"));
    assertEquals(ExitStatus.FAILURE, schedules());
    assertTrue(err.toString().contains("Not found"), err.toString());
  }

  @Test
  void shouldRefuseWhatMakesNoSense() {
    for (String verb : List.of("pause", "resume")) {
      for (String name : List.of("tick", "tour/tick/1.0.0", "tour/", "/tick")) {
        assertEquals(ExitStatus.USAGE, schedules(verb, name), name);
        assertTrue(err.toString().contains("NAMESPACE/NAME"), err.toString());
      }
      assertEquals(ExitStatus.USAGE, schedules(verb), verb);
    }
    assertEquals(ExitStatus.USAGE, schedules("--name", "x", "pause", "a/b"));
    assertTrue(
        err.toString().contains("expected --name after pause, found it before"), err.toString());
    assertEquals(ExitStatus.USAGE, schedules("list", "--paused", "maybe"));
    assertEquals(List.of(), asked());
  }
}
