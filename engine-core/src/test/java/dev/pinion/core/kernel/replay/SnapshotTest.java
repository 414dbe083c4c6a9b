package dev.pinion.core.kernel.replay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.graph.ProcessGraph;
import dev.pinion.core.journal.JournalRecord;
import dev.pinion.core.journal.SnapshotEntry;
import dev.pinion.core.kernel.HttpCalls;
import dev.pinion.core.kernel.Kernel;
import dev.pinion.core.kernel.KernelHarness;
import dev.pinion.core.kernel.RandomGraph;
import dev.pinion.core.kernel.Tasks;
import dev.pinion.core.kernel.step.Digest;
import dev.pinion.core.kernel.step.Instance;
import dev.pinion.core.kernel.step.codec.RecoveryException;
import dev.pinion.core.language.CompilationResult;
import dev.pinion.core.language.WorkflowCompiler;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.message.Effect;
import dev.pinion.core.message.Event;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.call.CallOutcome;
import dev.pinion.core.model.instance.InstanceState;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Kernels that continue from a snapshot and the records after it behave like the original. */
class SnapshotTest {
  private static final RecoveredKernel.Before NOTHING = (recovery, kernel, record) -> {};

  /** Ended instances that are kept: more than any case has. */
  private static final int MOST_ENDED = 100_000;

  /** Most bytes of an instance that waits for a timer, with an input of 100 bytes. */
  private static final int MOST_BYTES_OF_ONE_THAT_WAITS = 300;

  @RegisterExtension final KernelHarness harness = new KernelHarness();

  // coverage of all random cases together, so that a generator gone dull is noticed
  private int inTheMiddleOfTheirWork;
  private int evaluationsUnderWay;
  private int callsUnderWay;
  private int children;
  private int pendingChildren;
  private int restored;
  private int recordsMeanwhile;
  private int endedMeanwhile;
  private int startedMeanwhile;

  @Test
  void shouldCountDeliveriesOfACallAcrossSnapshots() {
    InstanceId id = harness.start(Tasks.graph(Tasks.call("a")));
    Effect.Invoke before = harness.call("a");
    RecoveredKernel second = recover(TakenSnapshot.of(harness.kernel()), 1);
    RecoveredKernel fourth = recover(second.snapshot(), 2);

    Effect.Invoke again = fourth.calls().getFirst();

    assertEquals(before.attempt(), again.attempt());
    assertEquals(List.of("\"" + id + "-t0\"", "4"), identity(again));
    fourth.answer(again, Payload.of(2));
    assertEquals(InstanceState.COMPLETED, fourth.view(id).state());
  }

  private static List<String> identity(Effect.Invoke invoke) {
    return HttpCalls.of(invoke).headers().stream().map(field -> field.value()).toList();
  }

  private RecoveredKernel recover(TakenSnapshot snapshot, int openings) {
    return new RecoveredKernel(harness, snapshot, List.of(), NOTHING, openings);
  }

  @Test
  void shouldKeepDeadlines() {
    InstanceId id = harness.start(Tasks.graph(Tasks.pause("nap", Duration.ofSeconds(10))));
    harness.advance(Duration.ofSeconds(4));
    RecoveredKernel recovered = recover(TakenSnapshot.of(harness.kernel()), 1);

    recovered.advance(Duration.ofMillis(5_990));
    assertEquals(InstanceState.WAITING, recovered.view(id).state());
    recovered.advance(Duration.ofMillis(15));
    assertEquals(InstanceState.COMPLETED, recovered.view(id).state());
  }

  @Test
  void shouldKnowInstancesThatHadEndedAndGiveNoIdAgain() {
    InstanceId id = harness.start(Tasks.graph(Tasks.call("a")));
    harness.answer("a", Payload.of("done"));

    RecoveredKernel recovered = recover(TakenSnapshot.of(harness.kernel()), 1);

    assertEquals(harness.view(id), recovered.view(id));
    assertTrue(recovered.start(harness).compareTo(id) > 0);
  }

