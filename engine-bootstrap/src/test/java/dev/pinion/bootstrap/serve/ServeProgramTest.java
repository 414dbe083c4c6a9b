package dev.pinion.bootstrap.serve;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.pinion.bootstrap.topology.CpuSet;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Real parents with real replicas, whose engine is a fake; every process is ended by its id. */
@EnabledOnOs(OS.LINUX)
class ServeProgramTest {
  private static final int HANG_UP = 1;
  private static final int INTERRUPT = 2;

  private static final Duration PATIENCE = Duration.ofSeconds(20);

  @TempDir private Path data;
  @TempDir private Path temporary;
  private final List<Served> started = new ArrayList<>();

  /**
   * A serving parent.
   *
   * @param parent its process
   * @param ready its ready line
   * @param port the port its replicas listen on
   * @param replica the first replica's process
   */
  private record Served(Process parent, JsonNode ready, int port, ProcessHandle replica) {
    List<Long> pids() {
      return ready.get("replicas").valueStream().map(each -> each.get("pid").asLong()).toList();
    }
  }

  @AfterEach
  void endWhatIsLeft() throws InterruptedException {
    for (Served each : started) {
      each.parent().destroyForcibly();
      assertTrue(each.parent().waitFor(20, TimeUnit.SECONDS));
    }
    for (Served each : started) {
      each.pids().forEach(pid -> ProcessHandle.of(pid).ifPresent(ServeProgramTest::awaitGone));
    }
  }

  @Test
  @Tag("long")
  void shouldServeTheSamePortAgainAfterItsReplicaIsKilled() throws IOException {
    // given
    Served served = serve("25", "busy");
    assertEquals(served.replica().pid(), answer(served.port()));

    // when
    served.replica().destroyForcibly();

    // then
    await()
        .atMost(PATIENCE)
        .ignoreExceptions()
        .untilAsserted(() -> assertNotEquals(served.replica().pid(), answer(served.port())));
    ProcessHandle second = ProcessHandle.of(answer(served.port())).orElseThrow();
    assertTrue(served.parent().isAlive());
    served.parent().destroyForcibly();
    awaitGone(second);
  }

  @Tag("long")
  @Test
  void shouldLeaveNoReplicaBehindWhenKilled() throws IOException {
    Served served = serve("25", "busy");

    served.parent().destroyForcibly();

    awaitGone(served.replica());
  }

  @Test
  @Tag("long")
  void shouldLeaveNoReplicaBehindWhenStoppedThenKilled() throws Exception {
    // given
    Served served = serve("25", "busy");
    signal("STOP", served.parent().pid());

    // when
    signal("KILL", served.parent().pid());

    // then
    awaitGone(served.replica());
  }

  @Test
  @Tag("long")
  void shouldKillAndRestartReplicaThatStandsStill() throws Exception {
    Served served = serve("25", "");

    signal("STOP", served.replica().pid());

    awaitGone(served.replica());
    await()
        .atMost(PATIENCE)
        .ignoreExceptions()
        .untilAsserted(() -> assertNotEquals(served.replica().pid(), answer(served.port())));
    assertTrue(Files.readString(onlyReport()).contains("status 137 (signal 9)"));
  }

  @Tag("long")
  @Test
  void shouldKeepReplicaThatIsWellWhileItStandsStillItself() throws Exception {
    // given a replica that logs more than a pipe holds on each connection
    Served served = serve("25", "chatty");

    // when the parent stands still for longer than a replica may be silent
    signal("STOP", served.parent().pid());
    long until = System.nanoTime() + Duration.ofSeconds(6).toNanos();
    await()
        .atMost(PATIENCE)
        .until(
            () -> answer(served.port()) == served.replica().pid() && System.nanoTime() - until > 0);
    signal("CONT", served.parent().pid());

    // then it continues with the same replica
    await().atMost(PATIENCE).until(() -> admin(served, "GET", "/readyz").statusCode() == 200);
    assertTrue(served.replica().isAlive());
    JsonNode replica = json(admin(served, "GET", "/admin/v1/replicas")).at("/replicas/0");
    assertEquals(served.replica().pid(), replica.get("pid").asLong());
  }

