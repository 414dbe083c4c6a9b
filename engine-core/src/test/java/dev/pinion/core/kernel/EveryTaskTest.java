package dev.pinion.core.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.graph.ProcessGraph;
import dev.pinion.core.kernel.replay.RecoveredKernel;
import dev.pinion.core.kernel.replay.Recovery;
import dev.pinion.core.kernel.replay.TakenSnapshot;
import dev.pinion.core.message.Command;
import dev.pinion.core.message.Effect;
import dev.pinion.core.message.Reply;
import dev.pinion.core.message.ReplyAddress;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.call.CallOutcome;
import dev.pinion.core.model.call.EventEmission;
import dev.pinion.core.model.call.HttpCall;
import dev.pinion.core.model.call.ProgramRun;
import dev.pinion.core.model.instance.InstanceState;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every kind of task while clients control its instance, while its partition moves, and over a
 * recovery: before each of its steps.
 */
class EveryTaskTest {
  private static final String TASKS = "dev.pinion.core.kernel.TaskUnderWay#all";

  /** Rounds of answers after which a cancelled instance has compensated. */
  private static final int MOST_ROUNDS = 4;

  private KernelHarness harness = new KernelHarness();

  /** Starts a process in a harness of its own. */
  private InstanceId begin(ProcessGraph graph) {
    harness = new KernelHarness();
    harness.deploy(TaskUnderWay.child());
    return harness.start(graph);
  }

  /** Makes the steps from one on and before another. */
  private void go(TaskUnderWay task, int from, int before) {
    for (String step : task.whole().subList(from, before)) {
      if (step.equals(TaskUnderWay.LAST)) {
        assertGot(task);
      }
      step(step);
    }
  }

  private void step(String step) {
    List<String> words = List.of(step.split(" ", 3));
    String of = words.get(1);
    switch (words.getFirst()) {
      case "answer" -> harness.answer(call(of), PostedEvents.json(words.get(2)));
      case "fail" -> harness.fail(call(of), 503);
      case "emitted" -> {
        Effect.Invoke emission = call(of);
        harness.answer(emission, Objects.requireNonNull(emission.call().body()));
      }
      case "post" -> {
        harness.events.post(of, words.get(2));
        harness.settle();
      }
      case "advance" -> harness.advance(Duration.ofSeconds(Long.parseLong(of)));
      default -> throw new IllegalArgumentException(step);
    }
  }

  /** The last call whose description ends with a text. */
  private Effect.Invoke call(String end) {
    return harness.calls.stream()
        .filter(each -> each.call().description().endsWith(end))
        .reduce((_, later) -> later)
        .orElseThrow(() -> new AssertionError("expected a call of " + end));
  }

  /** Checks the output of the task, which the call behind it has. */
  private void assertGot(TaskUnderWay task) {
    Payload got = Objects.requireNonNull(call("/after").call().body());
    assertEquals("{'got':" + task.output() + "}", got.toString().replace('"', '\''));
  }

