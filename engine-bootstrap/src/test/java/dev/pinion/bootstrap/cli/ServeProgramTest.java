package dev.pinion.bootstrap.cli;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.pinion.bootstrap.topology.CpuSet;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Real parents with real replicas, whose engine is a fake; every process is ended by its id. */
@EnabledOnOs(OS.LINUX)
class ServeProgramTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  @TempDir private Path data;
  private final List<Served> started = new ArrayList<>();

  /**
   * A parent that serves.
   *
   * @param parent its process
   * @param port the port its replica listens on
   * @param replica the replica's process
   */
  private record Served(Process parent, int port, ProcessHandle replica) {}

  @AfterEach
  void endWhatIsLeft() throws InterruptedException {
    for (Served each : started) {
      each.parent().destroyForcibly();
      assertTrue(each.parent().waitFor(20, TimeUnit.SECONDS));
    }
    for (Served each : started) {
      awaitGone(each.replica());
    }
  }

  @Test
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

  @Test
  void shouldLeaveNoReplicaBehindWhenKilled() throws IOException {
    Served served = serve("25", "busy");

    served.parent().destroyForcibly();

    awaitGone(served.replica());
  }

  @Test
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
  void shouldEndInOrderOnTerminate() throws Exception {
    Served served = serve("25", "");

    signal("TERM", served.parent().pid());

    assertTrue(served.parent().waitFor(20, TimeUnit.SECONDS));
    assertEquals(0, served.parent().exitValue());
    assertFalse(served.replica().isAlive());
  }

  @Test
  void shouldEndInOrderOnInterruptOfWholeGroup() throws Exception {
    Served served = serve("25", "");

    signal("INT", served.replica().pid());
    assertEquals(served.replica().pid(), answer(served.port()), "a replica ignores interrupts");
    signal("INT", served.parent().pid());

    assertTrue(served.parent().waitFor(20, TimeUnit.SECONDS));
    assertEquals(0, served.parent().exitValue());
    assertFalse(served.replica().isAlive());
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
    Process second = parent("25", "", Redirect.to(errors.toFile()));

    // then
    assertTrue(second.waitFor(20, TimeUnit.SECONDS));
    assertEquals(1, second.exitValue());
    String message = Files.readString(errors);
    assertTrue(message.contains("in use by process " + served.parent().pid()), message);
  }

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

  private Served serve(String shutdownSeconds, String traits) throws IOException {
    Process parent = parent(shutdownSeconds, traits, Redirect.INHERIT);
    BufferedReader output = parent.inputReader(StandardCharsets.UTF_8);
    String line = output.readLine();
    if (line == null) {
      throw new IOException("the parent ended before it was ready");
    }
    JsonNode ready = new ObjectMapper().readTree(line);
    long pid = ready.at("/replicas/0/pid").asLong();
    Served served =
        new Served(parent, ready.get("port").asInt(), ProcessHandle.of(pid).orElseThrow());
    started.add(served);
    return served;
  }

  private Process parent(String shutdownSeconds, String traits, Redirect errors)
      throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-Xmx64m",
            "-Xss512k",
            "-cp",
            System.getProperty("java.class.path"),
            "dev.pinion.bootstrap.cli.ServeFake",
            data.toString(),
            shutdownSeconds,
            traits)
        .redirectError(errors)
        .start();
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