  // Field fault 20
  @Test
  @Tag("long")
  void shouldSuperviseAndEndWhileNobodyReadsItsLog() throws Exception {
    // given a parent whose log is a full pipe
    Served served = serve("25", "chatty", "1", Redirect.PIPE);
    for (int i = 0; i < 8; i++) {
      answer(served.port());
    }
    awaitMetric(served, "pinion_log_lines_lost_total [1-9]");

    // when its replica is killed
    signal("KILL", served.replica().pid());

    // then another one serves
    await()
        .atMost(PATIENCE)
        .ignoreExceptions()
        .untilAsserted(() -> assertNotEquals(served.replica().pid(), answer(served.port())));
    // and the loss is reported when reading resumes
    BufferedReader log = served.parent().errorReader(StandardCharsets.UTF_8);
    await()
        .atMost(PATIENCE)
        .until(() -> log.readLine().matches(".*\\d+ lines? of the log w.* lost.*"));
    // and it ends while nothing reads
    for (int i = 0; i < 8; i++) {
      answer(served.port());
    }
    signal("TERM", served.parent().pid());
    assertTrue(served.parent().waitFor(20, TimeUnit.SECONDS));
    assertEquals(0, served.parent().exitValue());
  }

  // Field fault 19
  @Tag("long")
  @Test
  void shouldEndWhenItsDataFolderIsAnotherOne() throws Exception {
    // given a busy engine whose folder is replaced by an empty one, as when a volume is unmounted
    Served served = serve("600", "endless", "1", Redirect.to(chatter().toFile()));
    await()
        .atMost(PATIENCE)
        .until(
            () -> json(admin(served, "GET", "/admin/v1/history")).get("lagRecords").asLong() >= 0);
    String identity = Files.readString(data.resolve("identity"));
    Files.move(data, temporary.resolve("unmounted"));
    Files.createDirectory(data);

    // then
    assertTrue(served.parent().waitFor(20, TimeUnit.SECONDS));
    assertEquals(1, served.parent().exitValue());
    String log = Files.readString(chatter());
    assertTrue(log.contains("expected data folder "), log);
    assertTrue(log.contains("found a folder without an identity"), log);
    assertEquals(List.of(), list(data), "nothing is made anew");
    assertEquals(identity, Files.readString(temporary.resolve("unmounted/identity")));
  }

  // Field fault 19
  @Test
  void shouldRefuseFolderThatHoldsForeignFiles() throws Exception {
    Files.createFile(data.resolve("NOT-MOUNTED"));

    Process parent = parent("25", "", "1", Redirect.to(chatter().toFile()));

    assertTrue(parent.waitFor(20, TimeUnit.SECONDS));
    assertEquals(1, parent.exitValue());
    assertTrue(Files.readString(chatter()).contains("holds NOT-MOUNTED"));
    assertEquals(List.of(data.resolve("NOT-MOUNTED")), list(data));
  }

  // Field fault 23
  @Test
  @Tag("long")
  void shouldEndInOrderOnHangUpHoweverOften() throws Exception {
    assumeFalse(ignores(HANG_UP), "whoever began these tests ignores hang-ups, as nohup does");
    // given a terminal that closes: all processes are hung up, the parent twice
    Served served = serve("1", "endless");
    signal("HUP", served.replica().pid());
    signal("HUP", served.parent().pid());
    signal("HUP", served.parent().pid());

    // then work under way has its time
    assertFalse(served.parent().waitFor(300, TimeUnit.MILLISECONDS));
    assertTrue(served.parent().waitFor(20, TimeUnit.SECONDS));
    assertEquals(0, served.parent().exitValue());
    assertEquals(List.of(), list(data.resolve("crash")));
  }

