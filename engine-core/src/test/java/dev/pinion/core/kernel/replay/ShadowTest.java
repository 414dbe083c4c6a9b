package dev.pinion.core.kernel.replay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.binding.BindingTable;
import dev.pinion.core.graph.ProcessGraph;
import dev.pinion.core.journal.InMemoryJournal;
import dev.pinion.core.journal.JournalRecord;
import dev.pinion.core.kernel.DefinitionSources;
import dev.pinion.core.kernel.EffectLog;
import dev.pinion.core.kernel.Kernel;
import dev.pinion.core.kernel.KernelHarness;
import dev.pinion.core.kernel.MapColdStore;
import dev.pinion.core.kernel.RandomGraph;
import dev.pinion.core.kernel.RecordedEffects;
import dev.pinion.core.kernel.output.KernelOutputs;
import dev.pinion.core.kernel.step.codec.RecoveryException;
import dev.pinion.core.kernel.step.memory.KernelMemory;
import dev.pinion.core.message.Command;
import dev.pinion.core.message.Effect;
import dev.pinion.core.model.Durability;
import dev.pinion.core.model.HeapAccount;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.call.CallOutcome;
import dev.pinion.core.model.instance.HistoryEvent;
import dev.pinion.core.spi.InstanceObserver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A shadow reports of random processes, from their records alone, the same events as the kernel
 * itself. {@code -Dpinion.seed=N} runs one seed.
 */
class ShadowTest {
  private static final Comparator<HistoryEvent> ORDER =
      Comparator.comparing(HistoryEvent::id).thenComparingLong(HistoryEvent::sequence);

  private int told;
  private int aheadOfRecords;
  private int passive;
  private int children;

  @Test
  void shouldTellWhatTheKernelTold() {
    run(1, 300, false);

    assertTrue(children > 100, "children: " + children);
    assertTrue(told > 5_000, "happenings: " + told);
    assertTrue(aheadOfRecords > 20, "reported without a further record: " + aheadOfRecords);
    assertTrue(passive > 50, "records that found their instance passive: " + passive);
  }

  @Test
  void shouldTellOfCompensationsWhatTheKernelTold() {
    run(300_000, 200, true);
    assertTrue(told > 3_000, "happenings: " + told);
  }

  @Test
  @Tag("long")
  void shouldTellWhatTheKernelToldManyTimes() {
    run(7_000_000, 10_000, false);
    run(9_000_000, 10_000, true);
  }

  private void run(long firstSeed, int cases, boolean compensates) {
    Long only = Long.getLong("pinion.seed");
    long first = only == null ? firstSeed : only;
    for (long seed = first; seed < first + (only == null ? cases : 1); seed++) {
      try {
        runCase(seed, compensates);
      } catch (RecoveryException | RuntimeException | AssertionError e) {
        throw new AssertionError(
            "seed " + seed + " (-Dpinion.seed=" + seed + "): " + e.getMessage(), e);
      }
    }
  }

  private void runCase(long seed, boolean compensates) throws RecoveryException {
    Random random = new Random(seed);
    KernelHarness harness =
        new KernelHarness(
            Map.of(
                "instance.maxSteps", 50 + random.nextInt(400),
                "instance.maxEvents", 10 + random.nextInt(200),
                "kernel.maxHeldBytes", 8_192 + random.nextInt(32_768),
                "kernel.stepsPerTurn", 1 + random.nextInt(20)));
    Heard heard = new Heard();
    Recovery shadow = shadow(harness, heard, random.nextBoolean());
    ProcessGraph graph = RandomGraph.of(random, harness, compensates);
    for (int i = 1 + random.nextInt(3); i > 0; i--) {
      harness.offerStart(0, graph, Payload.of(random.nextInt(10)), false);
    }
    harness.cycle();
    int followed = 0;
    for (int moves = random.nextInt(12); moves > 0; moves--) {
      move(harness, random);
      if (random.nextBoolean()) {
        followed = follow(harness, shadow, followed, random);
      }
    }
    harness.settle();
    followed = follow(harness, shadow, followed, random);
    shadow.runImpliedTurns();
    int before = heard.events.size();
    shadow.runImpliedTurns();
    aheadOfRecords += heard.events.size() - before;
    assertSame(harness, heard);
    harness.finish();
    follow(harness, shadow, followed, random);
    shadow.runImpliedTurns();
    shadow.runImpliedTurns();
    assertSame(harness, heard);
    told += heard.events.size();
    children += harness.journal.children();
  }

