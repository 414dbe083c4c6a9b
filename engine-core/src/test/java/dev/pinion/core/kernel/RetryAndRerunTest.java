package dev.pinion.core.kernel;

import static dev.pinion.core.kernel.Tasks.attempt;
import static dev.pinion.core.kernel.Tasks.block;
import static dev.pinion.core.kernel.Tasks.call;
import static dev.pinion.core.kernel.Tasks.fork;
import static dev.pinion.core.kernel.Tasks.graph;
import static dev.pinion.core.kernel.Tasks.handler;
import static dev.pinion.core.kernel.Tasks.loop;
import static dev.pinion.core.kernel.Tasks.pause;
import static dev.pinion.core.kernel.Tasks.raise;
import static dev.pinion.core.kernel.Tasks.set;
import static dev.pinion.core.kernel.Values.constant;
import static dev.pinion.core.kernel.Values.json;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.graph.ProcessGraph;
import dev.pinion.core.journal.JournalRecord;
import dev.pinion.core.kernel.replay.RecoveredKernel;
import dev.pinion.core.kernel.step.codec.RecoveryException;
import dev.pinion.core.message.Command;
import dev.pinion.core.message.Effect;
import dev.pinion.core.message.Event;
import dev.pinion.core.message.Reply;
import dev.pinion.core.message.ReplyAddress;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.call.CallOutcome;
import dev.pinion.core.model.instance.HistoryEvent;
import dev.pinion.core.model.instance.HistoryEvent.EventKind;
import dev.pinion.core.model.instance.InstanceState;
import dev.pinion.core.model.instance.InstanceView;
import dev.pinion.core.model.instance.StartKey;
import dev.pinion.core.model.instance.Tags;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Ended instances that continue, or run again as another one. */
class RetryAndRerunTest {
  @RegisterExtension final KernelHarness harness = new KernelHarness();

  private final ProcessGraph two = graph(call("a"), call("b"));

  @Test
  void shouldGoOnFromTheTaskThatFailed() {
    InstanceId id = faultedAtB();
    assertEquals(InstanceState.FAULTED, harness.state(id));

    assertEquals(InstanceState.RUNNING, retry(id));
    assertEquals(1, harness.calls.size(), "a is not called again");
    assertEquals(json("'from a'"), harness.call("b").call().body());
    harness.answer("b", json("'from b'"));
    assertEquals(json("'from b'"), harness.output(id));
    assertNull(harness.view(id).error());
  }

  @Test
  void shouldCallWhatFailedUnderItsKeyAndAHigherAttempt() {
    harness.start(two);
    harness.answer("a", json("1"));
    String first = keyOf(harness.call("b"));
    harness.fail("b", 500);
    retry(harness.journal.entries().getFirst().id());

    assertEquals(first, keyOf(harness.call("b")), "the same run of the task continues");
    assertEquals("2", attemptOf(harness.call("b")));
  }

  @Test
  void shouldFailAgainAndGoOnAgain() {
    InstanceId id = faultedAtB();
    for (int i = 0; i < 3; i++) {
      retry(id);
      harness.fail("b", 500);
      assertEquals(InstanceState.FAULTED, harness.state(id));
    }
    retry(id);
    harness.answer("b", json("2"));
    assertEquals(json("2"), harness.output(id));
  }

  @Test
  void shouldMakeTheCallsOfOtherBranchesAgainUnderTheirKeys() {
    InstanceId id = harness.start(graph(fork("f", call("a"), call("b"))));
    Effect.Invoke before = harness.call("b");
    harness.fail("a", 500);
    assertEquals(1, harness.aborts.size(), "b is aborted");
    retry(id);
    harness.report(before, CallOutcome.Aborted.INSTANCE);
    harness.settle();

    assertEquals(keyOf(before), keyOf(harness.call("b")));
    assertEquals("2", attemptOf(harness.call("b")));
    harness.answer("a", json("1"));
    harness.answer("b", json("2"));
    assertEquals(json("[1, 2]"), harness.output(id));
  }

  @Test
  void shouldTakeAnAnswerThatWasOnItsWay() {
    InstanceId id = harness.start(graph(fork("f", call("a"), call("b"))));
    Effect.Invoke before = harness.call("b");
    harness.fail("a", 500);
    retry(id);
    harness.answer(before, json("2"));
    harness.answer("a", json("1"));
    assertEquals(json("[1, 2]"), harness.output(id));
  }

