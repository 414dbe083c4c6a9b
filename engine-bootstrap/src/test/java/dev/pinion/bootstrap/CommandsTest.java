package dev.pinion.bootstrap;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.pinion.bootstrap.cli.ExitStatus;
import dev.pinion.bootstrap.cli.InterruptNotice;
import dev.pinion.bootstrap.cli.StubEngine;
import dev.pinion.bootstrap.settings.SettingKey;
import dev.pinion.bootstrap.topology.CpuSet;
import dev.pinion.core.limits.EngineLimits;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CommandsTest {
  private static final String VALID =
      """
      document:
        dsl: '1.0.3'
        namespace: default
        name: hello
        version: '1.0.0'
      do:
        - pause:
            wait: PT0S
      """;

  @TempDir private Path folder;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void shouldTellFilesOfServeThatCannotBeRead() {
    String none = folder.resolve("none").toString();

    assertEquals(ExitStatus.NO_INPUT, run("serve", "--config", none));
    assertEquals(ExitStatus.NO_INPUT, run("serve", "--trust", none));
    assertTrue(
        err.toString().contains("--trust: expected a file that can be read"), err.toString());
  }

  @Test
  void shouldListEveryCommandInHelp() {
    assertEquals(ExitStatus.OK, run("help"));

    for (String label : Commands.labels()) {
      assertTrue(out.toString().contains("  " + label + " "), label);
    }
  }

  @Test
  void shouldListWhatTheLauncherDispatches() throws IOException {
    // given
    Path launcher = Path.of(System.getProperty("pinion.root", ".."), "bin", "pinion");
    Matcher cases = Pattern.compile("(?m)^  ([a-z |]+)\\)$").matcher(Files.readString(launcher));

    // when
    TreeSet<String> dispatched = new TreeSet<>();
    while (cases.find()) {
      dispatched.addAll(List.of(cases.group(1).split(" \\| ", -1)));
    }

    // then
    TreeSet<String> elsewhere = new TreeSet<>();
    for (Commands command : Commands.values()) {
      if (command.commandLine() == null && command != Commands.HELP) {
        elsewhere.add(command.label());
      }
    }
    elsewhere.add("serve");
    assertEquals(elsewhere, dispatched);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "serve",
        "topology",
        "validate",
        "conformance",
        "deploy",
        "run",
        "start",
        "ps",
        "version"
      })
  void shouldExplainEachCommandWithItsExitStatuses(String command) {
    assertEquals(ExitStatus.OK, run(command, "--help"));

    assertTrue(out.toString().contains("--json"), out.toString());
    assertTrue(out.toString().contains("69 the engine cannot be reached"), out.toString());
  }

  @Test
  void shouldExplainEverySettingAndLimitOfServe() {
    run("help", "serve");

    for (SettingKey<?> settingKey : SettingKey.all()) {
      assertTrue(out.toString().contains(settingKey.option()), settingKey.option());
    }
    for (String limit : EngineLimits.defaults().values().keySet()) {
      assertTrue(out.toString().contains(limit + "="), limit);
    }
  }

  /** The text of each option and its default; the list of limits comes from elsewhere. */
  @Test
  void shouldKeepTheHelpOfServe() throws IOException {
    String expected;
    try (InputStream resource = CommandsTest.class.getResourceAsStream("serve-help.txt")) {
      expected = new String(Objects.requireNonNull(resource).readAllBytes(), UTF_8);
    }

    run("serve", "--help");

    String text = out.toString();
    assertEquals(expected, text.substring(0, text.indexOf("Limits of the engine (--set")));
  }

  @Test
  void shouldSuggestCommand() {
    assertEquals(ExitStatus.USAGE, run("toplogy"));
    assertTrue(err.toString().contains("did you mean \"topology\"?"), err.toString());
  }

  // Field fault 31: without bin/pinion the JVM may have decoded arguments with another encoding.
  @Test
  void shouldRefuseArgumentsThatTheLocaleHasSpoilt() {
    String[] spoilt = {"run", "d\ufffd\ufffdfs.yaml"};

    assertTrue(
        PinionMain.unreadable(spoilt, "ANSI_X3.4-1968")
            .orElseThrow()
            .contains("found ANSI_X3.4-1968: start with bin/pinion, or set LC_ALL=C.UTF-8"));
    assertEquals(Optional.empty(), PinionMain.unreadable(spoilt, "UTF-8"));
    assertEquals(
        Optional.empty(), PinionMain.unreadable(new String[] {"run", "defs.yaml"}, "ISO-8859-1"));
  }

  @Test
  void shouldRefuseUnknownOption() {
    assertEquals(ExitStatus.USAGE, run("version", "--colour"));
    assertTrue(err.toString().contains("--colour"), err.toString());
    assertFalse(err.toString().contains("did you mean"), err.toString());
  }

  // Field fault 30: options have suggestions like keys
  @ParameterizedTest
  @CsvSource({
    "serve --prot 80, --port",
    "serve --prot=80, --port",
    "topology --replica 2, --replicas",
    "history i_1 --limt=3, --limit"
  })
  void shouldSuggestOption(String line, String meant) {
    assertEquals(ExitStatus.USAGE, run(line.split(" ")));
    assertTrue(err.toString().contains("; did you mean \"" + meant + "\"?"), err.toString());
  }

  // Field fault 30: an address broken in two cannot be copied
  @ParameterizedTest
  @CsvSource({
    "ps, http://127.0.0.1:8080.",
    "serve, jdbc:postgresql://host/database,",
    "serve, nats://127.0.0.1:4222;",
    "serve, https://engine.example:"
  })
  void shouldKeepAddressesOfHelpOnOneLine(String command, String address) {
    assertEquals(ExitStatus.OK, run(command, "--help"));
    assertTrue(out.toString().contains(address), out.toString());
    assertFalse(out.toString().matches("(?s).*[\u13a0-\u13a6].*"), out.toString());
  }

  @Test
  void shouldRefuseSettingsThatMakeNoSense() {
    assertEquals(ExitStatus.USAGE, run("serve", "--host", "10.1.2.3", "--port", "x"));
    assertTrue(err.toString().contains("expected a loopback address"), err.toString());
    assertTrue(err.toString().contains("--port: expected a number"), err.toString());
  }

  @Test
  void shouldTellVersion() throws IOException {
    assertEquals(ExitStatus.OK, run("version", "--json"));

    String version = json().get("version").asText();
    assertFalse(version.contains("$") || version.equals("unknown"), version);
  }

  @Test
  void shouldDrawThisMachine() {
    assertEquals(ExitStatus.OK, run("topology"));
    assertTrue(out.toString().contains("Plan: "), out.toString());
  }

  @Test
  void shouldDrawCapturedMachine() throws IOException {
    // given
    Files.createDirectories(folder.resolve("sys/devices/system/cpu/cpu0/topology"));
    Files.writeString(folder.resolve("sys/devices/system/cpu/online"), "0\n");
    Files.createDirectories(folder.resolve("proc/self"));

    // when
    int status =
        run(
            "topology",
            "--sys",
            folder.resolve("sys").toString(),
            "--proc",
            folder.resolve("proc").toString(),
            "--timing");

    // then
    assertEquals(ExitStatus.OK, status);
    assertTrue(err.toString().matches("the machine was read in \\d+\\.\\d ms\\R"), err.toString());
    assertTrue(out.toString().contains("[0:r0b]"), out.toString());
    assertTrue(out.toString().contains("neither cache nor package data"), out.toString());
  }

  @Test
  void shouldDrawIntoFile() throws IOException {
    Path file = folder.resolve("machine.svg");

    assertEquals(ExitStatus.OK, run("topology", "--svg", file.toString()));
    assertEquals("", out.toString());
    assertTrue(Files.readString(file).contains("<svg "));
    assertEquals(ExitStatus.FAILURE, run("topology", "--svg", folder.toString()));
    assertTrue(err.toString().contains("expected a file that can be written"), err.toString());
  }

  @Test
  void shouldTakeTheSamePlacementAsServe() throws IOException {
    assertEquals(
        ExitStatus.OK,
        run(
            "topology",
            "--json",
            "--replicas",
            "1",
            "--layout",
            "fused:1",
            "--waiting",
            "yield",
            "--pinning",
            "group",
            "--heap",
            "200m",
            "--system-cpus",
            "0"));

    JsonNode replica = json().at("/plan/replicas/0");
    assertEquals("fused:1", replica.get("layout").asText());
    assertEquals("yield", replica.get("waiting").asText());
    assertFalse(replica.get("pinned").asBoolean());
    assertEquals(200L << 20, replica.get("heapBytes").asLong());
    assertEquals(ExitStatus.USAGE, run("topology", "--replicas", "many"));
    assertTrue(err.toString().contains("--replicas: expected auto, a number"), err.toString());
    assertEquals(ExitStatus.USAGE, run("topology", "--replicas", "99999/1"));
  }

  @Test
  void shouldTellWhatServeWouldStart() throws IOException {
    Path data = folder.resolve("data");
    String[] dry = {
      "serve", "--dry-run", "--best-effort", "--replicas", "1", "--data", data.toString()
    };

    assertEquals(ExitStatus.OK, run(dry));
    assertTrue(out.toString().contains("Plan: 1 replica"), out.toString());
    assertTrue(out.toString().contains("  further processes: history\n"), out.toString());
    assertFalse(out.toString().contains("ReplicaMain"), out.toString());
    out.getBuffer().setLength(0);
    assertEquals(
        ExitStatus.OK,
        run(Stream.concat(Stream.of(dry), Stream.of("--json")).toArray(String[]::new)));

    assertEquals(1, json().at("/plan/replicas").size());
    assertEquals(1, json().at("/commands").size());
    assertTrue(json().at("/commands/0").toString().contains("-Xmx"));
    assertTrue(json().at("/historyCommands/0").toString().contains("HistoryMain"));
    assertEquals(0, json().at("/brokerCommands").size());
    assertFalse(Files.exists(data), "nothing is written");
  }

  // Field fault 30: a plan for people; command lines on request
  @Test
  void shouldPrintCommandLinesWhenAskedForThem() {
    Path data = folder.resolve("data");

    assertEquals(
        ExitStatus.OK,
        run("serve", "--dry-run", "--verbose", "--best-effort", "--data", data.toString()));

    assertTrue(out.toString().contains("dev.pinion.bootstrap.replica.ReplicaMain"));
    assertTrue(out.toString().contains("History:"), out.toString());
    assertEquals(ExitStatus.USAGE, run("serve", "--verbose", "--data", data.toString()));
    assertTrue(err.toString().contains("expected --verbose with --dry-run"), err.toString());
  }

  @Test
  void shouldTellEveryProcessThatServeWouldStart() throws IOException {
    String[] dry = {
      "serve",
      "--dry-run",
      "--best-effort",
      "--broker",
      "on",
      "--broker-standby",
      "--history",
      "none",
      "--data",
      folder.resolve("data").toString()
    };

    assertEquals(ExitStatus.OK, run(dry));
    String text = out.toString();
    assertTrue(text.contains("  further processes: broker, standby broker\n"), text);
    out.getBuffer().setLength(0);
    assertEquals(
        ExitStatus.OK,
        run(Stream.concat(Stream.of(dry), Stream.of("--json")).toArray(String[]::new)));
    assertEquals(2, json().at("/brokerCommands").size());
    assertTrue(json().at("/brokerCommands/1").toString().contains("native-standby"));
    assertEquals(0, json().at("/historyCommands").size());
  }

  @Test
  void shouldKeepHistoryAndBrokerOffTheCpusOfEventLoops() throws IOException {
    String[] dry = {
      "serve",
      "--dry-run",
      "--json",
      "--replicas",
      "1",
      "--broker",
      "on",
      "--data",
      folder.resolve("data").toString()
    };

    assertEquals(ExitStatus.OK, run(dry));

    assumeTrue(json().at("/commands/0").toString().contains("taskset"), "needs taskset and Linux");
    List<Integer> ancillary = new ArrayList<>();
    json().at("/plan/replicas/0/ancillary").forEach(cpu -> ancillary.add(cpu.asInt()));
    String confined =
        "\"taskset\",\"-c\",\"" + CpuSet.of(ancillary.stream().mapToInt(cpu -> cpu)) + "\",";
    assertTrue(json().at("/historyCommands/0").toString().contains(confined), out.toString());
    assertTrue(json().at("/brokerCommands/0").toString().contains(confined), out.toString());
  }

  @Test
  void shouldAskForBothRootsOfACapturedMachine() {
    assertEquals(ExitStatus.USAGE, run("topology", "--sys", "/nowhere"));
  }

  @Test
  void shouldSayWhenCapturedMachineIsEmpty() {
    String nowhere = folder.toString();

    assertEquals(ExitStatus.FAILURE, run("topology", "--sys", nowhere, "--proc", nowhere));
    // Field fault 24: the message named /sys of this machine
    assertTrue(
        err.toString().contains("expected CPUs under " + nowhere + "/devices/system/cpu, found"),
        err.toString());
  }

  @Test
  void shouldValidateFiles() throws IOException {
    // given
    String good = write("good.yaml", VALID);
    String bad = write("bad.yaml", VALID.replace("wait: PT0S", "weit: PT0S"));

    // then
    assertEquals(ExitStatus.OK, run("validate", good));
    assertEquals(ExitStatus.DATA, run("validate", good, bad));
    assertTrue(err.toString().contains(bad + ":8:"), err.toString());
    assertTrue(err.toString().contains("did you mean \"wait\"?"), err.toString());
    assertEquals(ExitStatus.NO_INPUT, run("validate", folder.resolve("none.yaml").toString()));
  }

  @Test
  void shouldShowWarningsOfDefinitionsThatAreValid() throws IOException {
    String odd = write("odd.yaml", VALID.replace("wait: PT0S", "set: { a: 'Hello {{ name }}!' }"));

    assertEquals(ExitStatus.OK, run("validate", odd));
    assertTrue(out.toString().contains(odd + ": valid"), out.toString());
    assertTrue(err.toString().contains(odd + ":8:"), err.toString());
    assertTrue(err.toString().contains(": warning: expected ${ … } around"), err.toString());
    assertTrue(
        err.toString().contains("did you mean \"${ \"Hello \\(.name)!\" }\"?"), err.toString());

    out.getBuffer().setLength(0);
    assertEquals(ExitStatus.OK, run("validate", "--json", odd));
    assertTrue(json().get(0).get("valid").asBoolean());
    assertEquals(8, json().get(0).at("/warnings/0/line").asInt());
  }

  @Test
  void shouldFetchAllowedDocuments() throws IOException {
    Files.writeString(folder.resolve("f.yaml"), "set: {sum: '${ .a + .b }'}\n");
    String uri = folder.resolve("f.yaml").toUri().toString();
    String calling =
        write(
            "calling.yaml",
            VALID.replace("wait: PT0S", "call: '" + uri + "'\n      with: {a: 1, b: 2}"));

    assertEquals(ExitStatus.DATA, run("validate", calling));
    assertTrue(err.toString().contains("of --documents (none), found " + uri), err.toString());
    assertEquals(ExitStatus.OK, run("validate", "--documents", folder.toString(), calling));
    out.getBuffer().setLength(0);
    assertEquals(ExitStatus.OK, run("run", "--documents", folder.toString(), calling));
    assertEquals(new ObjectMapper().readTree("{\"sum\":3}"), json());
    assertEquals(ExitStatus.USAGE, run("validate", "--documents", "relative", calling));
    assertTrue(err.toString().contains("--documents: expected absolute paths"), err.toString());
  }

  @Test
  void shouldValidateAsJson() throws IOException {
    String bad = write("bad.yaml", VALID.replace("wait: PT0S", "weit: PT0S"));

    assertEquals(ExitStatus.DATA, run("validate", "--json", bad));

    JsonNode result = json().get(0);
    assertFalse(result.get("valid").asBoolean());
    assertEquals(8, result.at("/problems/0/line").asInt());
  }

  @Test
  void shouldRunDefinitionInThisProcess() throws IOException {
    String file = write("hello.yaml", VALID);

    int status = run("run", file, "--input", "{\"a\":[1,2]}");

    assertEquals(ExitStatus.OK, status, err.toString());
    assertEquals(new ObjectMapper().readTree("{\"a\":[1,2]}"), json());
  }

  @Test
  void shouldRunADefinitionWithThoseThatItRuns() throws IOException {
    String parent =
        write(
            "parent.yaml",
            """
            document: {dsl: 1.0.3, namespace: default, name: parent, version: 1.0.0}
            do:
              - sub:
                  run: {workflow: {namespace: default, name: hello, input: {a: 1}}}
            """);
    Path called = folder.resolve("called");
    Path deeper = Files.createDirectories(called.resolve("deeper"));
    Files.writeString(deeper.resolve("hello.yaml"), VALID);
    Files.writeString(deeper.resolve("notes.yaml"), "a: 1\n");

    assertEquals(ExitStatus.FAILURE, run("run", parent));
    assertTrue(err.toString().contains("to be deployed, found none"), err.toString());
    assertEquals(ExitStatus.OK, run("run", parent, called.toString()));
    assertEquals(new ObjectMapper().readTree("{\"a\":1}"), json());
  }

  @Test
  void shouldNameTheOtherDefinitionThatIsWrong() throws IOException {
    String good = write("good.yaml", VALID);
    String bad = write("bad.yaml", VALID.replace("wait: PT0S", "weit: PT0S"));

    assertEquals(ExitStatus.DATA, run("run", good, bad));
    assertTrue(err.toString().contains(bad + ":8:"), err.toString());
    assertEquals(ExitStatus.NO_INPUT, run("run", good, folder.resolve("none.yaml").toString()));
  }

  @Test
  void shouldShowErrorOfFaultedRun() throws IOException {
    String raise =
        """
            raise:
              error:
                type: https://example.com/errors/broken
                status: 500
                title: Broken
        """;
    String file = write("broken.yaml", VALID.replace("      wait: PT0S\n", raise.indent(2)));

    assertEquals(ExitStatus.FAILURE, run("run", file), err.toString());
    assertTrue(err.toString().startsWith("faulted: Broken"), err.toString());
    assertEquals("", out.toString());
  }

  @Test
  void shouldRefuseToRunWhatIsNoDefinitionOrNoJson() throws IOException {
    String bad = write("bad.yaml", "do: []\n");
    String good = write("good.yaml", VALID);

    assertEquals(ExitStatus.DATA, run("run", bad));
    assertEquals(ExitStatus.DATA, run("run", good, "--input", "{"));
    assertEquals(ExitStatus.NO_INPUT, run("run", good, "--input", "@/nowhere/at/all"));
  }

  @Test
  void shouldDeployFiles() throws IOException {
    String yaml = write("a.yaml", VALID);
    String json = write("b.json", "{}");
    try (StubEngine engine = new StubEngine()) {
      engine.answering(201, key()).answering(200, key());

      assertEquals(ExitStatus.OK, run("deploy", yaml, json, "--url", engine.url()));

      assertEquals("POST /v1/definitions", engine.seen().get(0).line());
      assertEquals("application/yaml", engine.seen().get(0).contentType());
      assertEquals("application/json", engine.seen().get(1).contentType());
      assertEquals(
          List.of("deployed default/hello/1.0.0", "unchanged default/hello/1.0.0"),
          out.toString().lines().toList());
    }
  }

  // Field fault 29
  // Field fault 29
  @Test
  void shouldListAndDeleteDefinitions() throws IOException {
    try (StubEngine engine = new StubEngine()) {
      engine
          .answering(200, "{\"items\":[" + key() + "]}")
          .answering(204, "")
          .answering(409, "{\"title\":\"Definition in use\",\"detail\":\"found some\"}");

      assertEquals(
          ExitStatus.OK,
          run(
              "definitions",
              "--namespace=default",
              "--version=1.0.0",
              "--prefix=h",
              "--url",
              engine.url()));
      assertTrue(out.toString().contains("default/hello/1.0.0"), out.toString());
      assertEquals(
          ExitStatus.FAILURE,
          run("undeploy", "default/hello/1.0.0", "a/b/1.0.0+x", "--url", engine.url()));
      assertEquals(
          List.of(
              "GET /v1/definitions?limit=50&namespace=default&version=1.0.0&prefix=h",
              "DELETE /v1/namespaces/default/definitions/hello/versions/1.0.0",
              "DELETE /v1/namespaces/a/definitions/b/versions/1.0.0%2Bx"),
          engine.seen().stream().map(StubEngine.Seen::line).toList());
      assertTrue(out.toString().contains("deleted default/hello/1.0.0"), out.toString());
      assertTrue(err.toString().contains("Definition in use"), err.toString());
      assertEquals(ExitStatus.USAGE, run("undeploy", "hello", "--url", engine.url()));
    }
  }

  @Test
  void shouldShowProblemsOfRefusedDeployment() throws IOException {
    String file = write("a.yaml", VALID);
    try (StubEngine engine = new StubEngine()) {
      engine.answering(
          422,
          """
          {"title":"Invalid definition","detail":"expected more","errors":[
            {"pointer":"/do","line":3,"column":4,"detail":"expected a task","suggestion":"set"}]}
          """);

      assertEquals(ExitStatus.DATA, run("deploy", file, "--url", engine.url()));
      assertTrue(
          err.toString().contains(file + ":3:4: expected a task; did you mean \"set\"?"),
          err.toString());
    }
  }

  @Test
  void shouldStartLatestOrNamedVersionAndPrintOutput() throws IOException {
    try (StubEngine engine = new StubEngine()) {
      String done = "{\"id\":\"i_1\",\"state\":\"COMPLETED\",\"output\":{\"b\":2}}";
      engine.answering(200, done).answering(200, done);

      assertEquals(
          ExitStatus.OK,
          run("start", "a b", "--input", "{\"x\":1}", "--wait", "7", "--url", engine.url()));
      assertEquals(
          ExitStatus.OK, run("start", "h/2.0.0", "--namespace", "n", "--url", engine.url()));

      assertEquals(
          "POST /v1/namespaces/default/definitions/a%20b/instances", engine.seen().get(0).line());
      assertEquals("wait=7", engine.seen().get(0).prefer());
      assertEquals("{\"input\":{\"x\":1}}", engine.seen().get(0).body());
      assertEquals(
          "POST /v1/namespaces/n/definitions/h/versions/2.0.0/instances",
          engine.seen().get(1).line());
      assertTrue(out.toString().contains("\"b\" : 2"), out.toString());
    }
  }

  @Test
  void shouldNotWaitWhenAskedNotTo() throws IOException {
    try (StubEngine engine = new StubEngine()) {
      engine.answering(202, "{\"id\":\"i_1\",\"state\":\"RUNNING\"}");

      assertEquals(ExitStatus.OK, run("start", "a", "--async", "--url", engine.url()));

      assertEquals("respond-async", engine.seen().getFirst().prefer());
      assertEquals("i_1 running", out.toString().strip());
      assertEquals(ExitStatus.USAGE, run("start", "a", "--async", "--wait", "1"));
    }
  }

  @Test
  void shouldListInstances() throws IOException {
    try (StubEngine engine = new StubEngine()) {
      String page =
          "{\"items\":[{\"id\":\"i_1\",\"definition\":"
              + key()
              + ",\"state\":\"RUNNING\",\"startedAt\":\"2026-01-01T00:00:00Z\"}],\"next\":\"c\"}";
      engine.answering(200, page).answering(200, page);

      assertEquals(
          ExitStatus.OK, run("ps", "--state", "RUNNING", "--limit", "5", "--url", engine.url()));

      assertEquals("GET /v1/instances?limit=5&state=RUNNING", engine.seen().getFirst().line());
      assertTrue(out.toString().contains("i_1       default/hello/1.0.0  RUNNING"), out.toString());
      assertTrue(out.toString().contains("There are more"), out.toString());
    }
  }

  @Test
  void shouldListChildren() throws IOException {
    try (StubEngine engine = new StubEngine()) {
      engine.answering(
          200,
          "{\"items\":[{\"id\":\"i_2\",\"definition\":"
              + key()
              + ",\"state\":\"RUNNING\",\"startedAt\":\"2026-01-01T00:00:00Z\","
              + "\"parent\":{\"id\":\"i_1\",\"task\":\"/do/0/a\"}}]}");

      assertEquals(ExitStatus.OK, run("ps", "--parent", "i_1", "--url", engine.url()));

      assertEquals("GET /v1/instances?limit=50&parent=i_1", engine.seen().getFirst().line());
      assertTrue(out.toString().contains("PARENT"), out.toString());
      assertTrue(out.toString().contains("  i_1"), out.toString());
    }
  }

  // Field fault 30
  @Test
  void shouldListErrorsOfFaultedInstances() throws IOException {
    try (StubEngine engine = new StubEngine()) {
      String error =
          "{\"type\":\"t\",\"status\":500,\"title\":\"Runtime Error\","
              + "\"detail\":\"no\\nstock\",\"instance\":\"/do/0/buy\"}";
      String item =
          "{\"id\":\"i_1\",\"definition\":"
              + key()
              + ",\"state\":\"FAULTED\",\"startedAt\":\"2026-01-01T00:00:00Z\"";
      engine
          .answering(200, "{\"items\":[" + item + "}]}")
          .answering(200, item + ",\"error\":" + error + "}")
          .answering(200, "{\"items\":[" + item + ",\"error\":" + error + "}]}");

      assertEquals(ExitStatus.OK, run("ps", "--url", engine.url()));
      assertEquals("GET /v1/instances/i_1", engine.seen().get(1).line());
      assertTrue(out.toString().contains("  no stock; Runtime Error; /do/0/buy\n"), out.toString());
      out.getBuffer().setLength(0);

      assertEquals(ExitStatus.OK, run("ps", "--past", "--url", engine.url()));
      assertEquals(3, engine.seen().size());
      assertTrue(out.toString().contains("  no stock; Runtime Error; /do/0/buy\n"), out.toString());
    }
  }

  // Field fault 30: a missing error costs its cell, not the list
  @Test
  void shouldListInstancesWhoseErrorsAreNotTold() throws IOException {
    try (StubEngine engine = new StubEngine()) {
      String rest =
          ",\"definition\":"
              + key()
              + ",\"state\":\"FAULTED\",\"startedAt\":\"2026-01-01T00:00:00Z\"";
      String first = "{\"id\":\"i_1\"" + rest;
      String second = "{\"id\":\"i_2\"" + rest;
      engine
          .answering(200, "{\"items\":[" + first + "}," + second + "}]}")
          .breakingOff()
          .answering(200, second + ",\"error\":{\"title\":\"Runtime Error\"}}");

      assertEquals(ExitStatus.OK, run("ps", "--url", engine.url()));

      List<String> lines = out.toString().lines().map(String::stripTrailing).toList();
      assertTrue(lines.get(1).endsWith("  FAULTED  2026-01-01T00:00:00Z"), out.toString());
      assertTrue(lines.get(2).endsWith("  Runtime Error"), out.toString());
    }
  }

  // Field fault 30: the most important part comes first
  @Test
  void shouldShowTheDetailOfAFailureFirst() throws IOException {
    try (StubEngine engine = new StubEngine()) {
      engine.answering(
          200,
          "{\"items\":[{\"time\":\"2026-01-01T00:00:00Z\",\"kind\":\"FAULTED\",\"error\":"
              + "{\"type\":\"https://serverlessworkflow.io/spec/1.0.0/errors/communication\",\"status\":503,\"title\":\"Communication"
              + " Error\",\"detail\":\"the shop is closed\"}}]}");

      assertEquals(ExitStatus.OK, run("history", "i_1", "--url", engine.url()));

      assertTrue(
          out.toString().contains("  the shop is closed; Communication Error\n"), out.toString());
    }
  }

  // Field fault 30: Ctrl-C leaves a clean line
  @Test
  void shouldSayThatItWasStoppedUnlessItEndedByItself() {
    InterruptNotice interruptNotice = new InterruptNotice(new PrintWriter(err));

    interruptNotice.print();
    interruptNotice.commandEnded();
    interruptNotice.print();

    assertEquals("\r\u001b[Kstopped\n", err.toString());
  }

  @Test
  void shouldTakeWhatAnEngineRefusesForWrongUsage() throws IOException {
    try (StubEngine engine = new StubEngine()) {
      engine.answering(400, "{\"title\":\"Bad Request\",\"detail\":\"expected a limit\"}");

      assertEquals(ExitStatus.USAGE, run("ps", "--limit", "0", "--url", engine.url()));

      assertTrue(err.toString().contains("expected a limit"), err.toString());
      assertEquals(ExitStatus.USAGE, run("start", "hello/", "--url", engine.url()));
      assertTrue(err.toString().contains("found \"hello/\""), err.toString());
    }
  }

  @ParameterizedTest
  @CsvSource({
    "cancel, cancellation",
    "suspend, suspension",
    "resume, resumption",
    "retry, retry",
    "rerun, rerun"
  })
  void shouldTellWhatIsWantedOfInstances(String verb, String noun) throws IOException {
    try (StubEngine engine = new StubEngine()) {
      engine
          .answering(202, "{\"id\":\"i_1\",\"state\":\"RUNNING\"}")
          .answering(409, "{\"title\":\"No\",\"detail\":\"expected another\"}")
          .answering(202, "{\"id\":\"i_3\",\"state\":\"RUNNING\"}");
      assertEquals(ExitStatus.FAILURE, run(verb, "i_1", "i_2", "i_3", "--url", engine.url()));
      assertEquals("i_1 running\ni_3 running\n", out.toString());
      assertEquals("pinion " + verb + ": No: expected another\n", err.toString());
      assertEquals(
          List.of("1", "2", "3").stream()
              .map(n -> "POST /v1/instances/i_" + n + "/" + noun)
              .toList(),
          engine.seen().stream().map(StubEngine.Seen::line).toList());
    }
    assertEquals(ExitStatus.USAGE, run(verb));
  }

  @Test
  void shouldValidateTheOtherFilesWhenOneIsMissing(@TempDir Path folder) throws IOException {
    Path invalid = Files.writeString(folder.resolve("invalid.yaml"), "do: []");

    int status = run("validate", folder.resolve("missing.yaml").toString(), invalid.toString());

    assertEquals(ExitStatus.NO_INPUT, status);
    assertTrue(err.toString().contains("missing.yaml"), err.toString());
    assertTrue(err.toString().contains("invalid.yaml:"), err.toString());
  }

  @Test
  void shouldSayWhenNoEngineAnswers() throws IOException {
    String gone;
    try (StubEngine engine = new StubEngine()) {
      gone = engine.url();
    }

    assertEquals(ExitStatus.UNAVAILABLE, run("ps", "--url", gone));
    assertTrue(err.toString().contains("no engine answers at " + gone), err.toString());
    assertEquals(ExitStatus.USAGE, run("ps", "--url", "nonsense"));
  }

  private String key() {
    return "{\"namespace\":\"default\",\"name\":\"hello\",\"version\":\"1.0.0\"}";
  }

  private String write(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text).toString();
  }

  private JsonNode json() throws IOException {
    return new ObjectMapper().readTree(out.toString());
  }

  private int run(String... args) {
    return PinionMain.run(args, new PrintWriter(out, true), new PrintWriter(err, true));
  }
}
