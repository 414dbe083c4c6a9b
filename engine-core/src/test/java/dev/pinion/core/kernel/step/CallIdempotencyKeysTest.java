package dev.pinion.core.kernel.step;

import static dev.pinion.core.kernel.Tasks.attempt;
import static dev.pinion.core.kernel.Tasks.block;
import static dev.pinion.core.kernel.Tasks.call;
import static dev.pinion.core.kernel.Tasks.choose;
import static dev.pinion.core.kernel.Tasks.fork;
import static dev.pinion.core.kernel.Tasks.graph;
import static dev.pinion.core.kernel.Tasks.handler;
import static dev.pinion.core.kernel.Tasks.loop;
import static dev.pinion.core.kernel.Tasks.parallel;
import static dev.pinion.core.kernel.Tasks.pause;
import static dev.pinion.core.kernel.Values.constant;
import static dev.pinion.core.kernel.Values.json;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.graph.FlowDirective;
import dev.pinion.core.graph.Node.Backoff;
import dev.pinion.core.journal.JournalRecord;
import dev.pinion.core.journal.SnapshotEntry;
import dev.pinion.core.kernel.CatchSpec;
import dev.pinion.core.kernel.HttpCalls;
import dev.pinion.core.kernel.KernelHarness;
import dev.pinion.core.kernel.TaskSpec;
import dev.pinion.core.kernel.Tasks.Option;
import dev.pinion.core.kernel.Values;
import dev.pinion.core.kernel.replay.RecoveredKernel;
import dev.pinion.core.kernel.replay.TakenSnapshot;
import dev.pinion.core.kernel.step.codec.RecoveryException;
import dev.pinion.core.message.Effect;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.call.CallOutcome;
import dev.pinion.core.model.call.HttpCall;
import dev.pinion.core.model.instance.InstanceState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Field fault 7: a declared retry changed the call's {@code Idempotency-Key}, so a payment whose
 * response was lost was made twice. All attempts of one run of a task have one key and rising
 * attempts; another run has another key.
 */
class CallIdempotencyKeysTest {
  private static final List<Payload> THREE = List.of(Payload.of(1), Payload.of(2), Payload.of(3));

  /** Bytes at the end of a state that older engines did not write. */
  private static final int CALLS_AND_BINDINGS = 7;

  @RegisterExtension final KernelHarness harness = new KernelHarness();

  /** Headers of a call as a service sees them. */
  private record Seen(String key, int attempt) {}

  private Seen seen(String task) {
    return seen(harness.call(task));
  }

  private static Seen seen(Effect.Invoke invoke) {
    return new Seen(
        header(invoke, HttpCall.IDEMPOTENCY_KEY),
        Integer.parseInt(header(invoke, HttpCall.ATTEMPT)));
  }

  private static String header(Effect.Invoke invoke, String name) {
    return HttpCalls.of(invoke).headers().stream()
        .filter(field -> field.name().equals(name))
        .map(HttpCall.HeaderField::value)
        .findFirst()
        .orElseThrow(() -> new AssertionError("expected " + name + " in " + invoke));
  }

  /** Fails a call and runs its retry. */
  private void failAndRetry(String task) {
    harness.fail(task, 503);
    harness.advance(Duration.ofSeconds(1));
  }

  @Test
  void shouldKeepTheKeyThroughADeclaredRetry() {
    CatchSpec retrying = handler().retry(5).delay(Backoff.CONSTANT, Duration.ofMillis(100));
    harness.start(graph(attempt("t", retrying, call("pay"))));
    String key = seen("pay").key();
    for (int i = 1; i <= 4; i++) {
      assertEquals(new Seen(key, i), seen("pay"));
      failAndRetry("pay");
    }
    assertEquals(new Seen(key, 5), seen("pay"));
  }

  @Test
  void shouldCountTheAttemptsOfEachCallInATry() {
    harness.start(graph(attempt("t", handler().retry(5), call("a"), call("b"))));
    Seen a = seen("a");
    failAndRetry("a");
    assertEquals(new Seen(a.key(), 2), seen("a"));
    harness.answer("a", Payload.NULL);
    Seen b = seen("b");
    assertEquals(1, b.attempt(), "b was not called before");
    failAndRetry("b");
    assertEquals(new Seen(a.key(), 3), seen("a"));
    harness.answer("a", Payload.NULL);
    assertEquals(new Seen(b.key(), 2), seen("b"));
    assertNotEquals(a.key(), b.key());
  }

