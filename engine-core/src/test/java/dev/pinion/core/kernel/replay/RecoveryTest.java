package dev.pinion.core.kernel.replay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.graph.ProcessGraph;
import dev.pinion.core.journal.JournalRecord;
import dev.pinion.core.kernel.HttpCalls;
import dev.pinion.core.kernel.KernelHarness;
import dev.pinion.core.kernel.RandomGraph;
import dev.pinion.core.kernel.Tasks;
import dev.pinion.core.kernel.step.codec.RecoveryException;
import dev.pinion.core.message.Effect;
import dev.pinion.core.message.Event;
import dev.pinion.core.message.Reply;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.call.CallOutcome;
import dev.pinion.core.model.instance.InstanceState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Recovery of a kernel from a journal: the same instances, in the same state, with the same work.
 */
class RecoveryTest {
  @RegisterExtension final KernelHarness harness = new KernelHarness();

  // coverage of all random cases together, so that a generator gone dull is noticed
  private int inTheMiddleOfTheirWork;
  private int recoveredCalls;
  private int retried;
  private int children;

  /**
   * Field fault 4: a restart begins the retention of ended instances anew, even on a late clock.
   */
  @Test
  void shouldKeepEndedInstancesOnAMachineThatHasBeenUpForLong() {
    long upSeconds = TimeUnit.NANOSECONDS.toSeconds(KernelHarness.FIRST_NANOS);
    KernelHarness brief =
        new KernelHarness(Map.of("kernel.keepEndedSeconds", Math.toIntExact(upSeconds - 1)));
    InstanceId id = brief.start(Tasks.graph(Tasks.set("s", 1)));

    RecoveredKernel recovered = new RecoveredKernel(brief, brief.journal.entries(), 1);
    assertEquals(InstanceState.COMPLETED, recovered.view(id).state());
    assertEquals(InstanceState.COMPLETED, recovered.again(brief).view(id).state());
    brief.finish();
  }

  /**
   * Found by a long run: instances that ended without a further record were all kept until the last
   * record had been read, so a long journal filled the heap at every start.
   */
  @Test
  void shouldNotKeepInstancesThatEndedUntilAllRecordsAreRead() {
    ProcessGraph graph = Tasks.graph(Tasks.pause("nap", Duration.ofMillis(2)), Tasks.set("s", 1));
    assertEquals(1, mostUnderWay(graph), "instances under way at once");
  }

  /** An instance that is bound to a service in its last turn, whose length no event shows. */
  @Test
  void shouldNotKeepInstancesWhoseLastTurnMadeARecord() {
    harness.journal.withoutComparison(); // a replay has no bindings
    harness.bind(Map.of("flights", "http://airline:8080/v2"));
    ProcessGraph graph =
        Tasks.graph(
            Tasks.pause("nap", Duration.ofMillis(2)),
            Tasks.race("race", Tasks.call("late", "svc://flights/a"), Tasks.set("s", 1)));
    assertEquals(1, mostUnderWay(graph), "instances under way at once");
  }

  /** Runs instances one after another, and counts how many a recovery has at once. */
  private long mostUnderWay(ProcessGraph graph) {
    for (int i = 0; i < 20; i++) {
      InstanceId id = harness.start(graph);
      harness.advance(Duration.ofMillis(5));
      assertEquals(InstanceState.COMPLETED, harness.view(id).state());
    }
    AtomicLong most = new AtomicLong();
    RecoveredKernel recovered =
        new RecoveredKernel(
            harness,
            null,
            harness.journal.entries(),
            (recovery, kernel, record) ->
                most.accumulateAndGet(kernel.counters().running(), Math::max),
            1);
    assertEquals(0, recovered.callsMadeAgain());
    return most.get();
  }

