package dev.pinion.benchmarks.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.pinion.benchmarks.BenchmarkMain;
import dev.pinion.benchmarks.experiment.Comparison;
import dev.pinion.benchmarks.experiment.ComparisonResults;
import dev.pinion.benchmarks.experiment.Metric;
import dev.pinion.benchmarks.experiment.Sample;
import dev.pinion.benchmarks.experiment.Variant;
import dev.pinion.benchmarks.experiments.TestbedCommand;
import dev.pinion.benchmarks.experiments.dharch.BurstVariant;
import dev.pinion.benchmarks.experiments.dharch.RoundTripVariant;
import dev.pinion.benchmarks.experiments.globus.FirstCallVariant;
import dev.pinion.benchmarks.experiments.globus.FirstRequestVariant;
import dev.pinion.benchmarks.experiments.globus.OperationSet;
import dev.pinion.benchmarks.experiments.globus.ProfiledVariant;
import dev.pinion.benchmarks.experiments.hostile.HostileVariant;
import dev.pinion.benchmarks.experiments.lean.PublishVariant;
import dev.pinion.benchmarks.experiments.lean.StageProfileVariant;
import dev.pinion.benchmarks.experiments.moses.BrokerVariant;
import dev.pinion.benchmarks.experiments.recovery.RecoveryVariant;
import dev.pinion.benchmarks.report.EnvironmentReport;
import dev.pinion.benchmarks.report.Report;
import dev.pinion.benchmarks.report.ResultFiles;
import dev.pinion.benchmarks.testbed.CpuPlacement;
import dev.pinion.benchmarks.testbed.LoadVariant;
import dev.pinion.benchmarks.testbed.Testbed;
import dev.pinion.bootstrap.topology.CpuSet;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/**
 * Everything that users see of experiments and that needs no measurement, against files kept beside
 * this test: names, options and help; comparisons and the engines that they start, by a script in
 * the place of an engine; findings, figures and files of scripted samples. A text that differs is
 * written to the folder for temporary files, for comparing and, if the change is meant, for
 * keeping.
 */
@Timeout(120)
class ExperimentGoldenTest {
  private static final int ROUNDS = 5;
  private static final Metric OFFERED = new Metric("offered", "1/s", 0);

  @TempDir private Path folder;

  @Test
  void shouldKeepNamesOptionsAndHelp() throws IOException {
    StringBuilder all = new StringBuilder(output("experiment", "--help"));
    all.append(output("bench", "--help"));
    for (String name : experiments().keySet()) {
      all.append("\n").append(output("experiment", name, "--help"));
    }
    assertKept("help.txt", all.toString());
  }

  @Test
  void shouldKeepTheListOfExperiments() throws IOException {
    JsonNode list = new ObjectMapper().readTree(output("experiment", "list", "--json"));
    list.forEach(each -> ((ObjectNode) each).remove("missingHere")); // this machine's
    assertKept("list.json", list.toPrettyString() + "\n");
  }