  @Test
  void shouldStopTheTimersOfOtherBranchesMeanwhile() {
    InstanceId id =
        harness.start(graph(fork("f", call("a"), pause("nap", Duration.ofSeconds(10)))));
    harness.advance(Duration.ofSeconds(4));
    harness.fail("a", 500);
    harness.advance(Duration.ofHours(1));
    retry(id);
    harness.answer("a", json("1"));

    harness.advance(Duration.ofMillis(5_990));
    assertEquals(InstanceState.WAITING, harness.state(id));
    harness.advance(Duration.ofMillis(20));
    assertEquals(InstanceState.COMPLETED, harness.state(id));
  }

  @Test
  void shouldGoOnInTheMiddleOfALoop() {
    List<Payload> items = List.of(Payload.of(1), Payload.of(2), Payload.of(3));
    InstanceId id = harness.start(graph(loop("l", constant(items), call("a"))));
    harness.answer("a", json("10"));
    harness.fail("a", 500);
    retry(id);
    harness.answer("a", json("20"));
    harness.answer("a", json("30"));

    assertEquals(json("30"), harness.output(id));
    assertEquals(List.of(), harness.calls, "three answers were enough");
  }

  @Test
  void shouldRunATaskAgainThatTookTooLong() {
    InstanceId id =
        harness.start(
            graph(block("d", call("a"), call("b")).timeout(Duration.ofSeconds(5)), call("c")));
    harness.answer("a", json("1"));
    harness.advance(Duration.ofSeconds(6));
    assertEquals(InstanceState.FAULTED, harness.state(id));

    retry(id);
    harness.answer("a", json("1"));
    harness.advance(Duration.ofSeconds(4));
    reportAborted();
    harness.answer("b", json("2"));
    harness.answer("c", json("3"));
    assertEquals(json("3"), harness.output(id));
  }

  private void reportAborted() {
    for (Effect.Abort abort : harness.aborts) {
      harness.calls.stream()
          .filter(call -> call.id().equals(abort.id()) && call.attempt() == abort.attempt())
          .findFirst()
          .ifPresent(call -> harness.report(call, CallOutcome.Aborted.INSTANCE));
    }
    harness.aborts.clear();
    harness.settle();
  }

  @Test
  void shouldRetryTheWholeTryThatDidNotCatch() {
    InstanceId id =
        harness.start(graph(attempt("t", handler().when(constant(false)), call("a")), call("b")));
    harness.fail("a", 500);
    assertEquals(InstanceState.FAULTED, harness.state(id));

    retry(id);
    harness.answer("a", json("1"));
    harness.answer("b", json("2"));
    assertEquals(json("2"), harness.output(id));
  }

  @Test
  void shouldGoOnInsideTheHandlerOfATry() {
    InstanceId id =
        harness.start(graph(attempt("t", handler().run(call("repair")), call("a")), call("b")));
    harness.fail("a", 500);
    harness.fail("repair", 500);
    assertEquals(InstanceState.FAULTED, harness.state(id));

    retry(id);
    harness.answer("repair", json("1"));
    harness.answer("b", json("2"));
    assertEquals(json("2"), harness.output(id));
  }

  @Test
  void shouldGoOnAlsoWhenItWasSuspended() {
    InstanceId id = harness.start(two);
    harness.answer("a", json("1"));
    harness.offerSuspendOrResume(id);
    harness.settle();
    harness.fail("b", 500);
    assertEquals(InstanceState.FAULTED, harness.state(id));

    assertEquals(InstanceState.RUNNING, retry(id));
    harness.answer("b", json("2"));
    assertEquals(json("2"), harness.output(id));
  }

  @Test
  void shouldTellOfTheEndToWhoWaits() {
    InstanceId id = faultedAtB();
    ReplyAddress<Reply.StartReply> to = harness.newAddress();
    harness.offer(0, new Command.Retry(id, to, true));
    harness.settle();
    harness.answer("b", json("2"));

    List<Reply> replies = harness.replies(to.request());
    assertEquals(new Reply.Accepted(id, two.key()), replies.getFirst());
    assertEquals(
        json("2"), assertInstanceOf(Reply.Ended.class, replies.get(1)).instance().output());
  }

  @Test
  void shouldTellTheHistory() {
    InstanceId id = faultedAtB();
    int before = harness.happenings.size();
    harness.advance(Duration.ofHours(1));
    retry(id);

    List<HistoryEvent> after = harness.happenings.subList(before, harness.happenings.size());
    assertEquals(
        List.of(EventKind.INSTANCE_RETRIED, EventKind.TASK_STARTED, EventKind.CALL_STARTED),
        after.stream().map(HistoryEvent::kind).toList());
    assertEquals(
        after.getFirst().epochMillis(), after.get(1).sinceEpochMillis(), "begins at the retry");
  }