  @Test
  void shouldRaiseAttemptsThroughNestedTries() {
    harness.start(
        graph(
            attempt("outer", handler().retry(1), attempt("inner", handler().retry(1), call("a")))));
    String key = seen("a").key();
    for (int i = 1; i <= 4; i++) {
      assertEquals(new Seen(key, i), seen("a"));
      failAndRetry("a");
    }
  }

  @Test
  void shouldGiveEachIterationAKeyThatItKeeps() {
    harness.start(graph(loop("l", constant(THREE), attempt("t", handler().retry(1), call("a")))));
    HashSet<String> keys = new HashSet<>();
    for (int i = 0; i < 3; i++) {
      String key = seen("a").key();
      assertTrue(keys.add(key), () -> "a key of another iteration: " + key);
      assertEquals(1, seen("a").attempt());
      failAndRetry("a");
      assertEquals(new Seen(key, 2), seen("a"));
      harness.answer("a", Payload.NULL);
    }
  }

  @Test
  void shouldKeepTheKeysOfALoopInsideATry() {
    harness.start(graph(attempt("t", handler().retry(2), loop("l", constant(THREE), call("a")))));
    List<String> first = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      first.add(seen("a").key());
      harness.answer("a", Payload.NULL);
    }
    first.add(seen("a").key());
    failAndRetry("a");
    for (int i = 0; i < 3; i++) {
      assertEquals(new Seen(first.get(i), 2), seen("a"));
      harness.answer("a", Payload.NULL);
    }
    assertEquals(3, new HashSet<>(first).size());
  }

  @Test
  void shouldKeepTheKeysOfBranchesInsideATry() {
    harness.start(
        graph(attempt("t", handler().retry(2), fork("f", call("a"), call("b"), call("c")))));
    List<Seen> first = List.of(seen("a"), seen("b"), seen("c"));
    harness.answer("a", Payload.NULL);
    Effect.Invoke lost = harness.call("c");
    failAndRetry("b");
    harness.calls.remove(lost); // abandoned with its branch
    assertEquals(
        first.stream().map(seen -> new Seen(seen.key(), 2)).toList(),
        List.of(seen("a"), seen("b"), seen("c")));
    assertEquals(3, first.stream().map(Seen::key).distinct().count());
    harness.report(lost, CallOutcome.Aborted.INSTANCE);
  }

  @Test
  void shouldKeepTheKeysOfItemsThatRunSideBySide() {
    harness.start(
        graph(attempt("t", handler().retry(1), parallel("p", 1, constant(THREE), call("a")))));
    Seen first = seen("a");
    harness.answer("a", Payload.NULL);
    Seen second = seen("a");
    assertNotEquals(first.key(), second.key());
    failAndRetry("a");
    assertEquals(new Seen(first.key(), 2), seen("a"));
    harness.answer("a", Payload.NULL);
    assertEquals(new Seen(second.key(), 2), seen("a"));
  }

  @Test
  void shouldGiveATaskAnotherKeyWhenTheFlowComesBackToIt() {
    TaskSpec again =
        choose(
            "again",
            Option.when(Values.test(json("false")::equals), "poll"),
            Option.otherwise("pay"));
    harness.start(graph(attempt("t", handler().retry(1), call("poll"), again, call("pay"))));
    Seen poll = seen("poll");
    harness.answer("poll", json("false"));
    assertNotEquals(poll.key(), seen("poll").key(), "another run");
    harness.answer("poll", json("true"));
    Seen pay = seen("pay");
    failAndRetry("pay");

    assertEquals(new Seen(poll.key(), 2), seen("poll"));
    harness.answer("poll", json("true")); // at once this time
    assertEquals(new Seen(pay.key(), 2), seen("pay"), "however often was polled before");
  }

  @Test
  void shouldRaiseTheAttemptBeyondThoseOfAnEarlierLife() {
    harness.start(graph(attempt("t", handler().retry(9), call("a"))));
    Seen first = seen("a");
    RecoveredKernel second = recovered(harness.journal.entries());
    assertEquals(new Seen(first.key(), 2), seen(second.calls().getFirst()));
    RecoveredKernel third = second.again(harness);
    assertEquals(new Seen(first.key(), 3), seen(third.calls().getFirst()));

    third.fail(third.calls().getFirst());
    assertEquals(new Seen(first.key(), 4), seen(third.calls().getFirst()));
    RecoveredKernel fourth = third.again(harness);
    assertEquals(new Seen(first.key(), 5), seen(fourth.calls().getFirst()));
  }

  @Test
  void shouldKeepWhatItCountedInASnapshot() {
    TaskSpec back = pause("nap", Duration.ofMillis(1)).then("t");
    harness.start(graph(attempt("t", handler().retry(9), call("a")), back));
    harness.answer("a", Payload.NULL);
    harness.advance(Duration.ofSeconds(1));
    failAndRetry("a");
    Seen second = seen("a");
    assertEquals(2, second.attempt());

    RecoveredKernel restored =
        new RecoveredKernel(
            harness, TakenSnapshot.of(harness.kernel()), List.of(), (a, b, c) -> {}, 1);
    Effect.Invoke again = restored.calls().getFirst();
    assertEquals(new Seen(second.key(), 3), seen(again));
    restored.fail(again);
    assertEquals(new Seen(second.key(), 4), seen(restored.calls().getFirst()));
    restored.answer(restored.calls().getFirst(), Payload.NULL);
    restored.advance(Duration.ofSeconds(1));
    assertNotEquals(second.key(), seen(restored.calls().getFirst()).key(), "another run");
  }

  @Test
  void shouldRaiseTheAttemptWhenAClientRetriesAWholeTask() {
    TaskSpec both = block("both", call("a"), call("b")).timeout(Duration.ofSeconds(5));
    InstanceId id = harness.start(graph(both));
    Seen a = seen("a");
    harness.answer("a", Payload.NULL);
    Seen b = seen("b");
    harness.advance(Duration.ofSeconds(6));
    assertEquals(InstanceState.FAULTED, harness.state(id));

    harness.fail("b", 503); // as aborted
    harness.offerRetry(id);
    harness.settle();
    assertEquals(new Seen(a.key(), 2), seen("a"));
    harness.answer("a", Payload.NULL);
    assertEquals(new Seen(b.key(), 2), seen("b"));
  }

  @Test
  void shouldNameCallsOfTheCatchOnceForEachRun() {
    InstanceId id =
        harness.start(
            graph(
                attempt(
                    "t", handler().retry(1).run(call("undo")).then(FlowDirective.END), call("a"))));
    failAndRetry("a");
    harness.fail("a", 503);
    assertEquals(1, seen("undo").attempt());
    harness.answer("undo", Payload.NULL);
    assertEquals(InstanceState.COMPLETED, harness.state(id));
  }

  @Test
  void shouldKeepTheKeysOfCallsThatAnOlderEngineMade() throws RecoveryException {
    InstanceId id = harness.start(graph(attempt("t", handler().retry(9), call("a"))));
    int number = harness.call("a").attempt();
    List<JournalRecord> records = harness.journal.entries();

    RecoveredKernel replayed = RecoveredKernel.ofOlder(harness, records);
    assertEquals(new Seen("\"" + id + "-" + number + "\"", 2), seen(replayed.calls().getFirst()));
    RecoveredKernel again = replayed.again(harness);
    assertEquals(new Seen("\"" + id + "-" + number + "\"", 3), seen(again.calls().getFirst()));

    again.fail(again.calls().getFirst());
    assertEquals(new Seen("\"" + id + "-t1\"", 4), seen(again.calls().getFirst()));
  }

  @Test
  void shouldReadTheStateThatAnOlderEngineWrote() {
    InstanceId id = harness.start(graph(call("a")));
    int number = harness.call("a").attempt();
    TakenSnapshot snapshot = TakenSnapshot.of(harness.kernel());
    SnapshotEntry state = snapshot.entries.getFirst();
    int older = state.bytes().length - CALLS_AND_BINDINGS;
    snapshot.entries.set(
        0, new SnapshotEntry(state.partition(), state.kind(), Arrays.copyOf(state.bytes(), older)));

    RecoveredKernel restored =
        new RecoveredKernel(harness, snapshot.ofOlder(), List.of(), (a, b, c) -> {}, 1);
    assertEquals(new Seen("\"" + id + "-" + number + "\"", 2), seen(restored.calls().getFirst()));
  }

  private RecoveredKernel recovered(List<JournalRecord> records) {
    return new RecoveredKernel(harness, records, 1);
  }
}