  // A script stands for each engine: it says that it is ready, and a server here takes definitions.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "bench sequential",
        "bench loop --layout pipelined --clients 3",
        "layout",
        "hostile --quick --requests 10 --seed 3",
        "restart",
        "dispatch",
        "handover",
        "placement",
        "waiting --clients 5",
        "durability",
        "recovery",
        "scaling",
        "gain",
        "tail --rates 20000,40000",
        "publishers",
        "first-call",
        "profile-cost",
        "broker-closed",
        "broker-open --rates 10,50",
        "broker-placement",
      })
  void shouldKeepComparisons(String line) throws Exception {
    keepsComparisons(line);
  }

  @ParameterizedTest
  @Tag("long")
  @ValueSource(
      strings = {
        "layout --quick --workload loop --clients 1,2",
        "restart --layout pipelined --clients 3",
        "dispatch --quick --workload parallel",
        "placement --quick",
        "durability --quick",
        "recovery --times 1 --waiting 7",
        "scaling --quick --replicas 1,2 --think 5",
        "scaling --quick --workload loop,parallel",
        "gain --quick",
        "publishers --quick --publishers 1,2,3",
        "publishers --sent-by dispatcher --quick",
        "first-call --quick",
        "first-call --quick --requests-only --settle 0",
        "first-call --full --calls 33",
        "profile-cost --clients 1",
        "broker-closed --quick",
      })
  void shouldKeepComparisonsOfOtherOptions(String line) throws Exception {
    keepsComparisons(line);
  }

  private void keepsComparisons(String line) throws Exception {
    TestbedCommand command = command(line);
    HttpServer server = HttpServer.create(new InetSocketAddress(loopback(), 0), 0);
    server.createContext("/", ExperimentGoldenTest::accept);
    server.start();
    StringBuilder text = new StringBuilder();
    List<ComparisonResults> results = new ArrayList<>();
    CpuSet cpus = CpuSet.of(CpuPlacement.allowed().stream().limit(2));
    CpuPlacement placement = new CpuPlacement(cpus, cpus);
    command.prepare(placement);
    try (Testbed testbed = new Testbed(script(server.getAddress().getPort()), folder, placement)) {
      for (Comparison one : command.comparisons(testbed)) {
        List<String> names = one.variants().stream().map(Variant::name).toList();
        text.append(one.title().replaceAll("cold page|warm .*page", "any page"))
            .append(" @ ")
            .append(one.baseline())
            .append(": ");
        text.append(String.join(" / ", names)).append('\n');
        String title = one.title().replace(" CPUs " + cpus, " CPUs N");
        results.add(
            scripted(title.replaceAll("cold page|warm .*page", "any page"), one.baseline(), names));
      }
      testbed.engineOptions().forEach((name, options) -> text.append(name + ": " + options + "\n"));
    } finally {
      server.stop(0);
    }
    String kept = text.toString().replace(" CPUs " + cpus, " CPUs N");
    assertKept(file(line), kept.replaceAll("fused:\\d+", "fused:N") + report(command, results));
  }

  // What can only be set up by measuring, by the titles and variants that it has
  @ParameterizedTest
  @ValueSource(
      strings = {
        "bench sequential --yardstick | x @ bare: engine-fused / engine-pipelined / bare / echo",
        "threads --quick | sequential, saturation @ 1+1: 1+1 / 2+2 / 4+4"
            + " | sequential, offered rate @ 1+1: 1+1 / 2+2 / 4+4",
        "threads --threads 1,2 --workload loop,parallel | loop, saturation @ 1+1: 1+1 / 2+2"
            + " | loop, offered rate @ 1+1: 1+1 / 2+2 | parallel, saturation @ 1+1: 1+1 / 2+2"
            + " | parallel, offered rate @ 1+1: 1+1 / 2+2",
        "journal | s, saturation @ sync: sync / async / none | rate @ sync: sync / async / none"
            + " | stages @ sync: sync / async / none",
        "handlers | local @ 2 sequential: 1 conventional / 2 sequential / 4 A+B C+D E / auto /"
            + " A B once, no chain / A B twice at once, no chain | one core @ 2 sequential:"
            + " 2 sequential / 4 A+B C+D E | tiny handlers @ never: never / always / auto"
            + " | eventing and resource state @ 2 sequential: 2 sequential / parallel",
        "handlers-rate --rates 1,9 | 1 messages/s @ sequential: conventional / sequential / parallel"
            + " | 9 messages/s @ sequential: conventional / sequential / parallel",
        "handlers-window --quick | 128 clients @ 1: 1 / 8 / 32 / adaptive",
        "handlers-pipeline --quick | 1 message @ sequential: sequential / parallel"
            + " | 20 messages @ sequential: sequential / parallel"
            + " | 100 messages @ sequential: sequential / parallel",
        "broker-overhead | saturated, 64 clients @ unbrokered: unbrokered / brokered /"
            + " asked, nothing changed / storm | half of it, 9/s @ unbrokered: unbrokered /"
            + " brokered / asked, nothing changed / storm",
      })
  void shouldKeepFindingsAndFigures(String line) throws Exception {
    List<String> parts = List.of(line.split(" \\| "));
    List<ComparisonResults> results = new ArrayList<>();
    for (String part : parts.subList(1, parts.size())) {
      Matcher matcher = Pattern.compile("(.*) @ ([^:]*): (.*)").matcher(part);
      if (matcher.matches()) {
        List<String> variants = List.of(matcher.group(3).split(" / "));
        results.add(scripted(matcher.group(1), matcher.group(2), variants));
      }
    }
    assertEquals(parts.size() - 1, results.size());
    assertKept(file(parts.getFirst()), report(command(parts.getFirst()), results));
  }

  private String report(TestbedCommand command, List<ComparisonResults> results) throws Exception {
    EnvironmentReport environment = new EnvironmentReport(Map.of("cpu", "scripted"));
    Report report = command.report(List.of("A caveat."), environment, results);
    StringBuilder text = new StringBuilder("\n" + report.subject().question() + "\n");
    text.append("unused ").append(command.unused().stream().sorted().toList()).append("\n\n");
    report.findings().forEach(each -> text.append(each).append('\n'));
    Path out = folder.resolve("report");
    ResultFiles.write(out, report, Map.of("m", "<svg/>"));
    text.append("\ntext ").append(digest(report.text())).append('\n');
    for (String name : List.of(ResultFiles.PAGE, ResultFiles.JSON, ResultFiles.CSV)) {
      text.append(name + " " + digest(Files.readString(out.resolve(name))) + "\n");
    }
    report
        .figures()
        .forEach(each -> text.append(each.title() + " " + digest(each.document()) + "\n"));
    return text.toString();
  }

  private static String digest(String text) {
    try {
      MessageDigest sha = MessageDigest.getInstance("SHA-256");
      byte[] digest = sha.digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest, 0, 8);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private static List<Metric> metrics() {
    List<Metric> metrics =
        new ArrayList<>(
            List.of(
                Metric.THROUGHPUT,
                OFFERED,
                Metric.CPU,
                Metric.P50,
                Metric.P99,
                Metric.ERRORS,
                Metric.MAX,
                Metric.GENERATOR,
                LoadVariant.EXCHANGES,
                LoadVariant.PER_CPU,
                LoadVariant.BUSY,
                RoundTripVariant.MEAN,
                RoundTripVariant.WORKERS,
                BurstVariant.MEASURED,
                BurstVariant.PREDICTED,
                BurstVariant.PAPER,
                FirstRequestVariant.FIRST,
                FirstRequestVariant.STEADY,
                FirstRequestVariant.RATIO,
                FirstRequestVariant.SENT_RATIO,
                FirstRequestVariant.READY,
                ProfiledVariant.WHOLE,
                BrokerVariant.DATA_PATH,
                PublishVariant.EVENTS,
                RecoveryVariant.READY,
                HostileVariant.MEMORY));
    LoadVariant.TAIL.stream().map(Metric::percentile).forEach(metrics::add);
    StageProfileVariant.STAGES.forEach(each -> metrics.add(StageProfileVariant.cpu(each)));
    StageProfileVariant.STAGES.forEach(each -> metrics.add(StageProfileVariant.busy(each)));
    for (OperationSet set : List.of(OperationSet.ENGINE, OperationSet.HISTORY_AND_BROKER)) {
      for (String name : set.names()) {
        metrics.add(FirstCallVariant.call(name, 1));
        metrics.add(FirstCallVariant.call(name, 2));
        metrics.add(FirstCallVariant.steady(name));
      }
    }
    return metrics.stream().distinct().toList();
  }

  /** Values of all metrics that depend on metric, variant and round. */
  private static ComparisonResults scripted(String title, String baseline, List<String> variants) {
    Map<String, List<Sample>> samples = new LinkedHashMap<>();
    for (String variant : variants) {
      List<Sample> rounds = new ArrayList<>();
      for (int round = 0; round < ROUNDS; round++) {
        Map<Metric, Double> values = new LinkedHashMap<>();
        for (Metric metric : metrics()) {
          double level = 1 + Math.floorMod((metric.name() + variant).hashCode(), 97) / 16.0;
          values.put(metric, level * (1 + 0.03 * ((round * 7 + title.length()) % 5)));
        }
        if (title.endsWith(" instances/s")) {
          values.put(OFFERED, Double.parseDouble(title.replace(" instances/s", "")));
        }
        samples.computeIfAbsent(variant, each -> rounds).add(new Sample(values));
      }
    }
    return new ComparisonResults(title, baseline, samples);
  }

  private static void accept(HttpExchange exchange) throws IOException {
    exchange.getRequestBody().readAllBytes();
    String body =
        "{\"version\":1,\"replicas\":[{\"lastBeat\":{\"bindingVersion\":1}}],\"pid\":"
            + ProcessHandle.current().pid()
            + "}";
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(
        exchange.getRequestMethod().equals("GET") ? 200 : 201, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  /** A command that says it is ready at a port, and ends with its input. */
  private Path script(int port) throws IOException {
    String uri = "\"http://127.0.0.1:" + port + "\"";
    String ready = "{\"ready\":true,\"url\":" + uri + ",\"admin\":" + uri + "}";
    Path file = folder.resolve("pinion");
    Files.writeString(file, "#!/bin/sh\necho '" + ready + "'\ncat > /dev/null\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
    return file;
  }

  private static InetAddress loopback() {
    return InetAddress.getLoopbackAddress();
  }

  private static TestbedCommand command(String line) {
    CommandLine pinion = BenchmarkMain.commandLine();
    String full = line.startsWith("bench") ? line : "experiment " + line;
    CommandLine.ParseResult parsed = pinion.parseArgs(full.split(" "));
    while (parsed.hasSubcommand()) {
      parsed = parsed.subcommand();
    }
    return parsed.commandSpec().commandLine().getCommand();
  }

  private static Map<String, CommandLine> experiments() {
    CommandLine pinion = BenchmarkMain.commandLine();
    return pinion.getSubcommands().getOrDefault("experiment", pinion).getSubcommands();
  }

  private static String output(String... line) {
    StringWriter out = new StringWriter();
    CommandLine commands = BenchmarkMain.commandLine();
    commands.setOut(new PrintWriter(out, true));
    assertEquals(0, commands.execute(line));
    return out.toString();
  }

  private static String file(String line) {
    return line.replaceAll("[^a-z0-9]+", "-") + ".txt";
  }

  private static void assertKept(String name, String text) throws IOException {
    String kept = "";
    try (InputStream stream = ExperimentGoldenTest.class.getResourceAsStream("golden/" + name)) {
      kept = stream == null ? "" : new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    }
    if (!kept.equals(text)) {
      Path found = Path.of(System.getProperty("java.io.tmpdir"), "experiments");
      Files.createDirectories(found);
      Files.writeString(found.resolve(name), text);
    }
    assertEquals(kept, text, name);
  }
}
