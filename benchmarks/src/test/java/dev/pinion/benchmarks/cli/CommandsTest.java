package dev.pinion.benchmarks.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.pinion.benchmarks.BenchmarkMain;
import dev.pinion.benchmarks.experiments.ListedExperiment;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.RandomAccessFile;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

final class CommandsTest {
  private static final String CPUS = " --engine-cpus 0 --load-cpus 1";

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @AfterEach
  void forgetLauncher() {
    System.clearProperty("pinion.launcher");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "bench nothing                       | expected one of sequential",
        "bench trip-planner --yardstick      | expected a workload that the bare exchange can do",
        "bench loop --clients 0              | expected --clients from 1",
        "bench loop --clients 100001         | expected --clients from 1 to 100000, found 100001",
        "bench loop --seconds 0              | expected --seconds from 1",
        "bench loop --repeat 0               | expected --repeat from 1",
        "bench loop --repeat 1001            | expected --repeat from 1 to 1000, found 1001",
        "bench loop --warmup -1              | expected --warmup from 0",
        "bench loop                          | expected the command bin/pinion, found none at"
            + " /no/such",
        "experiment layout --workload x      | expected one of sequential",
        "experiment layout --clients 1,0     | expected --clients from 1",
        "experiment layout                   | expected the command bin/pinion, found none at"
            + " /no/such",
        "experiment hostile --requests 0     | expected --requests from 1 to 1000000, found 0",
        "experiment hostile --think -1       | expected --think from 0",
        "experiment hostile --repeat 0       | expected --repeat from 1",
        "experiment restart --clients 0      | expected --clients from 1",
        "experiment recovery --waiting 0     | expected --waiting from 1",
        "experiment recovery --times 0       | expected --times from 1",
        "experiment threads --threads 1,0    | expected --threads from 1 to 256, found 0",
        "experiment threads --rate 0         | expected --rate from 1",
        "experiment threads --workload x     | expected one of sequential, for-each",
        "experiment scaling --workload loop,x | expected one of sequential, for-each",
        "experiment scaling --replicas 65    | expected --replicas from 1 to 64, found 65",
        "experiment scaling --think -1       | expected --think from 0",
        "experiment gain --clients 0         | expected --clients from 1",
        "experiment tail --fractions 0       | expected --fractions above 0 and up to 2",
        "experiment tail --rates 0           | expected --rates from 1",
        "experiment journal --fraction 3     | expected --fraction above 0 and up to 2",
        "experiment publishers --publishers 65 | expected --publishers from 1 to 64, found 65",
        "experiment publishers --subscribers 3 | with --sent-by dispatcher, found loops",
        "experiment publishers --sent-by dispatcher --seconds 3 | expected no --seconds, as this",
        "experiment handlers --seconds 3     | expected no --seconds, as this experiment does a"
            + " fixed",
        "experiment handlers-pipeline --warmup 3 | expected no --warmup",
        "experiment handover --seconds 3     | expected no --seconds",
        "experiment recovery --warmup 3      | expected no --warmup",
        "experiment restart --warmup 3       | expected no --warmup",
        "experiment publishers --sent-by dispatcher --subscribers 0 | expected --subscribers from 1"
            + " to 1000, found 0",
        "experiment publishers --sent-by dispatcher --instances 0 | expected --instances from 1 to"
            + " 100000, found 0",
        "experiment handlers --messages 0    | expected --messages from 1",
        "experiment handlers-rate --rates 0  | expected --rates from 1",
        "experiment handlers-rate --times 0  | expected --times from 0.1 to 100, found 0.0",
        "experiment handlers-window --windows 201 | expected --windows from 1 to 200, found 201",
        "experiment handlers-pipeline --messages 201 | expected --messages from 1 to 200, found"
            + " 201",
        "experiment broker-overhead --events 0 | expected --events from 1 to 1000, found 0",
        "experiment broker-overhead --clients 0 | expected --clients from 1",
        "experiment broker-closed --clients 4,0 | expected --clients from 1",
        "experiment broker-open --rates 0    | expected --rates from 1",
        "experiment broker-open --fractions 3 | expected --fractions above 0 and up to 2, found"
            + " 3.0",
        "experiment broker-placement --clients 0 | expected --clients from 1",
        "experiment broker-placement         | expected a CPU for each of 2 replicas, found 0",
        "experiment profile-cost --clients 0 | expected --clients from 1",
        "experiment first-call --settle 3601 | expected --settle from 0 to 3600, found 3601",
        "experiment first-call --warmup 1    | expected no --warmup",
        "experiment first-call --calls 29    | expected --calls from 30 to 10000, found 29",
        "experiment restart                  | expected the command bin/pinion, found none at"
            + " /no/such",
        "bare --workload loop --stub nowhere | expected a stub such as",
      })
  void shouldRefuseInOneSentence(String line, String sentence) {
    System.setProperty("pinion.launcher", "/no/such/launcher");

    int code = execute(line.strip() + (line.startsWith("bare") ? "" : CPUS));

    assertEquals(2, code, err.toString());
    assertTrue(err.toString().contains(sentence), err.toString());
    assertEquals(1, err.toString().lines().count(), err.toString());
  }

  @Test
  void shouldRefuseOneCpuForBoth() {
    assertEquals(2, execute("bench loop --engine-cpus 0 --load-cpus 0"));
    assertTrue(err.toString().contains("expected different CPUs"), err.toString());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "bench",
        "bench loop --layout diagonal",
        "bench loop --engine-cpus 0 --load-cpus x",
        "experiment",
        "experiment nothing",
        "experiment layout --quick --full",
        "experiment compare one",
        "nothing"
      })
  void shouldExplainUsage(String line) {
    assertEquals(2, execute(line));
    assertTrue(!err.toString().isBlank());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "bench --help",
        "experiment --help",
        "experiment layout --help",
        "experiment hostile --help",
        "experiment dispatch --help",
        "experiment handover --help",
        "experiment placement --help",
        "experiment waiting --help",
        "experiment restart --help",
        "experiment recovery --help",
        "experiment list --help",
        "experiment compare --help",
        "experiment threads --help",
        "experiment first-call --help",
        "experiment handlers --help",
        "experiment broker-overhead --help"
      })
  void shouldExplainItself(String line) {
    assertEquals(0, execute(line));
    assertTrue(out.toString().contains("Usage: pinion "), out.toString());
  }

  @Test
  void shouldListEveryExperimentForPeopleAndMachines() throws IOException {
    assertEquals(0, execute("experiment list"));
    String text = out.toString();
    for (String name :
        List.of(
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
            "journal",
            "publishers",
            "first-call",
            "profile-cost",
            "handlers",
            "handlers-rate",
            "handlers-window",
            "handlers-pipeline",
            "broker-overhead",
            "broker-closed",
            "broker-open",
            "broker-placement",
            "queueing")) {
      assertTrue(text.contains("\n" + name + "\n") || text.startsWith(name + "\n"), name);
    }
    out.getBuffer().setLength(0);
    assertEquals(0, execute("experiment list --json"));
    JsonNode list = new ObjectMapper().readTree(out.toString());
    assertEquals(text.split("takes about", -1).length - 1, list.size());
    for (JsonNode one : list) {
      assertTrue(one.path("shows").asText().endsWith("."), one.toString());
      assertTrue(one.path("hardware").asText().matches("at least .*|any machine"), one.toString());
      assertTrue(one.path("timeFull").asText().matches("\\d+ (s|min)"), one.toString());
    }
  }

  @Test
  void shouldNeedLessThanTwelveMinutesForAllExperimentsWhenQuick() {
    CommandLine pinion = BenchmarkMain.commandLine();
    Map<String, CommandLine> experiments =
        Objects.requireNonNull(pinion.getSubcommands().get("experiment")).getSubcommands();
    Duration sum = Duration.ZERO;
    for (Map.Entry<String, CommandLine> each : experiments.entrySet()) {
      if (each.getValue().getCommand() instanceof ListedExperiment listed) {
        pinion.parseArgs("experiment", each.getKey(), "--quick");
        sum = sum.plus(listed.time());
      }
    }
    assertTrue(sum.compareTo(Duration.ofMinutes(12)) < 0, "in all " + sum);
  }

  @Test
  void shouldMeasureRatesBesideFractionsWhereBothAreGiven() {
    Duration rates = time("tail", "--rates", "20000,40000");
    Duration both = time("tail", "--rates", "20000,40000", "--fractions", "0.3");

    assertEquals(time("tail", "--fractions", "0.3,0.6"), rates, "either has two and a bursty one");
    assertEquals(
        time("tail", "--fractions", "0.1,0.2,0.3,0.6"), both, "three, and two bursty ones");
  }

  private static Duration time(String experiment, String... options) {
    CommandLine pinion = BenchmarkMain.commandLine();
    List<String> arguments = new ArrayList<>(List.of("experiment", experiment));
    arguments.addAll(List.of(options));
    pinion.parseArgs(arguments.toArray(String[]::new));
    CommandLine command =
        Objects.requireNonNull(pinion.getSubcommands().get("experiment"))
            .getSubcommands()
            .get(experiment);
    return ((ListedExperiment) Objects.requireNonNull(command).getCommand()).time();
  }

  @Test
  void shouldDrawEachMachineThatItSimulates(@TempDir Path folder) throws IOException {
    List<String> lines =
        List.of(
            "online\t0",
            "possible\t0",
            "cpu0/topology/core_id\t0",
            "cpu0/topology/physical_package_id\t0",
            "cpu0/cache/index0/level\t3",
            "cpu0/cache/index0/type\tUnified",
            "cpu0/cache/index0/size\t8192K",
            "cpu0/cache/index0/shared_cpu_list\t0");
    String tree =
        lines.stream()
            .map(line -> "sys/devices/system/cpu/" + line + "\\n\n")
            .collect(Collectors.joining());
    Path one = Files.writeString(folder.resolve("one.tree"), tree);
    Path two = Files.writeString(folder.resolve("two.tree"), tree);
    String command = "experiment queueing --quick --repeat 1 --machine " + one;

    assertEquals(0, execute(command + " --machine " + two + " --out " + folder), err.toString());

    String page = Files.readString(folder.resolve("report.html"));
    assertEquals(3, page.split("data:image/svg", -1).length, "two drawings");
    assertTrue(page.contains("one: packages, caches"), page);
    assertFalse(page.contains("processor time of the measured processes"), page);
    assertFalse(page.contains("load generator's"), page);
    assertTrue(page.contains("1 CPU, 1 cache"), page);
    assertTrue(page.contains("experiment queueing --quick --repeat 1 --machine " + one), page);
    assertEquals(2, execute(command + " --machine " + one));
    assertTrue(err.toString().contains("found two of one"), err.toString());
  }

  @Test
  void shouldSayWhatIsNoCapturedMachine(@TempDir Path folder) throws IOException {
    Path bytes = Files.write(folder.resolve("bytes"), new byte[] {(byte) 0xC3, (byte) 0x28});
    Path text = Files.writeString(folder.resolve("text"), "a machine, they say\n");
    Path huge = folder.resolve("huge");
    try (RandomAccessFile file = new RandomAccessFile(huge.toFile(), "rw")) {
      file.setLength((64L << 20) + 1);
    }
    String command = "experiment queueing --quick --repeat 1 --machine ";
    Map<Path, String> found = new LinkedHashMap<>();
    found.put(folder, "found the folder " + folder);
    found.put(bytes, "found bytes that are no text");
    found.put(text, "expected a captured machine (--machine) in " + text);
    found.put(huge, "found more in " + huge);

    found.forEach(
        (file, sentence) -> {
          assertEquals(1, execute(command + file));
          assertTrue(err.toString().contains(sentence), err.toString());
        });
  }

  // Field fault 34: without a measured factor, the report shows from which factor on placement
  // gains
  @Test
  void shouldSimulateFactorsAndSayThatItDoes(@TempDir Path folder) throws IOException {
    StringBuilder tree = new StringBuilder("sys/devices/system/cpu/online\t0-3\\n\n");
    for (int cpu = 0; cpu < 4; cpu++) {
      String cache = "sys/devices/system/cpu/cpu" + cpu + "/cache/index0/";
      tree.append(cache).append("level\t3\\n\n").append(cache).append("type\tUnified\\n\n");
      tree.append(cache).append("shared_cpu_list\t").append(cpu < 2 ? "0-1" : "2-3");
      tree.append("\\n\n");
    }
    Path two = Files.writeString(folder.resolve("two.tree"), tree);
    String command = "experiment queueing --quick --repeat 1 --machine " + two;

    assertEquals(0, execute(command + " --out " + folder), err.toString());
    assertTrue(out.toString().contains("note: Simulated: nothing here was measured."));
    assertTrue(out.toString().contains("none of them is measured"), out.toString());
    assertTrue(out.toString().contains("4 CPUs, 2 caches, factor 1.25"), out.toString());
    String figure = Files.readString(folder.resolve("figure-1.svg"));
    assertTrue(figure.contains("one for each cache, a step after"), figure);

    out.getBuffer().setLength(0);
    assertEquals(0, execute(command + " --factor 1.3"));
    assertFalse(out.toString().contains("factor 1.25"), out.toString());
    assertTrue(out.toString().contains("factor           1.300"), out.toString());
  }

  // Field fault 34: plots without information are not drawn
  @Test
  void shouldDrawNothingOfAMachineWithOneCache(@TempDir Path folder) throws IOException {
    Path one =
        Files.writeString(
            folder.resolve("one.tree"),
            """
            sys/devices/system/cpu/online\t0-1\\n
            sys/devices/system/cpu/cpu0/cache/index0/level\t3\\n
            sys/devices/system/cpu/cpu0/cache/index0/type\tUnified\\n
            sys/devices/system/cpu/cpu0/cache/index0/shared_cpu_list\t0-1\\n
            sys/devices/system/cpu/cpu1/cache/index0/level\t3\\n
            sys/devices/system/cpu/cpu1/cache/index0/type\tUnified\\n
            sys/devices/system/cpu/cpu1/cache/index0/shared_cpu_list\t0-1\\n
            """);
    String command = "experiment queueing --quick --repeat 1 --machine " + one;

    assertEquals(0, execute(command + " --out " + folder), err.toString());

    assertTrue(out.toString().contains("one has one cache"), out.toString());
    assertFalse(Files.exists(folder.resolve("figure-1.svg")));
  }

  @ParameterizedTest
  @CsvSource({
    "--factor 0.9, expected --factor from 1 to 100",
    "--factor 101, expected --factor from 1 to 100",
    "--clients-per-cpu 0, expected --clients-per-cpu from 1",
    "--quick --full, 'expected --quick or --full, found both'",
  })
  void shouldRefuseSimulationsThatMakeNoSense(String options, String sentence) {
    assertEquals(2, execute("experiment queueing " + options));
    assertTrue(err.toString().contains(sentence), err.toString());
  }

  @ParameterizedTest
  @ValueSource(strings = {"queueing", "threads", "layout", "list", "compare a b", "handlers"})
  void shouldRefuseUnknownOptionsOfExperiments(String experiment) {
    assertEquals(2, execute("experiment " + experiment + " --no-such-option 3"));
    assertTrue(err.toString().contains("--no-such-option"), err.toString());
  }

  @Test
  void shouldRefuseOptionsThatASimulationHasNot() {
    assertEquals(2, execute("experiment queueing --quick --engine-cpus 0"));
    assertTrue(err.toString().contains("--engine-cpus"), err.toString());
  }

  @Test
  void shouldNameAnUnknownExperimentBeforeItsOptions() {
    assertEquals(2, execute("experiment nothing --quick"));
    assertTrue(err.toString().contains("found nothing"), err.toString());
    assertTrue(err.toString().contains("one of [layout, "), err.toString());
  }

  @ParameterizedTest
  @ValueSource(strings = {"journal --quick", "queueing --quick"})
  void shouldRefuseAFolderForItsReportThatIsNoneBeforeItRuns(String line, @TempDir Path folder)
      throws IOException {
    System.setProperty("pinion.launcher", "/no/such/launcher");
    Path file = Files.createFile(folder.resolve("file"));

    assertEquals(1, execute("experiment " + line + " --out " + file));
    assertTrue(err.toString().contains("expected --out to name a folder"), err.toString());
    assertTrue(err.toString().contains(file.toString()), err.toString());
    assertEquals("", out.toString());
  }

  @Test
  void shouldSayThatThereIsNothingToCompare() {
    assertEquals(1, execute("experiment compare /no/such/a /no/such/b"));
    assertTrue(err.toString().contains("found no file /no/such/a"), err.toString());
  }

  @Test
  void shouldHandOptionsOfJmhThrough() {
    CommandLine.ParseResult parsed =
        BenchmarkMain.commandLine().parseArgs("jmh", "Lane", "-f", "1", "--json", "-wi", "2");

    assertEquals(
        List.of("Lane", "-f", "1", "-wi", "2"),
        parsed.subcommand().matchedPositional(0).getValue());
    assertTrue(parsed.subcommand().hasMatchedOption("--json"));
  }

  @Test
  void shouldServeAnEchoUntilItsStarterIsGone() throws Exception {
    InputStream before = System.in;
    System.setIn(new ByteArrayInputStream(new byte[0]));
    try {
      assertEquals(0, execute("echo"));
    } finally {
      System.setIn(before);
    }
    assertTrue(
        out.toString().matches("\\{\"ready\":\"http://127.0.0.1:\\d+\",\"pid\":\\d+}\\R"),
        out.toString());
  }

  @Test
  void shouldHaveABenchmarkForEachPart() throws IOException {
    try (InputStream list = BenchmarkMain.class.getResourceAsStream("/META-INF/BenchmarkList")) {
      String benchmarks =
          list == null ? "" : new String(list.readAllBytes(), StandardCharsets.UTF_8);
      for (String name :
          List.of(
              "Lane",
              "Codec",
              "Expression",
              "GraphCompile",
              "ThousandTasks",
              "SetTasks",
              "Listener",
              "Stepper",
              "Journal",
              "Chain",
              "BoundCall",
              "BoundCall",
              "Solve",
              "CaseSolve")) {
        assertTrue(
            benchmarks.contains("dev.pinion.benchmarks.jmh." + name + "Benchmark"), benchmarks);
      }
    }
  }

  private int execute(String line) {
    CommandLine commands = BenchmarkMain.commandLine();
    commands.setOut(new PrintWriter(out, true));
    commands.setErr(new PrintWriter(err, true));
    return commands.execute(line.split(" +"));
  }
}