  @Test
  void shouldRetryNothingElse() {
    InstanceId running = harness.start(two);
    assertNotPossible(running, InstanceState.RUNNING);
    harness.cancel(running);
    assertNotPossible(running, InstanceState.CANCELLED);
    assertNotPossible(harness.start(graph(set("s", 1))), InstanceState.COMPLETED);

    InstanceId late = harness.start(graph("late", null, null, Duration.ofSeconds(1), call("a")));
    harness.advance(Duration.ofSeconds(2));
    assertNotPossible(late, InstanceState.FAULTED);

    Reply none = reply(harness.offerRetry(new InstanceId(4_711L << 10)));
    assertNull(assertInstanceOf(Reply.StateConflict.class, none).instance());
  }

  private void assertNotPossible(InstanceId id, InstanceState state) {
    Reply reply = reply(harness.offerRetry(id));
    Reply.StateConflict not = assertInstanceOf(Reply.StateConflict.class, reply);
    assertEquals(state, view(not).state());
  }

  private static InstanceView view(Reply.StateConflict reply) {
    return Objects.requireNonNull(reply.instance());
  }

  @Test
  void shouldKeepNoStateAboveTheBound() {
    int size = stateSize();
    for (int bound : new int[] {size, size - 1}) {
      KernelHarness bounded = new KernelHarness(Map.of("kernel.maxRetryBytes", bound));
      InstanceId id = bounded.start(graph(raise("r", "urn:e", 500)));
      long request = bounded.offerRetry(id);
      bounded.settle();

      if (bound == size) {
        assertInstanceOf(Reply.Accepted.class, bounded.reply(request));
      } else {
        assertInstanceOf(Reply.StateConflict.class, bounded.reply(request));
      }
      bounded.finish();
    }
  }

  private int stateSize() {
    InstanceId id = harness.start(graph(raise("r", "urn:e", 500)));
    retry(id);
    JournalRecord record =
        harness.journal.entries().stream()
            .filter(each -> each.event() instanceof Event.Retried)
            .findFirst()
            .orElseThrow();
    return ((Event.Retried) record.event()).state().size();
  }

  @Test
  void shouldRefuseWhenThereIsNoRoom() {
    KernelHarness full = new KernelHarness(Map.of("kernel.maxInstances", 1));
    InstanceId id = full.start(two);
    full.fail("a", 500);
    InstanceId other = full.start(two);
    long refused = full.offerRetry(id);
    full.settle();
    assertEquals(new Reply.LimitReached("kernel.maxInstances"), full.reply(refused));

    full.cancel(other);
    long taken = full.offerRetry(id);
    full.settle();
    assertInstanceOf(Reply.Accepted.class, full.reply(taken));
    full.finish();
  }

  /** Timers of a refused retry are not set. */
  @Test
  void shouldLeaveNoTimersOfAnInstanceThatIsRefused() {
    KernelHarness full = new KernelHarness(Map.of("kernel.maxInstances", 1));
    InstanceId id = full.start(graph(fork("f", call("a"), pause("nap", Duration.ofSeconds(10)))));
    full.fail("a", 500);
    InstanceId other = full.start(two);
    int recorded = full.journal.entries().size();
    full.offerRetry(id);
    full.advance(Duration.ofMinutes(1));

    assertEquals(0, full.kernel().router().timers().size());
    assertEquals(recorded, full.journal.entries().size(), "nothing of it is recorded");
    full.cancel(other);
    full.finish();
  }

  @Test
  void shouldBeThereAfterARecovery() {
    InstanceId id = faultedAtB();
    int faulted = harness.journal.entries().size();
    retry(id);
    List<JournalRecord> records = harness.journal.entries();

    RecoveredKernel before = new RecoveredKernel(harness, records.subList(0, faulted), 1);
    assertEquals(InstanceState.FAULTED, before.view(id).state());
    for (RecoveredKernel again : List.of(before, before.again(harness))) {
      again.retry(id);
      again.answer(again.calls().getLast(), json("2"));
      assertEquals(json("2"), again.view(id).output());
    }

    RecoveredKernel after = new RecoveredKernel(harness, records, 1);
    after.assertLike(harness);
    assertEquals("3", attemptOf(after.calls().getFirst()), "made again");
    after.answer(after.calls().getFirst(), json("3"));
    assertEquals(json("3"), after.view(id).output());
  }