  private int follow(KernelHarness harness, Recovery shadow, int from, Random random)
      throws RecoveryException {
    List<JournalRecord> records = harness.journal.entries();
    for (JournalRecord record : records.subList(from, records.size())) {
      shadow.apply(record, record.nowNanos());
      passive += shadow.passive();
    }
    if (random.nextBoolean()) {
      shadow.runImpliedTurns();
    }
    return records.size();
  }

  private static void assertSame(KernelHarness harness, Heard heard) {
    List<HistoryEvent> expected = harness.happenings.stream().sorted(ORDER).toList();
    List<HistoryEvent> found = heard.events.stream().sorted(ORDER).toList();
    assertEquals(text(expected), text(found));
    long numbers =
        found.stream().map(event -> event.id() + " " + event.sequence()).distinct().count();
    assertEquals(numbers, found.size(), "each event has a separate number");
  }

  private static String text(List<HistoryEvent> events) {
    StringBuilder text = new StringBuilder();
    events.forEach(event -> text.append(event).append('\n'));
    return text.toString();
  }

  /**
   * A shadow.
   *
   * @param tiny whether waiting instances have no room on the heap
   */
  private static Recovery shadow(KernelHarness harness, InstanceObserver observer, boolean tiny) {
    Kernel kernel =
        new Kernel(
            0,
            harness.limits,
            new DefinitionSources(harness.graphs(), () -> BindingTable.EMPTY, Durability.SYNC),
            new KernelOutputs(
                new InMemoryJournal(1), observer, new RecordedEffects(new EffectLog())),
            new KernelMemory(
                new HeapAccount(tiny ? 1 : harness.limits.kernel().maxHeldBytes()),
                new MapColdStore()),
            KernelHarness.FIRST_NANOS);
    Recovery shadow = Recovery.shadow(kernel.state());
    shadow.onJournalOpened(harness.limits);
    return shadow;
  }

  private static void move(KernelHarness harness, Random random) {
    int what = random.nextInt(100);
    if (what < 50 && !harness.calls.isEmpty()) {
      Effect.Invoke call = harness.calls.get(random.nextInt(harness.calls.size()));
      harness.report(
          call,
          random.nextInt(4) == 0
              ? new CallOutcome.Failed(KernelHarness.communication(400 + random.nextInt(200)))
              : new CallOutcome.Succeeded(Payload.of(random.nextInt(1_000))));
    } else if (what < 65 && !harness.evaluations.isEmpty()) {
      harness.evaluate(harness.evaluations.get(random.nextInt(harness.evaluations.size())));
    } else if (what < 80) {
      harness.jump(Duration.ofMillis(random.nextInt(3_000)));
    } else if (what < 85) {
      harness.offerRetry(random);
    } else if (what < 95) {
      harness.journal.running().forEach(harness::offerSuspendOrResume);
    } else {
      harness.journal.running().forEach(id -> harness.offer(0, new Command.Cancel(id, null)));
    }
    harness.cycle();
  }

  /** Observer that stores its events. */
  private static final class Heard implements InstanceObserver {
    private final List<HistoryEvent> events = new ArrayList<>();

    @Override
    public void onTaskEntered(InstanceId id, String pointer, String name) {}

    @Override
    public boolean observesAll() {
      return true;
    }

    @Override
    public void onEvent(HistoryEvent event) {
      events.add(event);
    }
  }
}