  /** The choice of an extended switch waits until the tasks after it have ended. */
  @Test
  void shouldKeepWhereAnExtendedTaskLeadsTo() {
    InstanceId id =
        harness.start(
            compiled(
                """
                use:
                  functions: {slow: {wait: PT5S}}
                  extensions:
                    - e: {extend: switch, before: [{b: {wait: PT5S}}], after: [{a: {call: slow}}]}
                do:
                  - choose: {switch: [{one: {when: .n == 1, then: c}}]}
                  - b: {set: {by: b}, then: end}
                  - c: {set: {by: c, n: '${ .n }'}}
                """),
            Payload.object(Map.of("n", Payload.of(1))));
    harness.advance(Duration.ofSeconds(2));
    RecoveredKernel before = recover(TakenSnapshot.of(harness.kernel()), 1);
    before.advance(Duration.ofSeconds(5));
    harness.jump(Duration.ofSeconds(5)); // the next kernel begins at its time
    RecoveredKernel after = recover(before.snapshot(), 2);

    assertEquals(InstanceState.WAITING, after.view(id).state());
    after.advance(Duration.ofSeconds(6));
    assertEquals(InstanceState.COMPLETED, after.view(id).state());
    assertEquals("{\"by\":\"c\",\"n\":1}", String.valueOf(after.view(id).output()));
  }

  private static ProcessGraph compiled(String yaml) {
    String head = "document: {dsl: 1.0.3, namespace: test, name: kept, version: 1.0.0}\n";
    CompilationResult result =
        new WorkflowCompiler(EngineLimits.defaults()).compile(head + yaml, "application/yaml");
    return assertInstanceOf(CompilationResult.Compiled.class, result, result::toString).graph();
  }

  @Test
  void shouldDivideLongStates() {
    InstanceId id = harness.start(Tasks.graph(Tasks.call("a")), Payload.of("x".repeat(10_000)));
    TakenSnapshot snapshot = new TakenSnapshot().dividedInto(1_000);
    harness.kernel().snapshotNow(snapshot);

    assertTrue(snapshot.count(SnapshotEntry.PART) >= 10);
    assertEquals(InstanceState.RUNNING, recover(snapshot, 1).view(id).state());
  }

  @Test
  void shouldWriteNothingMoreOfASnapshotThatWasGivenUp() {
    harness.start(Tasks.graph(Tasks.call("a")));
    TakenSnapshot snapshot = new TakenSnapshot();
    snapshot.room = 0;
    harness.kernel().snapshot(snapshot);
    harness.settle();
    snapshot.abandoned = true;
    snapshot.room = 10;
    harness.settle();

    assertEquals(0, snapshot.entries.size());
    assertFalse(harness.kernel().hasWork());
  }

  @Test
  void shouldEndWithWhatIsDurableOnly() {
    harness.journal.waitForForce();
    harness.offerStart(0, Tasks.graph(Tasks.call("a")), Payload.NULL, false);
    harness.settle();
    TakenSnapshot snapshot = new TakenSnapshot();
    harness.kernel().snapshot(snapshot);
    harness.settle();
    assertFalse(snapshot.isComplete());

    harness.journal.forceAtOnce();
    harness.settle();
    assertTrue(snapshot.isComplete());
  }

  @Test
  void shouldRefuseAnUnknownInstanceBehindTheSnapshot() {
    harness.start(Tasks.graph(Tasks.call("a"), Tasks.call("b")));
    harness.answer("a", Payload.of(1));
    List<JournalRecord> answer = harness.journal.entries().subList(1, 2);
    TakenSnapshot none = new TakenSnapshot();

    new RecoveredKernel(harness, none, answer, NOTHING, 1); // it may have ended meanwhile
    AssertionError refusal =
        assertThrows(
            AssertionError.class,
            () ->
                new RecoveredKernel(
                    harness, none, answer, (recovery, kernel, i) -> recovery.endSnapshot(), 1));
    assertInstanceOf(RecoveryException.class, refusal.getCause());
  }

  @Test
  void shouldTakeLittleForAnInstanceThatWaits() {
    ProcessGraph graph = Tasks.graph(Tasks.pause("nap", Duration.ofHours(1)));
    int count = 1_000;
    for (int i = 0; i < count; i++) {
      harness.offerStart(0, graph, Payload.of("x".repeat(96) + i % 10), false);
    }
    harness.settle();

    TakenSnapshot snapshot = TakenSnapshot.of(harness.kernel());

    long bytes = snapshot.states().stream().mapToLong(state -> state.length).sum() / count;
    System.out.println("bytes of an instance that waits, in a snapshot: " + bytes);
    assertTrue(bytes < MOST_BYTES_OF_ONE_THAT_WAITS, "bytes: " + bytes);
  }

