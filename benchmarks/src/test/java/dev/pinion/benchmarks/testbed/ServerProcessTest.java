package dev.pinion.benchmarks.testbed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.benchmarks.experiment.MeasurementException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ServerProcessTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @Test
  void shouldReadWhereTheServerIsAndStopIt() throws Exception {
    ServerProcess server =
        sh("echo noise; echo '{\"ready\":\"http://127.0.0.1:7\",\"pid\":1}'; exec cat");
    long pid;
    try (server) {
      assertEquals(URI.create("http://127.0.0.1:7"), server.uri());
      Map<Long, Duration> times = server.cpu().byProcess();
      assertEquals(1, times.size());
      pid = times.keySet().iterator().next();
    }
    assertFalse(ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false));
    assertThrows(MeasurementException.class, server::cpu);
  }

  @Test
  void shouldStopTheDescendantsOfAServer() throws Exception {
    ServerProcess server =
        sh("sleep 600 & echo \"{\\\"ready\\\":\\\"http://127.0.0.1:$!\\\"}\"; wait");
    ProcessHandle child = ProcessHandle.of(server.uri().getPort()).orElseThrow();

    server.close();

    child.onExit().get(30, TimeUnit.SECONDS);
    assertFalse(child.isAlive());
  }

  @Test
  void shouldLetAServerEndItselfAlsoWhenInterrupted(@TempDir Path folder) throws Exception {
    Path tidied = folder.resolve("tidied");
    String tidy = "trap 'sleep 0.2; touch " + tidied + "; exit' TERM; ";
    ServerProcess server =
        sh(tidy + "echo '{\"ready\":\"http://127.0.0.1:7\"}'; while :; do sleep 0.05; done");

    Thread.currentThread().interrupt();
    server.close();

    assertTrue(Thread.interrupted());
    assertTrue(Files.exists(tidied));
  }

  /** A JVM that has a server and is ended by a signal, like an experiment by an operator. */
  static final class Experiment {
    private Experiment() {}

    /** Starts a server, prints the process id of its only replica, and waits for the signal. */
    public static void main(String[] args) throws Exception {
      ServerProcess server =
          sh("sleep 600 & echo \"{\\\"ready\\\":\\\"http://127.0.0.1:$!\\\"}\"; wait");
      System.out.println(server.parent().pid() + " " + server.uri().getPort());
      System.in.read();
    }
  }

  @Test
  void shouldEndTheServerOfAnExperimentThatASignalEnds() throws Exception {
    // given
    Process experiment =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Experiment.class.getName())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String[] told = experiment.inputReader().readLine().split(" ", -1);
    List<ProcessHandle> family =
        Stream.of(told).map(pid -> ProcessHandle.of(Long.parseLong(pid)).orElseThrow()).toList();

    // when
    try {
      experiment.destroy();

      // then
      for (ProcessHandle each : family) {
        each.onExit().get(30, TimeUnit.SECONDS);
      }
    } finally {
      experiment.destroyForcibly();
      family.forEach(ProcessHandle::destroyForcibly);
    }
  }

  @Test
  void shouldTellTheMemoryOfItsReplicasAndWhetherTheyRun() throws Exception {
    try (ServerProcess server =
        sh("sleep 600 & echo \"{\\\"ready\\\":\\\"http://127.0.0.1:$!\\\"}\"; wait")) {
      long pid = server.uri().getPort();
      assertTrue(server.replicaMemory() > 0);
      assertEquals(List.of(pid), server.replicas().stream().map(ProcessHandle::pid).toList());
      assertTrue(ProcFileSystem.isRunning(pid));

      server.replicas().forEach(ProcessHandle::destroyForcibly);
      ProcessHandle.of(pid).ifPresent(replica -> replica.onExit().join());

      assertFalse(ProcFileSystem.isRunning(pid));
      assertThrows(MeasurementException.class, () -> ProcFileSystem.residentBytes(Long.MAX_VALUE));
    }
  }

  @Test
  void shouldTellFlagsOfJvmsWithLongCommandLines() throws Exception {
    String ready = "echo \"{\\\"ready\\\":\\\"http://127.0.0.1:7\\\"}\"; read end";
    try (ServerProcess server =
        sh("sh -c '" + ready + "' jvm -Xmx9m $(printf %09000d 0) -XX:+UseSerialGC; exit 0")) {
      assertTrue(server.flags().contains("-Xmx9m -XX:+UseSerialGC"), server::flags);
    }
  }

  @Test
  void shouldSayThatThereIsNoReplica() throws Exception {
    try (ServerProcess server = sh("echo '{\"ready\":\"http://127.0.0.1:7\"}'; exec cat")) {
      assertThrows(MeasurementException.class, server::replicaMemory);
    }
  }

  @Test
  void shouldSayWhatAServerSaidThatDidNotStart() {
    MeasurementException failure =
        assertThrows(MeasurementException.class, () -> sh("echo no such port >&2; exit 3"));

    assertTrue(String.valueOf(failure.getMessage()).contains("no such port"), failure::getMessage);
  }

  @Test
  void shouldSayThatACommandDoesNotExist() {
    assertThrows(
        MeasurementException.class,
        () -> ServerProcess.start("server", List.of("/no/such/command"), PATIENCE));
  }

  @Test
  void shouldReadProcessorTimeFinerThanTicks() throws Exception {
    String spent = "i=0; while [ $i -lt 1000 ]; do i=$((i + 1)); done";
    try (ServerProcess server =
        sh(spent + "; echo '{\"ready\":\"http://127.0.0.1:7\"}'; exec cat")) {
      Duration used =
          server.cpu().since(new ProcessCpuTime(Map.of(server.parent().pid(), Duration.ZERO)));

      assertTrue(used.compareTo(Duration.ofMillis(1).dividedBy(10)) > 0, used::toString);
      assertTrue(used.toNanos() % Duration.ofMillis(10).toNanos() != 0, used::toString);
    }
  }

  @Test
  void shouldRefuseReadingsOfDifferentProcesses() throws Exception {
    ProcessCpuTime one = new ProcessCpuTime(Map.of(1L, Duration.ofMillis(10)));
    ProcessCpuTime later = new ProcessCpuTime(Map.of(1L, Duration.ofMillis(40)));
    ProcessCpuTime other = new ProcessCpuTime(Map.of(1L, Duration.ZERO, 2L, Duration.ZERO));

    assertEquals(Duration.ofMillis(30), later.since(one));
    assertThrows(MeasurementException.class, () -> other.since(one));
  }

  private static ServerProcess sh(String script) throws MeasurementException, InterruptedException {
    return ServerProcess.start("server", List.of("sh", "-c", script), PATIENCE);
  }
}