  // Field fault 23: nohup
  @Test
  void shouldGoOnAfterHangUpWhereThatIsIgnored() throws Exception {
    Served served = serveBelow(List.of("sh", "-c", "trap '' HUP; exec \"$@\"", "sh"));

    signal("HUP", served.parent().pid());
    signal("HUP", served.replica().pid());

    assertEquals(served.replica().pid(), answer(served.port()));
    assertEquals(200, admin(served, "GET", "/livez").statusCode());
    assertEquals(List.of(), eventsOf(served, "stopping"));
  }

  // Field fault 23
  @Test
  void shouldKillReplicaThatIsStoppedWithItsParent() throws Exception {
    // given a replica that cannot read the end of its parent
    Served served = serve("25", "");
    signal("STOP", served.replica().pid());

    served.parent().destroyForcibly();

    awaitGone(served.replica());
  }

  // Field fault 23
  @Tag("long")
  @ParameterizedTest
  @ValueSource(ints = {3, 4})
  void shouldLeaveNobodyBehindWhenKilledWhileItForks(int child) throws Exception {
    // given a parent that is killed at the moment its nth child appears
    Process parent = parent("25", "busy", "1", Redirect.DISCARD);
    Set<ProcessHandle> children = new HashSet<>();
    await()
        .atMost(PATIENCE)
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(1))
        .until(
            () -> {
              parent.descendants().forEach(children::add);
              return children.size() >= child;
            });

    // when
    parent.destroyForcibly();

