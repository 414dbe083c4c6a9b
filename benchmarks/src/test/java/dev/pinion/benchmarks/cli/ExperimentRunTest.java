package dev.pinion.benchmarks.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.benchmarks.experiments.globus.OperationSet;
import dev.pinion.benchmarks.report.ResultComparison;
import dev.pinion.benchmarks.report.ResultFiles;
import dev.pinion.benchmarks.testbed.CpuPlacement;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whole experiments with real engines; numbers are not checked. */
@Timeout(300)
class ExperimentRunTest {
  private static final long PATIENCE_SECONDS = 280;

  /** Total time of all runs, including the starts of their JVMs. */
  private static final AtomicLong SPENT = new AtomicLong();

  /** Longest run of each experiment that runs several times with different options. */
  private static final Map<String, Long> LONGEST = new ConcurrentHashMap<>();

  @TempDir private Path folder;

  @BeforeEach
  void needTwoCpus() throws Exception {
    assumeTrue(
        CpuPlacement.allowed().size() > 1, "skipped: needs two CPUs, for the engine and the load");
  }

  /** All experiments with --quick should take 12 minutes together: reported, as machines differ. */
  @AfterAll
  static void tellTime() {
    long each = LONGEST.values().stream().mapToLong(nanos -> nanos).sum();
    System.out.println(
        "ExperimentRunTest: "
            + LONGEST.size()
            + " experiments took "
            + Duration.ofNanos(each).toSeconds()
            + " s, all runs of them "
            + Duration.ofNanos(SPENT.get()).toSeconds()
            + " s");
  }

  @Test
  @Tag("long")
  void shouldReportFirstCallsOfEveryOperation() throws Exception {
    JsonNode results = run("first-call");

    JsonNode comparison = results.path("comparisons").get(0);
    List<String> variants = List.of("cache and warm-up", "neither");
    assertEquals(variants, names(comparison.path("variants")));
    assertAsked(OperationSet.ENGINE, comparison);
    JsonNode accompanied = results.path("comparisons").get(3);
    assertEquals(List.of("neither"), names(accompanied.path("variants")));
    assertAsked(OperationSet.HISTORY_AND_BROKER, accompanied);
    assertRatios(
        results.at("/comparisons/1/variants"),
        List.of("cache and warm-up", "neither", "compiled at first use", "connections"));
    assertRatios(results.at("/comparisons/2/variants"), List.of("cache and warm-up", "neither"));
    List<String> saving =
        results
            .path("findings")
            .valueStream()
            .map(finding -> finding.path("name").asText())
            .filter(name -> name.contains(": first request, with to without "))
            .map(name -> name.replace(": first request, with to without ", ": "))
            .toList();
    assertEquals(
        List.of(
            "one call, in memory: definitions compiled ahead",
            "one call, in memory: cache and warm-up",
            "one call, in memory: connections",
            "an order, kept, with a history: cache and warm-up"),
        saving);
  }

  private static void assertRatios(JsonNode requests, List<String> variants) {
    assertEquals(variants, names(requests));
    for (String variant : variants) {
      JsonNode metrics = requests.path(variant);
      double ratio = metrics.at("/first request/median").asDouble();
      ratio /= metrics.at("/steady p99/median").asDouble();
      assertEquals(ratio, metrics.at("/first to steady p99/median").asDouble(), 1e-9 * ratio);
    }
  }

  @Test
  @Tag("long")
  void shouldReportFirstRequestsAlone() throws Exception {
    JsonNode results = run("first-call", "--requests-only", "--settle", "0", "--warm-up-ms", "500");

    assertEquals(2, results.path("comparisons").size());
    JsonNode request = results.at("/comparisons/0/variants");
    assertEquals(4, request.size(), request::toString);
    assertEquals(5 + 3 + 3 + 1, results.path("findings").size(), "ratios to p99, and savings");
  }

  private static void assertAsked(OperationSet operationSet, JsonNode comparison) {
    JsonNode measured = comparison.at("/variants/neither");
    for (String operation : operationSet.names()) {
      double first = measured.path(operation + ", call 1").path("median").asDouble();
      assertTrue(first > 0, operation + " " + first);
    }
  }

