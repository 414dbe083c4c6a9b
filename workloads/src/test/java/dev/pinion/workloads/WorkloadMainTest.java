package dev.pinion.workloads;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.pinion.workloads.stub.StubService;
import dev.pinion.workloads.stub.StubSettings;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

@Timeout(60)
class WorkloadMainTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void shouldLoadAndReportAsJson(@TempDir Path directory) throws Exception {
    // given
    Path body = Files.writeString(directory.resolve("body.json"), "{\"value\":1}");
    try (StubService stub = StubService.start(StubSettings.standard())) {
      // when
      int status = execute(load(stub, "--body", "@" + body, "--json"));

      // then
      JsonNode json = new ObjectMapper().readTree(out.toString());
      assertEquals(0, status, err::toString);
      assertEquals(20, json.get("answers").intValue());
      assertEquals(20, stub.stats().total());
    }
  }

  @Test
  void shouldExitWithOneWhenAnswersAreWrong() {
    // given
    try (StubService stub = StubService.start(StubSettings.standard())) {
      // when
      int status = execute(load(stub, "--body", "{}", "--expect-output", "{\"a\":1}"));

      // then
      assertEquals(1, status);
      assertTrue(
          out.toString().contains("20 x state unknown, such as: {\"service\""), out::toString);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "sing",
        "stub --port many",
        "stub --services 0",
        "load",
        "load --url https://h/",
        "load --url http://h/ --workload six",
        "load --url http://h/ --workload loop --body {}",
        "load --url http://h/ --clients 0",
        "load --url http://h/ --body @/no/such/file",
        "load --url http://h/ --expect-output @/no/such/file",
        "load --url http://h/ --expect-output {bad",
        "demo --seconds 0",
        "demo --seconds 3601",
        "demo --clients 0",
        "demo --clients 10001"
      })
  void shouldExitWithTwoAndSaySoWhenTheCommandLineIsWrong(String line) {
    // when
    int status = execute(line.isEmpty() ? List.of() : List.of(line.split(" ", -1)));

    // then
    assertEquals(2, status);
    assertTrue(!err.toString().isBlank(), line);
    assertEquals("", out.toString());
  }

  @ParameterizedTest
  @CsvSource({
    "--seconds, 0, 604801",
    "--warm-up-seconds, -1, 604801",
    "--think-ms, -4, 604800001",
    "--timeout-ms, 0, 604800001",
    "--clients, 0, 100001",
    "--threads, 0, 65",
    "--count, 0, 0",
    "--iterations, 0, -1",
  })
  void shouldNameTheOptionThatIsOutOfItsRange(String option, String below, String above) {
    for (String value : List.of(below, above)) {
      err.getBuffer().setLength(0);
      assertEquals(2, execute(List.of("load", "--url", "http://127.0.0.1:1/", option, value)));
      assertTrue(
          err.toString().startsWith("pinion load: expected " + option + " from "), err::toString);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-1", "NaN", "10000001"})
  void shouldNameTheRateThatIsOutOfItsRange(String rate) {
    String url = "http://127.0.0.1:1/";
    List<String> line = List.of("load", "--url", url, "--arrivals", "poisson", "--rate", rate);
    assertEquals(2, execute(line));
    assertTrue(err.toString().startsWith("pinion load: expected --rate above 0"), err::toString);
  }

  @ParameterizedTest
  @CsvSource({"--port, -1, 65536", "--services, 0, 10001", "--threads, 0, 65"})
  void shouldNameTheOptionOfAStubThatIsOutOfItsRange(String option, String below, String above) {
    for (String value : List.of(below, above)) {
      err.getBuffer().setLength(0);
      assertEquals(2, execute(List.of("stub", option, value)));
      assertTrue(
          err.toString().startsWith("pinion stub: expected " + option + " from "), err::toString);
    }
  }

  // Field fault 30
  @Test
  void shouldSuggestOption() {
    assertEquals(2, execute(List.of("demo", "--client", "2")));
    assertTrue(err.toString().contains("; did you mean \"--clients\"?"), err::toString);
  }

  // Field fault 30: the format of the engine's lines
  @Test
  void shouldLogLinesLikeTheEngine() {
    LogRecord record = new LogRecord(Level.WARNING, "no address");
    record.setLoggerName("io.netty.util.Mac");
    record.setInstant(Instant.EPOCH);

    assertEquals(
        "1970-01-01T00:00:00.000Z WARN  Mac: no address\n", new LogLineFormatter().format(record));
  }

  @Test
  void shouldSayWhichCommandRefused() {
    assertEquals(2, execute(List.of("load", "--url", "https://h/")));
    assertTrue(err.toString().startsWith("pinion load: expected "), err::toString);
  }

  @ParameterizedTest
  @ValueSource(strings = {"constant", "poisson", "bursty", "BURSTY"})
  void shouldTakeArrivalsInEitherCase(String arrivals) {
    assertEquals(2, execute(List.of("load", "--url", "http://h/", "--arrivals", arrivals)));
    assertTrue(err.toString().contains("--arrivals and --rate together"), err::toString);
  }

  @ParameterizedTest
  @ValueSource(strings = {"--help", "stub --help", "load -h", "demo --help"})
  void shouldExplainEveryCommandAndItsExitCodes(String line) {
    // when
    int status = execute(List.of(line.split(" ", -1)));

    // then
    assertEquals(0, status);
    assertTrue(out.toString().contains("--help"), out::toString);
    assertTrue(out.toString().contains("Exit codes:"), out::toString);
    assertTrue(out.toString().contains("the command line is wrong"), out::toString);
  }

  private int execute(List<String> arguments) {
    CommandLine commandLine = WorkloadMain.commandLine();
    commandLine.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
    return commandLine.execute(arguments.toArray(String[]::new));
  }

  private static List<String> load(StubService stub, String... more) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "load",
                "--url",
                stub.uri() + "/svc/s1",
                "--warm-up-seconds",
                "0",
                "--count",
                "20"));
    arguments.addAll(List.of(more));
    return arguments;
  }
}
