package dev.pinion.benchmarks.experiments.sosoa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.benchmarks.experiments.sosoa.QueueingNetwork.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class QueueingNetworkTest {
  private static final long SEED = 11;

  @Test
  void shouldBeBoundByItsCpusWhenSaturated() {
    // four CPUs, an instance is 12 steps: 1,000 × 4 / 12
    Outcome outcome = run(List.of(List.of(0, 0, 0, 0)), 3, 200);

    assertEquals(333.3, outcome.throughput(), 7, "seed " + SEED);
    assertEquals(QueueingNetwork.STEPS, outcome.stepTime(), 0.2);
    assertEquals(0, outcome.moved());
  }

  @Test
  void shouldBeBoundByCallsWithOneClient() {
    // 12 steps and 6 calls of 20 steps in a row
    Outcome outcome = run(List.of(List.of(0, 0)), 1, 1);

    assertEquals(
        1_000 / (QueueingNetwork.STEPS + 6 * QueueingNetwork.CALL), outcome.throughput(), 0.3);
  }

  @Test
  void shouldGainFromReplicasOnCachesByTheFactorOnly() {
    List<List<Integer>> one = List.of(List.of(0, 0, 1, 1));
    List<List<Integer>> perCache = List.of(List.of(0, 0), List.of(1, 1));
    List<List<Integer>> interleaved = List.of(List.of(0, 1), List.of(0, 1));

    double queueingOnly = run(perCache, 1, 200).throughput() / run(one, 1, 200).throughput();
    double gain = run(perCache, 1.5, 200).throughput() / run(one, 1.5, 200).throughput();
    double wrong = run(interleaved, 1.5, 200).throughput() / run(one, 1.5, 200).throughput();

    // about half of the steps move in one replica: (1 + 1.5) / 2 = 1.25, first steps never do
    assertEquals(1, queueingOnly, 0.03, "seed " + SEED);
    assertTrue(gain > 1.18 && gain < 1.26, "gain " + gain + ", seed " + SEED);
    assertEquals(1, wrong, 0.03, "seed " + SEED);
    assertTrue(run(one, 1.5, 200).moved() > 0.4);
    assertEquals(0, run(perCache, 1.5, 200).moved());
  }

  @Test
  void shouldPayForSplittingFewClients() {
    // with as many clients as CPUs, two queues leave CPUs idle while others have work
    double one = run(List.of(List.of(0, 0, 0, 0)), 1, 24).throughput();
    double split = run(List.of(List.of(0), List.of(0), List.of(0), List.of(0)), 1, 24).throughput();

    assertTrue(split < 0.97 * one, split + " to " + one + ", seed " + SEED);
  }

  @Test
  void shouldRepeatItselfWithItsSeed() {
    assertEquals(run(List.of(List.of(0, 1)), 2, 10), run(List.of(List.of(0, 1)), 2, 10));
  }

  @Test
  void shouldRefuseWhatMakesNoSense() {
    assertThrows(IllegalArgumentException.class, () -> run(List.of(), 1, 1));
    assertThrows(IllegalArgumentException.class, () -> run(List.of(List.of()), 1, 1));
    assertThrows(IllegalArgumentException.class, () -> run(List.of(List.of(0)), 0.9, 1));
  }

  @Test
  void shouldReadACapturedMachine(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("two.tree");
    Files.writeString(
        file,
        "sys/devices/system/cpu/online\t0-1\\n\n"
            + "sys/devices/system/cpu/possible\t0-1\\n\n"
            + "sys/devices/system/cpu/cpu0/topology/core_id\t0\\n\n"
            + "sys/devices/system/cpu/cpu1/topology/core_id\t1\\n\n"
            + cache(0)
            + cache(1));

    CapturedMachine machine = CapturedMachine.read(file);

    assertEquals("two", machine.name());
    assertEquals(2, machine.topology().groups().size());
    assertThrows(IOException.class, () -> CapturedMachine.read(folder.resolve("none.tree")));
    Path empty = Files.writeString(folder.resolve("empty.tree"), "\n");
    assertThrows(IOException.class, () -> CapturedMachine.read(empty));
  }

  private static String cache(int cpu) {
    String folder = "sys/devices/system/cpu/cpu" + cpu + "/cache/index0/";
    return folder
        + "level\t3\\n\n"
        + folder
        + "type\tUnified\\n\n"
        + folder
        + "size\t8192K\\n\n"
        + folder
        + "shared_cpu_list\t"
        + cpu
        + "\\n\n";
  }

  private static Outcome run(List<List<Integer>> caches, double factor, int clients) {
    return new QueueingNetwork(caches, factor, SEED).run(clients, 20_000);
  }
}