  @Test
  @Tag("long")
  void shouldReportThreadsAtSaturationAndAtARate() throws Exception {
    JsonNode results = run("threads", "--warmup", "0", "--threads", "1,2", "--clients", "8");

    JsonNode environment = results.path("environment");
    assertEquals("--replicas sosoa:1:1", environment.path("options of 1+1").asText());
    assertEquals("--replicas sosoa:1:2", environment.path("options of 2+2").asText());
    assertEquals(2, results.path("comparisons").size());
    JsonNode offered = results.path("comparisons").get(1);
    assertEquals("sequential, offered rate", offered.path("title").asText());
    double rate = offered.at("/variants/1+1/offered/median").asDouble();
    assertTrue(rate > 0 && rate <= 2_000, "offered " + rate);
    assertEquals(
        "sequential, saturation: speed-up, 2 Kernel and Invoker threads",
        results.at("/findings/0/name").asText());
  }

  @Test
  @Tag("long")
  void shouldReportTheMeanOfWorkloads() throws Exception {
    JsonNode results = run("scaling", "--workload", "sequential,loop", "--clients", "50,100");

    assertEquals(4, results.path("comparisons").size());
    double logarithms = 0;
    for (int first : List.of(0, 2)) {
      JsonNode variants = results.at("/comparisons/" + first + "/variants");
      double two = variants.at("/2 replicas/throughput/median").asDouble();
      logarithms += Math.log(two / variants.at("/1 replica/throughput/median").asDouble());
    }
    JsonNode mean = results.at("/findings/0");
    assertEquals(
        "geometric mean of 2 workflows, 50 clients, 2 replicas", mean.path("name").asText());
    assertEquals(Math.exp(logarithms / 2), mean.path("median").asDouble(), 1e-6);
    assertTrue(Files.exists(folder.resolve("figure-7.svg")), "the mean, and three of each");
  }

  @Test
  void shouldReportMessagesThatFollowEachOther() throws Exception {
    JsonNode results = run("handlers-pipeline", "--messages", "1,20");

    JsonNode twenty = results.path("comparisons").get(1).path("variants");
    assertEquals(180, twenty.at("/sequential/predicted/median").asDouble(), 1e-9);
    assertEquals(165, twenty.at("/parallel/predicted/median").asDouble(), 1e-9);
    for (String line : List.of("sequential", "parallel")) {
      double measured = twenty.at("/" + line + "/measured/median").asDouble();
      double predicted = twenty.at("/" + line + "/predicted/median").asDouble();
      assertTrue(measured >= predicted, "stations cannot be faster: " + measured);
      assertTrue(twenty.path(line).has("generator") && twenty.path(line).has("lag"), line);
    }
  }

  @Test
  @Tag("long")
  void shouldDivideProcessorTimeByStageWithTheJournalOnThePathAndOff() throws Exception {
    JsonNode results = run("journal");

    JsonNode stages = results.path("comparisons").get(2).path("variants");
    assertEquals(List.of("sync", "async", "none"), names(stages));
    assertTrue(summed(stages, "/cpu of kernel/median") > 0, stages.toString());
    assertTrue(summed(stages, "/cpu of request handler/median") > 0, stages.toString());
    assertTrue(stages.at("/sync/cpu of journal/median").asDouble() > 0, stages.toString());
  }

  /** A second has about 100 samples, of which a stage may have none at one level. */
  private static double summed(JsonNode variants, String metric) {
    return variants.valueStream().mapToDouble(variant -> variant.at(metric).asDouble()).sum();
  }

  @Test
  @Tag("long")
  void shouldReportWhatAProfileCosts() throws Exception {
    JsonNode results = run("profile-cost");

    JsonNode variants = results.path("comparisons").get(0).path("variants");
    assertEquals(List.of("not profiled", "profiled"), names(variants));
    for (JsonNode variant : variants) {
      double cpu = variant.at("/cpu/median").asDouble();
      double whole = variant.at("/cpu with begin and end/median").asDouble();
      assertTrue(cpu > 0 && whole >= cpu, cpu + " and in all " + whole);
    }
    assertTrue(results.at("/findings/0/note").asText().startsWith("target at most 1.03: "));
  }

  @Test
  @Tag("long")
  void shouldTellTheBrokerApartAndCountTheChangesOfAStorm() throws Exception {
    JsonNode results = run("broker-overhead");

    for (JsonNode comparison : results.path("comparisons")) {
      JsonNode variants = comparison.path("variants");
      assertEquals(
          List.of("unbrokered", "brokered", "asked, nothing changed", "storm"), names(variants));
      assertEquals(0, variants.at("/unbrokered/broker/median").asDouble());
      assertEquals(0, variants.at("/brokered/events/median").asDouble());
      double events = variants.at("/storm/events/median").asDouble();
      assertTrue(events > 1, "events/s " + events);
    }
    assertTrue(results.at("/findings/0/note").asText().startsWith("target at most 1.05: "));
  }