    // then
    children.forEach(ServeProgramTest::awaitGone);
    await()
        .atMost(PATIENCE)
        .until(
            () ->
                ProcessHandle.allProcesses()
                    .map(each -> each.info().commandLine().orElse(""))
                    .noneMatch(line -> line.contains(data.toString())));
  }

  private static List<String> eventsOf(Served served, String kind) throws Exception {
    return json(admin(served, "GET", "/admin/v1/events"))
        .get("events")
        .valueStream()
        .filter(each -> each.get("kind").asText().equals(kind))
        .map(each -> each.get("text").asText())
        .toList();
  }

  private static void awaitMetric(Served served, String pattern) {
    Pattern expected = Pattern.compile("^" + pattern, Pattern.MULTILINE);
    await()
        .atMost(PATIENCE)
        .until(() -> expected.matcher(admin(served, "GET", "/metrics").body()).find());
  }

  @Test
  void shouldKeepTheLastLinesOfReplicaThatDied() throws Exception {
    Served served = serve("25", "chatty");
    answer(served.port());
    await() // connections that a replica has not passed on end with it
        .atMost(PATIENCE)
        .until(() -> Files.readString(chatter()).contains("a long story xxx"));
    signal("KILL", served.replica().pid());

    await()
        .atMost(PATIENCE)
        .ignoreExceptions()
        .untilAsserted(
            () -> {
              String report = Files.readString(onlyReport());
              assertTrue(report.contains("process: " + served.replica().pid() + "\n"), report);
              assertTrue(report.contains("a long story xxx"), report);
            });
  }

  @Test
  @Tag("long")
  void shouldRestartReplicasOneAtATimeBehindOnePort() throws Exception {
    // given
    Served served = serve("25", "", "2");
    List<Long> before = served.pids();
    assertEquals(2, before.size());
    assertTrue(before.contains(answer(served.port())));

    // when
    assertEquals(202, admin(served, "POST", "/admin/v1/replicas/restart").statusCode());

    // then
    await()
        .atMost(PATIENCE)
        .until(
            () ->
                json(admin(served, "GET", "/admin/v1/replicas/restart"))
                    .get("state")
                    .asText()
                    .equals("done"));
    JsonNode after = json(admin(served, "GET", "/admin/v1/replicas")).get("replicas");
    for (JsonNode replica : after) {
      assertEquals("READY", replica.get("state").asText());
      assertFalse(before.contains(replica.get("pid").asLong()));
    }
    assertFalse(before.contains(answer(served.port())));
    signal("TERM", served.parent().pid());
    assertTrue(served.parent().waitFor(20, TimeUnit.SECONDS));
  }

  @Test
  @Tag("long")
  void shouldLeaveNoneOfSeveralReplicasBehindWhenStoppedThenKilled() throws Exception {
    Served served = serve("25", "busy", "2");
    signal("STOP", served.parent().pid());

    signal("KILL", served.parent().pid());

    served.pids().forEach(pid -> ProcessHandle.of(pid).ifPresent(ServeProgramTest::awaitGone));
  }

  @Test
  void shouldEndInOrderOnTerminate() throws Exception {
    Served served = serve("25", "");
    assertEquals(1, list(temporary).size(), "a folder for sockets while it runs");

    signal("TERM", served.parent().pid());

    assertTrue(served.parent().waitFor(20, TimeUnit.SECONDS));
    assertEquals(0, served.parent().exitValue());
    assertFalse(served.replica().isAlive());
    assertEquals(List.of(), list(temporary));
    assertEquals(List.of(), list(data.resolve("crash")));
  }

  @Tag("long")
  @Test
  void shouldEndInOrderOnInterruptOfWholeGroup() throws Exception {
    assumeFalse(
        ignores(INTERRUPT),
        "whoever began these tests ignores interrupts, as shells do for what runs in the"
            + " background, and so do all processes begun by it");
    Served served = serve("25", "");

    signal("INT", served.replica().pid());
    assertEquals(served.replica().pid(), answer(served.port()), "a replica ignores interrupts");
    signal("INT", served.parent().pid());

    assertTrue(served.parent().waitFor(20, TimeUnit.SECONDS));
    assertEquals(0, served.parent().exitValue());
    assertFalse(served.replica().isAlive());
  }

  /** The mask of ignored signals has a bit for each, from signal 1 on. */
  private static boolean ignores(int signal) throws IOException {
    Path status = Path.of("/proc/self/status");
    if (!Files.exists(status)) {
      return false;
    }
    return Files.readAllLines(status).stream()
        .filter(line -> line.startsWith("SigIgn:"))
        .map(line -> Long.parseUnsignedLong(line.substring("SigIgn:".length()).strip(), 16))
        .anyMatch(mask -> (mask & (1L << (signal - 1))) != 0);
  }

  @Test
  void shouldAbandonWhatIsUnderWayAfterShutdownTimeout() throws Exception {
    Served served = serve("1", "endless");

    signal("TERM", served.parent().pid());

    assertTrue(served.parent().waitFor(20, TimeUnit.SECONDS));
    assertEquals(0, served.parent().exitValue());
    assertFalse(served.replica().isAlive());
  }

  @Test
  @Tag("long")
  void shouldNotWaitWhenTerminatedTwice() throws Exception {
    // given
    Served served = serve("600", "endless");
    signal("TERM", served.parent().pid());
    assertFalse(served.parent().waitFor(300, TimeUnit.MILLISECONDS));

    // when
    signal("TERM", served.parent().pid());

    // then
    assertTrue(served.parent().waitFor(20, TimeUnit.SECONDS));
    assertEquals(0, served.parent().exitValue());
    awaitGone(served.replica());
  }

  @Test
  void shouldRefuseDataDirectoryInUseAndNameItsHolder() throws Exception {
    // given
    Served served = serve("25", "");
    Path errors = data.resolveSibling("errors-of-second.txt");

    // when
    Process second = parent("25", "", "1", Redirect.to(errors.toFile()));

    // then
    assertTrue(second.waitFor(20, TimeUnit.SECONDS));
    assertEquals(1, second.exitValue());
    String message = Files.readString(errors);
    assertTrue(message.contains("in use by process " + served.parent().pid()), message);
  }

  @Tag("long")
  @Test
  void shouldConfineEveryThreadOfTheReplica() throws IOException {
    Served served = serve("25", "");

    Path tasks = Path.of("/proc/" + served.replica().pid() + "/task");
    String own = mask(Path.of("/proc/self/status"));
    try (var threads = Files.list(tasks)) {
      List<Path> all = threads.toList();
      assertTrue(all.size() > 5, "expected the threads of a JVM, found " + all.size());
      for (Path thread : all) {
        String mask = mask(thread.resolve("status"));
        assertTrue(CpuSet.parse(own).containsAll(CpuSet.parse(mask)), mask);
      }
    }
  }

  private static String mask(Path status) throws IOException {
    String label = "Cpus_allowed_list:";
    return Files.readAllLines(status).stream()
        .filter(line -> line.startsWith(label))
        .map(line -> line.substring(label.length()).strip())
        .findFirst()
        .orElseThrow();
  }

  private Path onlyReport() throws IOException {
    List<Path> reports = list(data.resolve("crash"));
    assertEquals(1, reports.size());
    return reports.getFirst();
  }

  private static List<Path> list(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.toList();
    }
  }

  private static HttpResponse<String> admin(Served served, String method, String path)
      throws IOException, InterruptedException {
    URI uri = URI.create(served.ready().get("admin").asText() + path);
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client.send(
          HttpRequest.newBuilder(uri).method(method, BodyPublishers.noBody()).build(),
          BodyHandlers.ofString());
    }
  }

  private static JsonNode json(HttpResponse<String> answer) throws IOException {
    return new ObjectMapper().readTree(answer.body());
  }

  private Served serve(String shutdownSeconds, String traits) throws IOException {
    return serve(shutdownSeconds, traits, "1");
  }

  private Served serve(String shutdownSeconds, String traits, String replicas) throws IOException {
    Redirect errors = traits.equals("chatty") ? Redirect.to(chatter().toFile()) : Redirect.INHERIT;
    return serve(shutdownSeconds, traits, replicas, errors);
  }

  private Served serve(String shutdownSeconds, String traits, String replicas, Redirect errors)
      throws IOException {
    return served(parent(shutdownSeconds, traits, replicas, errors));
  }

  /** Serves as the child of a command. */
  private Served serveBelow(List<String> words) throws IOException {
    List<String> all = new ArrayList<>(words);
    all.addAll(command("25", "", "1"));
    return served(new ProcessBuilder(all).redirectError(Redirect.INHERIT).start());
  }

  private Served served(Process parent) throws IOException {
    BufferedReader output = parent.inputReader(StandardCharsets.UTF_8);
    String line = output.readLine();
    if (line == null) {
      throw new IOException("the parent ended before it was ready");
    }
    JsonNode ready = new ObjectMapper().readTree(line);
    long pid = ready.at("/replicas/0/pid").asLong();
    Served served =
        new Served(parent, ready, ready.get("port").asInt(), ProcessHandle.of(pid).orElseThrow());
    started.add(served);
    return served;
  }

  /** Log of a talkative engine. */
  private Path chatter() {
    return temporary.resolve("chatter.log");
  }

  private Process parent(String shutdownSeconds, String traits, String replicas, Redirect errors)
      throws IOException {
    return new ProcessBuilder(command(shutdownSeconds, traits, replicas))
        .redirectError(errors)
        .start();
  }

  private List<String> command(String shutdownSeconds, String traits, String replicas)
      throws IOException {
    ServedEngine.Program program = ServedEngine.Program.packaged();
    List<String> words = new ArrayList<>(ServedEngine.java(program.classPath()));
    words.addAll(1, program.parentCache());
    words.addAll(1, List.of("-XX:-UsePerfData", "-Djava.io.tmpdir=" + temporary));
    words.addAll(
        List.of(
            "dev.pinion.bootstrap.serve.FakeServe",
            data.toString(),
            shutdownSeconds,
            traits,
            replicas));
    return words;
  }

  private static long answer(int port) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return Long.parseLong(
          new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII));
    }
  }

  private static void signal(String name, long pid) throws Exception {
    Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(pid)).start();
    assertEquals(0, kill.waitFor());
  }

  private static void awaitGone(ProcessHandle process) {
    await().atMost(PATIENCE).until(() -> !process.isAlive());
  }
}