  @Test
  void shouldMakeACallUnderWayAgainUnderTheSameNameAndAHigherAttempt() {
    InstanceId id = harness.start(Tasks.graph(Tasks.call("a"), Tasks.call("b")));
    harness.answer("a", Payload.of(1));
    Effect.Invoke before = harness.call("b");

    RecoveredKernel recovered = new RecoveredKernel(harness, harness.journal.entries(), 2);

    assertEquals(1, recovered.callsMadeAgain());
    Effect.Invoke again = recovered.calls().getFirst();
    assertEquals(before.attempt(), again.attempt());
    assertEquals(HttpCalls.of(before).uri(), HttpCalls.of(again).uri());
    assertEquals(header(before, "Idempotency-Key"), header(again, "Idempotency-Key"));
    assertEquals("1", header(before, "Pinion-Attempt"));
    assertEquals("3", header(again, "Pinion-Attempt"), "opened twice since");
    recovered.answer(again, Payload.of(2));
    assertEquals(InstanceState.COMPLETED, recovered.view(id).state());
    assertEquals(Payload.of(2), recovered.view(id).output());
  }

  @Test
  void shouldMakeCallsAgainInTheOrderInWhichInstancesWereStarted() {
    ProcessGraph graph = Tasks.graph(Tasks.call("a"));
    List<InstanceId> started = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      started.add(harness.start(graph));
    }

    RecoveredKernel replayed = new RecoveredKernel(harness, harness.journal.entries(), 1);
    RecoveredKernel restored =
        new RecoveredKernel(
            harness, TakenSnapshot.of(harness.kernel()), List.of(), (a, b, c) -> {}, 1);