  @Test
  @Tag("long")
  void shouldReportResultsSentToSubscribers() throws Exception {
    JsonNode results =
        run(
            "publishers",
            "--sent-by",
            "dispatcher",
            "--publishers",
            "1,2",
            "--subscribers",
            "4",
            "--instances",
            "100");

    JsonNode comparison = results.path("comparisons").get(0);
    assertEquals("100 instances, 4 subscribers", comparison.path("title").asText());
    for (String variant : List.of("1 publisher", "2 publishers")) {
      JsonNode measured = comparison.path("variants").path(variant);
      double instances = measured.at("/throughput/median").asDouble();
      assertEquals(4 * instances, measured.at("/events/median").asDouble(), 1e-6);
      assertEquals(0, measured.at("/errors/median").asDouble());
      assertTrue(measured.has("generator") && measured.has("lag"), measured::toString);
    }
    assertEquals("speed-up, 2 publishers", results.at("/findings/0/name").asText());
  }

  @Tag("long")
  @ParameterizedTest
  @ValueSource(
      strings = {
        "layout",
        "hostile",
        "restart",
        "dispatch",
        "handover",
        "placement",
        "waiting",
        "durability",
        "recovery",
        "threads",
        "scaling",
        "gain",
        "tail",
        "publishers",
        "handlers",
        "handlers-rate",
        "handlers-window",
        "handlers-pipeline",
        "broker-closed",
        "broker-open",
        "broker-placement"
      })
  void shouldRunQuickly(String experiment) throws Exception {
    run(experiment);
  }

  /** Runs an experiment and checks the files that each must write. */
  private JsonNode run(String experiment, String... options) throws Exception {
    List<String> command = new ArrayList<>(java());
    command.add("-Dpinion.launcher=" + launcher());
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add("dev.pinion.benchmarks.BenchmarkMain");
    command.addAll(List.of("experiment", experiment, "--quick", "--out", folder.toString()));
    command.addAll(List.of(options));
    Path log = folder.resolve("log");
    long began = System.nanoTime();
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    try {
      assertTrue(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS), "still at work");
    } finally {
      process.destroy();
      long spent = System.nanoTime() - began;
      SPENT.addAndGet(spent);
      LONGEST.merge(experiment, spent, Math::max);
    }
    assertEquals(0, process.exitValue(), Files.readString(log));
    return checked(experiment);
  }

  private JsonNode checked(String experiment) throws Exception {
    JsonNode results = ResultFiles.read(folder);
    assertEquals(experiment, results.path("experiment").asText());
    for (JsonNode comparison : results.path("comparisons")) {
      for (Map.Entry<String, JsonNode> variant : comparison.path("variants").properties()) {
        assertTrue(variant.getValue().has("cpu"), () -> variant + "");
        assertEquals(0, variant.getValue().at("/errors/max").asDouble(-1), () -> variant + "");
      }
    }
    String page = Files.readString(folder.resolve(ResultFiles.PAGE));
    assertTrue(page.contains("<svg class=\"plot\"") && page.contains("data:image/svg+xml;base64,"));
    long values = Files.readString(folder.resolve(ResultFiles.CSV)).lines().count();
    assertTrue(values > 3, "lines " + values);
    ResultComparison same = new ResultComparison(results, results);
    assertFalse(same.text().contains("Only in"), same.text());
    return results;
  }

  private Path launcher() throws Exception {
    Path script = folder.resolve("launcher");
    List<String> command = new ArrayList<>(java());
    command.addAll(List.of("-cp", "'" + System.getProperty("java.class.path") + "'"));
    command.add("dev.pinion.bootstrap.PinionMain");
    Files.writeString(
        script,
        "#!/bin/sh\nexec " + String.join(" ", command) + " \"$@\"\n",
        StandardCharsets.UTF_8);
    return Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
  }

  private static List<String> java() {
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "--enable-native-access=ALL-UNNAMED",
        "--sun-misc-unsafe-memory-access=allow");
  }

  private static List<String> names(JsonNode object) {
    return object.properties().stream().map(Map.Entry::getKey).toList();
  }
}