  @Test
  void shouldRefuseToGoOnFromAnInstanceThatHasNotFaulted() {
    InstanceId id = faultedAtB();
    retry(id);
    List<JournalRecord> records = harness.journal.entries();
    JournalRecord retried = records.getLast();
    JournalRecord early =
        new JournalRecord(
            id, retried.sequence(), retried.nowNanos(), retried.epochMillis(), 0, retried.event());

    RecoveryException refusal =
        assertThrows(
            RecoveryException.class,
            () -> RecoveredKernel.replay(harness, List.of(records.getFirst(), early)));
    assertTrue(String.valueOf(refusal.getMessage()).contains("to have faulted"));
  }

  @Test
  void shouldRunAgainAsAnotherInstance() {
    InstanceId first = startWithTags();
    harness.answer("a", json("1"));
    harness.fail("b", 500);

    ReplyAddress<Reply.StartReply> to = harness.newAddress();
    harness.offer(0, new Command.Rerun(first, to, false, null, false));
    harness.settle();
    InstanceId second = harness.accepted(to.request());
    assertNotEquals(first, second);
    assertEquals(json("{'n': 1}"), harness.call("a").call().body(), "with the same input");
    assertEquals("order 7", harness.view(second).tags().businessKey());
    assertEquals(InstanceState.FAULTED, harness.state(first), "which stays as it is");
    assertEquals(first.partition(), second.partition());
  }

  private InstanceId startWithTags() {
    harness.start(two); // makes the definition known
    harness.cancel(harness.journal.entries().getFirst().id());
    reportAborted();
    ReplyAddress<Reply.StartReply> to = harness.newAddress();
    Tags tags = new Tags("order 7", Map.of("region", "north"));
    harness.offer(
        0, new Command.Start(two.key(), 0, json("{'n': 1}"), to, false, null, false, tags));
    harness.settle();
    return harness.accepted(to.request());
  }

  @Test
  void shouldRunAgainOnceForOneKey() {
    InstanceId first = harness.start(graph(set("s", 1)));
    StartKey key = StartKey.of("rerun", "k", ByteBuffer.allocate(0));
    InstanceId second = rerun(first, key);

    assertEquals(second, rerun(first, key));
    InstanceId faulted = faultedAtB();
    StartKey other = StartKey.of("rerun", "other", ByteBuffer.allocate(0));
    InstanceId again = rerun(faulted, other);
    harness.fail("a", 500);
    retry(faulted);
    assertEquals(again, rerun(faulted, other), "also while the first one continues");
    assertNotEquals(second, rerun(first, null));
  }

  private InstanceId rerun(InstanceId first, @Nullable StartKey key) {
    ReplyAddress<Reply.StartReply> to = harness.newAddress();
    harness.offer(0, new Command.Rerun(first, to, false, key, false));
    harness.settle();
    return harness.accepted(to.request());
  }

  @Test
  void shouldRunNothingAgainThatHasNotEnded() {
    InstanceId running = harness.start(two);
    ReplyAddress<Reply.StartReply> to = harness.newAddress();
    harness.offer(0, new Command.Rerun(running, to, false, null, false));
    harness.settle();

    Reply.StateConflict reply =
        assertInstanceOf(Reply.StateConflict.class, harness.reply(to.request()));
    assertEquals(InstanceState.RUNNING, view(reply).state());
  }

  private InstanceId faultedAtB() {
    InstanceId id = harness.start(two);
    harness.answer("a", json("'from a'"));
    harness.fail("b", 500);
    return id;
  }

  private InstanceState retry(InstanceId id) {
    Reply reply = reply(harness.offerRetry(id));
    assertEquals(id, assertInstanceOf(Reply.Accepted.class, reply).id());
    return harness.state(id);
  }

  private Reply reply(long request) {
    harness.settle();
    return harness.reply(request);
  }

  private static String keyOf(Effect.Invoke call) {
    return header(call, "Idempotency-Key");
  }

  private static String attemptOf(Effect.Invoke call) {
    return header(call, "Pinion-Attempt");
  }

  private static String header(Effect.Invoke invoke, String name) {
    return HttpCalls.of(invoke).headers().stream()
        .filter(field -> field.name().equals(name))
        .map(field -> field.value())
        .findFirst()
        .orElse("none");
  }
}