  @Test
  void shouldGoOnFromAnyPoint() {
    runCases(1, 200, seed -> goesOn(seed, false));

    assertTrue(restored > 100, "restored: " + restored);
    assertTrue(inTheMiddleOfTheirWork > 10, "in the middle: " + inTheMiddleOfTheirWork);
    assertTrue(callsUnderWay > 50, "calls: " + callsUnderWay);
    assertTrue(evaluationsUnderWay > 20, "evaluations: " + evaluationsUnderWay);
    assertTrue(children > 50, "children: " + children);
    assertTrue(pendingChildren > 1, "on their way to or from children: " + pendingChildren);
  }

  @Test
  void shouldGoOnFromAnyPointOfProcessesThatCompensate() {
    runCases(300_000, 200, seed -> goesOn(seed, true));
    assertTrue(restored > 100, "restored: " + restored);
  }

  @Test
  @Tag("long")
  void shouldGoOnFromAnyPointOfMany() {
    runCases(7_000_000, 10_000, seed -> goesOn(seed, false));
    runCases(9_000_000, 10_000, seed -> goesOn(seed, true));
  }

  @Test
  void shouldWriteSnapshotsWhileInstancesGoOn() {
    runCases(1, 200, seed -> goesOnFromWhatWasWrittenMeanwhile(seed, MOST_ENDED));

    assertTrue(recordsMeanwhile > 100, "records meanwhile: " + recordsMeanwhile);
    assertTrue(endedMeanwhile > 20, "ended meanwhile: " + endedMeanwhile);
    assertTrue(startedMeanwhile > 50, "started meanwhile: " + startedMeanwhile);
  }

  @Test
  void shouldForgetInstancesMeanwhile() {
    runCases(50_000, 100, seed -> goesOnFromWhatWasWrittenMeanwhile(seed, 0));
  }

  @Test
  @Tag("long")
  void shouldWriteManySnapshotsWhileInstancesGoOn() {
    runCases(8_000_000, 10_000, seed -> goesOnFromWhatWasWrittenMeanwhile(seed, MOST_ENDED));
  }

  private interface Case {
    void run(long seed);
  }

  private static void runCases(long firstSeed, int cases, Case each) {
    for (long seed = firstSeed; seed < firstSeed + cases; seed++) {
      try {
        each.run(seed);
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
      }
    }
  }

  private static KernelHarness harness(Random random, int maxEnded) {
    Map<String, Integer> limits = new HashMap<>();
    limits.put("instance.maxSteps", 50 + random.nextInt(400));
    limits.put("instance.maxEvents", 10 + random.nextInt(200));
    limits.put("kernel.maxHeldBytes", 8_192 + random.nextInt(65_536));
    limits.put("kernel.stepsPerTurn", 1 + random.nextInt(20));
    limits.put("kernel.maxEnded", maxEnded);
    limits.put("kernel.maxEndedBytes", Integer.MAX_VALUE);
    return new KernelHarness(limits);
  }

  private void goesOn(long seed, boolean compensates) {
    Random random = new Random(seed);
    KernelHarness original = harness(random, MOST_ENDED);
    ProcessGraph graph = RandomGraph.of(random, original, compensates);
    start(original, random, graph, 1 + random.nextInt(3));
    moves(original, random, random.nextInt(12));

    inTheMiddleOfTheirWork += original.kernel().hasWork() ? 1 : 0;
    callsUnderWay += original.calls.size();
    children += original.journal.children();
    evaluationsUnderWay += original.evaluations.size();
    TakenSnapshot snapshot = TakenSnapshot.of(original.kernel());
    restored += snapshot.running();
    pendingChildren += snapshot.count(SnapshotEntry.CHILD);
    int at = original.journal.entries().size();
    moves(original, random, random.nextInt(30));
    original.settle();
    List<JournalRecord> records = original.journal.entries();

    RecoveredKernel recovered =
        new RecoveredKernel(
            original,
            snapshot,
            records.subList(at, records.size()),
            (recovery, kernel, i) -> assertState(original, recovery, kernel, at + i),
            1);

    recovered.assertLike(original);
    original.finish();
  }