  private void assertEnds(InstanceId id) {
    assertEquals(Payload.of("end"), harness.output(id));
    harness.finish();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource(TASKS)
  void shouldEndAlsoWhenItIsSuspendedBeforeAnyStep(TaskUnderWay task) {
    int steps = task.whole().size();
    for (int at = 0; at < steps; at++) {
      InstanceId id = begin(task.alone());
      go(task, 0, at);
      harness.offerSuspendOrResume(id);
      harness.settle();
      go(task, at, at + 1);
      assertEquals(InstanceState.SUSPENDED, harness.state(id), "suspended before step " + at);
      harness.offerSuspendOrResume(id);
      harness.settle();
      go(task, at + 1, steps);
      assertEnds(id);
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource(TASKS)
  void shouldGoOnWhereItsPartitionMoves(TaskUnderWay task) {
    int steps = task.whole().size();
    for (int at = 0; at < steps; at++) {
      InstanceId id = begin(task.alone());
      harness.journal.withoutComparison(); // a replay has no moves
      go(task, 0, at);
      List<String> calls = names();
      move();
      assertEquals(calls, names(), "calls made again, moved before step " + at);
      go(task, at, steps);
      assertEnds(id);
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource(TASKS)
  void shouldRecoverFromJournalAndSnapshotBeforeAnyStep(TaskUnderWay task) {
    int steps = task.whole().size();
    InstanceId id = begin(task.alone());
    for (int at = 0; at < steps; at++) {
      RecoveredKernel recovered = new RecoveredKernel(harness, harness.journal.entries(), 1);
      recovered.assertLike(harness);
      recovered.again(harness).assertLike(harness);
      go(task, at, at + 1);
    }
    assertEnds(id);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource(TASKS)
  void shouldBeCancelledBeforeAnyStep(TaskUnderWay task) {
    for (int at = 0; at < task.whole().size(); at++) {
      InstanceId id = begin(task.alone());
      go(task, 0, at);
      harness.cancel(id);
      for (int i = 0; i < MOST_ROUNDS && !harness.calls.isEmpty(); i++) {
        for (Effect.Invoke call : List.copyOf(harness.calls)) {
          harness.answer(call, Payload.NULL); // too late, unless it is that of a compensation
        }
      }
      assertEquals(InstanceState.CANCELLED, harness.state(id), "cancelled before step " + at);
      harness.finish();
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource(TASKS)
  void shouldGoOnWhenWhatFailedBesideItIsRetried(TaskUnderWay task) {
    if (!task.isRetriable()) {
      return; // an instance that has compensated is not: see CompensationControlTest
    }
    int steps = task.whole().size();
    for (int at = 0; at < steps; at++) {
      InstanceId id = begin(task.beside());
      go(task, 0, at);
      harness.fail(call("/beside"), 500);
      assertEquals(InstanceState.FAULTED, harness.state(id), "faulted before step " + at);
      reportAborted();
      long request = harness.offerRetry(id);
      harness.settle();
      assertInstanceOf(Reply.Accepted.class, harness.reply(request));
      go(task, at, steps);
      step("answer /beside 'too'");
      assertEquals(PostedEvents.json("['end','too']"), harness.output(id));
      harness.finish();
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource(TASKS)
  void shouldRunAgainAsAnotherInstance(TaskUnderWay task) {
    InstanceId first = begin(task.alone());
    go(task, 0, task.whole().size());
    assertEquals(InstanceState.COMPLETED, harness.state(first));
    reportAborted();

    ReplyAddress<Reply.StartReply> to = harness.newAddress();
    harness.offer(0, new Command.Rerun(first, to, false, null, false));
    harness.settle();
    InstanceId second = harness.accepted(to.request());
    assertNotEquals(first, second);
    go(task, 0, task.whole().size());
    assertEnds(second);
  }

  /** Has the partition leave, with everything under way abandoned, and come back. */
  private void move() {
    BitSet partition = BitSet.valueOf(new long[] {1});
    TakenSnapshot state = TakenSnapshot.of(harness.kernel());
    boolean[] gone = new boolean[1];
    harness.kernel().releasePartitions(new PartitionRelease(partition, () -> gone[0] = true));
    harness.settle();
    for (Effect.Invoke call : List.copyOf(harness.calls)) {
      harness.report(call, CallOutcome.Aborted.INSTANCE);
    }
    harness.settle();
    assertTrue(gone[0], "nothing is left");
    harness.aborts.clear();
    harness
        .kernel()
        .acquirePartitions(
            new PartitionAcquisition(
                partition,
                state.entries,
                Recovery::of,
                () -> {},
                reason -> {
                  throw new AssertionError(reason);
                }));
    harness.settle();
  }

  /** Reports the calls that were aborted, as the Invoker does. */
  private void reportAborted() {
    for (Effect.Invoke call : List.copyOf(harness.calls)) {
      if (isAborted(call)) {
        harness.report(call, CallOutcome.Aborted.INSTANCE);
      }
    }
    harness.aborts.clear();
    harness.settle();
  }

  private boolean isAborted(Effect.Invoke call) {
    return harness.aborts.contains(new Effect.Abort(call.id(), call.activity(), call.attempt()));
  }

  /** Names of the calls under way, by which services recognize a repetition. */
  private List<String> names() {
    return harness.calls.stream()
        .filter(call -> !isAborted(call))
        .map(EveryTaskTest::name)
        .sorted()
        .toList();
  }

  private static String name(Effect.Invoke invoke) {
    return switch (invoke.call()) {
      case HttpCall call ->
          call.headers().stream()
              .filter(field -> field.name().equals(HttpCall.IDEMPOTENCY_KEY))
              .map(HttpCall.HeaderField::value)
              .findFirst()
              .orElse("none");
      case EventEmission emission -> String.valueOf(emission.event().text("id"));
      case ProgramRun program ->
          program.environment().getOrDefault(ProgramRun.IDEMPOTENCY_KEY, "none");
      default -> invoke.call().description();
    };
  }
}
