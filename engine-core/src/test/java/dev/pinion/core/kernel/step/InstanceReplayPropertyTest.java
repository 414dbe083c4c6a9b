package dev.pinion.core.kernel.step;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.graph.ProcessGraph;
import dev.pinion.core.kernel.KernelHarness;
import dev.pinion.core.kernel.RandomGraph;
import dev.pinion.core.kernel.counters.KernelCounters;
import dev.pinion.core.message.Effect;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.call.CallOutcome;
import dev.pinion.core.model.instance.HistoryEvent.EventKind;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Random processes under random outcomes: in every case, replaying the journal gives the same
 * states before every event, the same effects and the same end, and nothing is left over.
 */
class InstanceReplayPropertyTest {
  private static final int MOST_MOVES = 400;

  private final KernelCounts counts = new KernelCounts();

  /** Coverage of all cases together, so that a generator gone dull is noticed. */
  private static final class KernelCounts {
    long completed;
    long faulted;
    long cancelled;
    long stale;
    long handedOver;
    long aborts;
    long compensated;
    long notCompensated;
    long interrupted;

    void add(KernelHarness harness) {
      KernelCounters counters = harness.kernel().counters();
      completed += counters.completed();
      faulted += counters.faulted();
      cancelled += counters.cancelled();
      stale += counters.stale();
      handedOver += counters.handedOver();
      aborts += harness.aborts.size();
      compensated += count(harness, EventKind.COMPENSATION_COMPLETED);
      notCompensated += count(harness, EventKind.COMPENSATION_FAILED);
      interrupted += count(harness, EventKind.COMPENSATION_CANCELLED);
    }

    private static long count(KernelHarness harness, EventKind kind) {
      return harness.happenings.stream().filter(event -> event.kind() == kind).count();
    }
  }

  @Test
  void shouldReplayRandomProcessesThatCompensate() {
    runCases(1, 500, true);

    assertTrue(counts.completed > 50, "completed: " + counts.completed);
    assertTrue(counts.faulted > 100, "faulted: " + counts.faulted);
    assertTrue(counts.compensated > 100, "compensated: " + counts.compensated);
    assertTrue(counts.notCompensated > 20, "not compensated: " + counts.notCompensated);
    assertTrue(counts.interrupted > 5, "interrupted: " + counts.interrupted);
  }

  @Test
  void shouldReplayRandomProcesses() {
    runCases(1, 300, false);

    assertTrue(counts.completed > 100, "completed: " + counts.completed);
    assertTrue(counts.faulted > 100, "faulted: " + counts.faulted);
    assertTrue(counts.cancelled > 10, "cancelled: " + counts.cancelled);
    assertTrue(counts.stale > 10, "stale: " + counts.stale);
    assertTrue(counts.handedOver > 100, "handed over: " + counts.handedOver);
    assertTrue(counts.aborts > 50, "aborts: " + counts.aborts);
  }

  @Test
  @Tag("long")
  void shouldReplayManyRandomProcesses() {
    runCases(1_000_000, 10_000, false);
    runCases(2_000_000, 10_000, true);
  }

  private void runCases(long firstSeed, int cases, boolean compensates) {
    for (long seed = firstSeed; seed < firstSeed + cases; seed++) {
      try {
        runCase(seed, compensates);
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
      }
    }
  }

  private void runCase(long seed, boolean compensates) {
    Random random = new Random(seed);
    KernelHarness harness =
        new KernelHarness(
            Map.of(
                "instance.maxSteps", 50 + random.nextInt(400),
                "instance.maxEvents", 10 + random.nextInt(200),
                "kernel.stepsPerTurn", 1 + random.nextInt(20)));
    ProcessGraph graph = RandomGraph.of(random, harness, compensates);
    for (int i = 1 + random.nextInt(3); i > 0; i--) {
      harness.offerStart(0, graph, Payload.of(random.nextInt(10)), true);
    }
    harness.cycle();
    for (int moves = 0; moves < MOST_MOVES && harness.kernel().instances().size() > 0; moves++) {
      move(harness, random);
    }
    counts.add(harness);
    harness.finish();
  }

  /** Makes one random event happen; the kernel may still be working on earlier ones. */
  private static void move(KernelHarness harness, Random random) {
    int what = random.nextInt(100);
    if (what < 45 && !harness.calls.isEmpty()) {
      Effect.Invoke call = harness.calls.get(random.nextInt(harness.calls.size()));
      harness.report(call, outcome(random));
    } else if (what < 65 && !harness.evaluations.isEmpty()) {
      harness.evaluate(harness.evaluations.get(random.nextInt(harness.evaluations.size())));
    } else if (what < 90) {
      harness.jump(Duration.ofMillis(random.nextInt(3_000)));
    } else if (what < 91) {
      for (InstanceId id : harness.journal.running()) {
        harness.offerCancel(id);
      }
    } else if (what < 94) {
      harness.journal.running().forEach(harness::offerSuspendOrResume);
    }
    harness.cycle();
  }

  private static CallOutcome outcome(Random random) {
    return random.nextInt(4) == 0
        ? new CallOutcome.Failed(KernelHarness.communication(400 + random.nextInt(200)))
        : new CallOutcome.Succeeded(Payload.of(random.nextInt(1_000)));
  }
}
