package dev.pinion.core.engine;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.pinion.core.engine.TracedProcess.Call;
import dev.pinion.core.engine.TracedProcess.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * An engine that is killed by strace at each force, write, rename and delete of a fixed scenario of
 * twenty instances: ten in a new directory, ten in one that was used and closed before. Everything
 * acknowledged exists afterwards.
 *
 * <p>The anchor is written as mapped memory, which is no system call; {@code CrashSweepTest} stops
 * at those writes too. Strace counts the calls of each thread on each file separately, and kills at
 * the first thread that reaches the number; the run prints how many were reached.
 */
@EnabledOnOs(OS.LINUX)
@Tag("long")
class SyscallCrashTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int HALF = 10;
  private static final int INSTANCES = 2 * HALF;

  /** Least part of the system calls of an undisturbed run that must be killed at. */
  private static final double LEAST_REACHED = 0.9;

  /** Exit status of a process that was killed. */
  private static final int KILLED = 128 + 9;

  @TempDir private Path folder;

  private final Map<String, Integer> kills = new TreeMap<>();

  private int reached;
  private int all;

  @BeforeEach
  void checkTools() throws InterruptedException {
    assumeTrue(TracedProcess.isPossible(), "nothing is killed: this machine has no strace");
  }

  @Test
  void shouldLoseNothingWhereverItIsKilled() throws Exception {
    sweep(Files.createDirectory(folder.resolve("none")), 1, HALF);
    Path used = Files.createDirectory(folder.resolve("used"));
    Run complete = TracedProcess.run(used, 1, HALF, null);
    assertEquals(0, complete.status(), complete::toString);
    sweep(used, HALF + 1, INSTANCES);

    int total = kills.values().stream().mapToInt(Integer::intValue).sum();
    System.out.printf(
        "%d kills %s, %d of %d different calls reached; nothing lost%n",
        total, kills, reached, all);
    assertTrue(reached >= LEAST_REACHED * all, reached + " reached of " + all);
  }

  /** Kills the scenario at each of its file system calls, on a copy of a directory. */
  private void sweep(Path original, int first, int last) throws Exception {
    Path data = folder.resolve("data");
    copy(original, data);
    Run complete = TracedProcess.run(data, first, last, null);
    assertEquals(0, complete.status(), complete::toString);
    Set<Call> different = new LinkedHashSet<>();
    for (Call call : complete.calls()) {
      if (call.file().startsWith(data)) {
        different.add(call);
      }
    }
    all += different.size();
    for (Call victim : different) {
      copy(original, data);
      killAndCheck(data, first, last, victim);
    }
    System.out.printf("from %d on: %s%n", first, kills);
  }

  private void killAndCheck(Path data, int first, int last, Call victim) throws Exception {
    Run run = TracedProcess.run(data, first, last, victim);
    if (run.said().contains("closed") && run.status() == 0) {
      return; // no thread made that many this time
    }
    assertEquals(KILLED, run.status(), () -> victim + ": " + run);
    assertTrue(run.calls().contains(victim), () -> "killed elsewhere than at " + victim + run);
    kills.merge(victim.name(), 1, Integer::sum);
    reached++;
    try {
      check(data, last, run.said());
    } catch (IOException | RuntimeException | AssertionError e) {
      throw new AssertionError("killed at " + victim + " after " + run, e);
    }
  }

  /** Everything acknowledged exists; starts that are repeated or made now complete it. */
  private static void check(Path data, int last, List<String> said) throws IOException {
    Queue<IOException> failures = new ConcurrentLinkedQueue<>();
    try (Engine engine = CrashScenario.open(data, failures::add)) {
      int deployed = CrashScenario.deploy(engine);
      assertTrue(!said.contains("deployed") || deployed == 200, "the definition was acknowledged");
      Set<String> ids = new HashSet<>();
      for (int i = 1; i <= last; i++) {
        String id = CrashScenario.start(engine, i);
        int number = i;
        String started = "started " + number + " ";
        said.stream()
            .filter(line -> line.startsWith(started))
            .forEach(line -> assertEquals(started + id, line));
        assertTrue(ids.add(id), "its own instance");
        await()
            .atMost(PATIENCE)
            .pollDelay(Duration.ZERO)
            .pollInterval(Duration.ofMillis(5))
            .until(() -> CrashScenario.show(engine, id).contains("\"state\":\"COMPLETED\""));
        String shown = CrashScenario.show(engine, id);
        assertTrue(shown.contains("{\"answer\":" + (number + 1) + "}"), shown);
      }
    }
    assertEquals(List.of(), List.copyOf(failures), "failures of the journal");
  }

  /** Copies a directory; makes none when there is none. */
  private static void copy(Path original, Path copy) throws IOException {
    delete(copy);
    if (Files.exists(original)) {
      try (Stream<Path> files = Files.walk(original)) {
        for (Path file : files.toList()) {
          Files.copy(file, copy.resolve(original.relativize(file)));
        }
      }
    }
  }

  private static void delete(Path directory) throws IOException {
    if (Files.exists(directory)) {
      try (Stream<Path> files = Files.walk(directory)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }
}