  /** Checks that the state is that at the time of the record. */
  private static void assertState(
      KernelHarness original, Recovery recovery, Kernel kernel, int record) {
    JournalRecord entry = original.journal.entries().get(record);
    Instance instance = kernel.instances().running(entry.id());
    if (instance != null
        && !(entry.event() instanceof Event.Started)
        && !(entry.event() instanceof Event.Retried)
        && !(entry.event() instanceof Event.ServiceBound)
        && !(entry.event() instanceof Event.MemoryExceeded)) {
      recovery.catchUp(instance, entry.advances());
      if (entry.event() instanceof Event.TurnsCompleted
          && original.journal.digest(record).isEmpty()) {
        return; // it had ended by then
      }
      assertEquals(original.journal.digest(record), Digest.of(instance), () -> "before " + entry);
    }
  }

  private void goesOnFromWhatWasWrittenMeanwhile(long seed, int maxEnded) {
    Random random = new Random(seed);
    KernelHarness original = harness(random, maxEnded);
    ProcessGraph graph = RandomGraph.of(random, original);
    boolean waits = random.nextBoolean();
    if (waits) {
      original.journal.waitForForce();
    }
    start(original, random, graph, 3 + random.nextInt(6));
    moves(original, random, random.nextInt(12));
    int from = (int) original.journal.durable();
    TakenSnapshot snapshot = new TakenSnapshot();
    original.kernel().snapshot(snapshot);
    while (!snapshot.isComplete()) {
      snapshot.room = random.nextInt(3);
      if (random.nextInt(4) == 0) {
        start(original, random, graph, 1);
      }
      moves(original, random, 1);
    }
    int to = (int) original.journal.durable();
    moves(original, random, random.nextInt(20));
    original.journal.forceAtOnce();
    original.settle();
    List<JournalRecord> records = original.journal.entries();

    RecoveredKernel recovered =
        new RecoveredKernel(
            original,
            snapshot,
            records.subList(from, records.size()),
            (recovery, kernel, i) -> {
              if (from + i == to) {
                recovery.endSnapshot();
              }
            },
            1);

    count(snapshot, records.subList(from, to));
    if (maxEnded > 0) {
      recovered.assertLike(original);
    } else {
      recovered.assertLikeUnderWay(original);
    }
    if (waits) {
      original.journal.withoutComparison(); // a replay makes calls that were withdrawn in time
    }
    original.finish();
  }

  private void count(TakenSnapshot snapshot, List<JournalRecord> meanwhile) {
    recordsMeanwhile += meanwhile.size();
    endedMeanwhile += snapshot.ended();
    startedMeanwhile +=
        (int) meanwhile.stream().filter(r -> r.event() instanceof Event.Started).count();
  }

  private static void start(KernelHarness harness, Random random, ProcessGraph graph, int count) {
    for (int i = 0; i < count; i++) {
      harness.offerStart(0, graph, Payload.of(random.nextInt(10)), false);
    }
    harness.cycle();
  }

  private static void moves(KernelHarness harness, Random random, int count) {
    for (int i = 0; i < count; i++) {
      move(harness, random);
    }
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
    } else if (what < 70 && !harness.evaluations.isEmpty()) {
      harness.evaluate(harness.evaluations.get(random.nextInt(harness.evaluations.size())));
    } else if (what < 90) {
      harness.settle(); // timers of a replay count from the last event, not from a later turn
      harness.jump(Duration.ofMillis(random.nextInt(3_000)));
    } else if (what < 92 && !harness.journal.running().isEmpty()) {
      List<InstanceId> running = harness.journal.running();
      harness.offerCancel(running.get(random.nextInt(running.size())));
    } else if (what < 95) {
      harness.journal.running().forEach(harness::offerSuspendOrResume);
    } else {
      harness.offerRetry(random);
    }
    if (random.nextInt(3) == 0) {
      harness.journal.force();
    }
    harness.cycle();
  }
}