    assertEquals(started, instances(replayed.calls()));
    assertEquals(started, instances(restored.calls()));
  }

  private static List<InstanceId> instances(List<Effect.Invoke> calls) {
    return calls.stream().map(Effect.Invoke::id).toList();
  }

  @Test
  void shouldFireATimerWhenItIsDueAndNotBefore() {
    InstanceId id = harness.start(Tasks.graph(Tasks.pause("nap", Duration.ofSeconds(10))));
    harness.advance(Duration.ofSeconds(4));

    RecoveredKernel recovered = new RecoveredKernel(harness, harness.journal.entries(), 1);

    recovered.advance(Duration.ofMillis(5_990));
    assertEquals(InstanceState.WAITING, recovered.view(id).state());
    recovered.advance(Duration.ofMillis(15));
    assertEquals(InstanceState.COMPLETED, recovered.view(id).state());
  }

  @Test
  void shouldFireATimerAtOnceThatWasDueWhileTheEngineWasDown() {
    InstanceId id = harness.start(Tasks.graph(Tasks.pause("nap", Duration.ofSeconds(10))));
    List<JournalRecord> records = harness.journal.entries();
    harness.jump(Duration.ofMinutes(10));

    RecoveredKernel recovered = new RecoveredKernel(harness, records, 1);
    recovered.settle();

    assertEquals(InstanceState.COMPLETED, recovered.view(id).state());
  }

  /** Field fault 8: a timeout of 3 s and a wait of 8 s, down from 1 s to 12 s. */
  @Test
  void shouldTimeOutBeforeAWaitThatWasDueLater() {
    InstanceId id =
        harness.start(
            Tasks.graph(Tasks.pause("nap", Duration.ofSeconds(8)).timeout(Duration.ofSeconds(3))));
    harness.advance(Duration.ofSeconds(1));
    List<JournalRecord> records = harness.journal.entries();
    harness.jump(Duration.ofSeconds(11));

    RecoveredKernel recovered = new RecoveredKernel(harness, records, 1);
    recovered.settle();

    assertEquals(InstanceState.FAULTED, recovered.view(id).state());
  }

  /** Field fault 8: the first wait was due before the timeout, the next one was not. */
  @Test
  void shouldEndAWaitThatWasDueBeforeTheTimeout() {
    InstanceId id =
        harness.start(
            Tasks.graph(Tasks.pause("nap", Duration.ofSeconds(2)).timeout(Duration.ofSeconds(3))));
    List<JournalRecord> records = harness.journal.entries();
    harness.jump(Duration.ofSeconds(12));

    RecoveredKernel recovered = new RecoveredKernel(harness, records, 1);
    recovered.settle();

    assertEquals(InstanceState.COMPLETED, recovered.view(id).state());
  }

  /** Field fault 8: a call that timed out meanwhile is not made again. */
  @Test
  void shouldEndACallUnderWayWhoseTimeoutIsOverdue() {
    InstanceId id = harness.start(Tasks.graph(Tasks.call("a").timeout(Duration.ofSeconds(3))));
    harness.call("a");
    List<JournalRecord> records = harness.journal.entries();
    harness.jump(Duration.ofSeconds(12));

    RecoveredKernel recovered = new RecoveredKernel(harness, records, 1);
    assertEquals(0, recovered.callsMadeAgain());
    recovered.settle();

    assertEquals(List.of(), recovered.calls());
    assertEquals(InstanceState.FAULTED, recovered.view(id).state());
  }

  @Test
  void shouldKnowInstancesThatHadEnded() {
    InstanceId id = harness.start(Tasks.graph(Tasks.call("a")));
    harness.answer("a", Payload.of("done"));

    RecoveredKernel recovered = new RecoveredKernel(harness, harness.journal.entries(), 1);

    assertEquals(harness.view(id), recovered.view(id));
    assertEquals(0, recovered.callsMadeAgain());
  }

  @Test
  void shouldGiveNewInstancesIdsThatNoneHad() {
    InstanceId id = harness.start(Tasks.graph(Tasks.call("a")));

    RecoveredKernel recovered = new RecoveredKernel(harness, harness.journal.entries(), 1);

    assertTrue(recovered.start(harness).compareTo(id) > 0);
  }

  @Test
  void shouldRefuseAnEventWithoutItsStart() {
    harness.start(Tasks.graph(Tasks.call("a")));
    harness.answer("a", Payload.of(1));
    List<JournalRecord> records = harness.journal.entries();

    RecoveryException refusal =
        assertThrows(
            RecoveryException.class,
            () -> RecoveredKernel.replay(harness, records.subList(1, records.size())));
    assertTrue(message(refusal).startsWith("expected the start of instance"), message(refusal));
  }

  @Test
  void shouldRefuseEventsThatDoNotFollowEachOther() {
    harness.start(Tasks.graph(Tasks.call("a"), Tasks.call("b"), Tasks.call("c")));
    harness.answer("a", Payload.of(1));
    harness.answer("b", Payload.of(1));
    List<JournalRecord> records = harness.journal.entries();

    RecoveryException refusal =
        assertThrows(
            RecoveryException.class,
            () -> RecoveredKernel.replay(harness, List.of(records.get(0), records.get(2))));
    assertTrue(message(refusal).contains("expected event 1"), message(refusal));
  }

  @Test
  void shouldRefuseInstancesWhoseDefinitionHoldsSomethingElse() {
    ProcessGraph graph = Tasks.graph(Tasks.call("a"), Tasks.call("b"));
    InstanceId id = harness.start(graph);
    List<JournalRecord> records = harness.journal.entries();
    TakenSnapshot snapshot = TakenSnapshot.of(harness.kernel());
    harness.change(graph);

    RecoveryException refusal =
        assertThrows(RecoveryException.class, () -> RecoveredKernel.replay(harness, records));
    assertEquals(id, refusal.instance());
    assertTrue(message(refusal).contains("holds something else"), message(refusal));
    AssertionError ofSnapshot =
        assertThrows(
            AssertionError.class,
            () -> new RecoveredKernel(harness, snapshot, List.of(), (r, k, i) -> {}, 1));
    assertTrue(String.valueOf(ofSnapshot.getMessage()).contains("holds something else"));
    harness.changeBack(graph);
    assertEquals(InstanceState.RUNNING, new RecoveredKernel(harness, records, 1).view(id).state());
  }

  /** Effects outside wait for the disk; nothing that is not durable is visible outside. */
  @Test
  void shouldHoldCallsAndRepliesUntilTheirRecordsAreDurable() {
    harness.journal.waitForForce();
    ProcessGraph graph = Tasks.graph(Tasks.call("a"));
    long request = harness.offerStart(0, graph, Payload.NULL, true);
    harness.settle();

    assertEquals(List.of(), harness.calls, "no call");
    assertEquals(List.of(), harness.replies(request), "no answer");
    harness.journal.force();
    harness.settle();
    assertEquals(1, harness.calls.size(), "start and first call shared a force");
    assertInstanceOf(Reply.Accepted.class, harness.reply(request));

    harness.answer("a", Payload.of(1));
    assertEquals(1, harness.replies(request).size(), "the end is not reported yet");
    InstanceId id = harness.accepted(request);
    long question = harness.offerGet(id, false);
    harness.settle();
    assertEquals(List.of(), harness.replies(question), "nor to others");
    harness.journal.force();
    harness.settle();
    assertEquals(2, harness.replies(request).size());
    assertInstanceOf(Reply.Ended.class, harness.reply(question));
  }

  @Test
  void shouldGiveBackThePermitOfACallThatWasCancelledBeforeItsRecordWasDurable() {
    harness.journal.withoutComparison(); // a replay makes the call, which is then withdrawn
    harness.journal.waitForForce();
    long request = harness.offerStart(0, Tasks.graph(Tasks.call("a")), Payload.NULL, false);
    harness.settle();
    InstanceId id = harness.journal.entries().getFirst().id();
    harness.offerCancel(id);
    harness.settle();

    harness.journal.force();
    harness.settle();

    assertEquals(List.of(), harness.calls, "never called");
    assertEquals(0, harness.kernel().router().calls().used());
    assertFalse(harness.replies(request).isEmpty());
  }

  @Test
  void shouldRecoverRandomProcessesFromAnyPointOn() {
    runCases(1, 200, false);

    assertTrue(inTheMiddleOfTheirWork > 5, "in the middle: " + inTheMiddleOfTheirWork);
    assertTrue(recoveredCalls > 40, "calls made again: " + recoveredCalls);
    assertTrue(retried > 5, "retried: " + retried);
    assertTrue(children > 100, "children: " + children);
  }

  @Test
  void shouldRecoverRandomProcessesThatCompensateFromAnyPointOn() {
    runCases(300_000, 200, true);
    assertTrue(recoveredCalls > 40, "calls made again: " + recoveredCalls);
  }

  @Test
  @Tag("long")
  void shouldRecoverManyRandomProcessesFromAnyPointOn() {
    runCases(5_000_000, 10_000, false);
    runCases(9_000_000, 10_000, true);
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
                "kernel.maxHeldBytes", 8_192 + random.nextInt(32_768),
                "kernel.stepsPerTurn", 1 + random.nextInt(20)));
    ProcessGraph graph = RandomGraph.of(random, harness, compensates);
    for (int i = 1 + random.nextInt(3); i > 0; i--) {
      harness.offerStart(0, graph, Payload.of(random.nextInt(10)), false);
    }
    harness.cycle();
    for (int moves = random.nextInt(12); moves > 0; moves--) {
      move(harness, random);
    }

    boolean inTheMiddle = harness.kernel().hasWork();
    int before = harness.journal.entries().size();
    harness.settle(); // the original continues; its later messages are in its journal only
    List<JournalRecord> records = withoutAdvancesFrom(before, harness.journal.entries());
    if (inTheMiddle && records.size() == before) {
      inTheMiddleOfTheirWork++;
    }
    RecoveredKernel recovered = new RecoveredKernel(harness, records, 1);

    recovered.assertLike(harness);
    recoveredCalls += recovered.callsMadeAgain();
    retried += harness.journal.retried();
    children += harness.journal.children();
    harness.finish();
  }

  /** The records without the progress of instances from one on. */
  private static List<JournalRecord> withoutAdvancesFrom(int first, List<JournalRecord> records) {
    List<JournalRecord> kept = new ArrayList<>(records.subList(0, first));
    for (JournalRecord record : records.subList(first, records.size())) {
      if (!(record.event() instanceof Event.TurnsCompleted)) {
        kept.add(record);
      }
    }
    return kept;
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
      if (!harness.kernel().hasWork()) { // a replay counts a timer from the event that led to it
        harness.jump(Duration.ofMillis(random.nextInt(3_000)));
      }
    } else if (what < 95) {
      harness.journal.running().forEach(harness::offerSuspendOrResume);
    } else {
      harness.offerRetry(random);
    }
    harness.cycle();
  }

  private static String message(Exception refusal) {
    return String.valueOf(refusal.getMessage());
  }

  private static String header(Effect.Invoke invoke, String name) {
    return HttpCalls.of(invoke).headers().stream()
        .filter(field -> field.name().equals(name))
        .map(field -> field.value())
        .findFirst()
        .orElse("none");
  }
}
