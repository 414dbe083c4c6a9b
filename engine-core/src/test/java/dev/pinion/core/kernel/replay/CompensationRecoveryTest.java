package dev.pinion.core.kernel.replay;

import static dev.pinion.core.kernel.Tasks.attempt;
import static dev.pinion.core.kernel.Tasks.block;
import static dev.pinion.core.kernel.Tasks.call;
import static dev.pinion.core.kernel.Tasks.fork;
import static dev.pinion.core.kernel.Tasks.graph;
import static dev.pinion.core.kernel.Tasks.handler;
import static dev.pinion.core.kernel.Tasks.loop;
import static dev.pinion.core.kernel.Tasks.race;
import static dev.pinion.core.kernel.Tasks.set;
import static dev.pinion.core.kernel.Values.numbers;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.graph.ProcessGraph;
import dev.pinion.core.kernel.KernelHarness;
import dev.pinion.core.kernel.TaskSpec;
import dev.pinion.core.message.Effect;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.core.model.call.HttpCall;
import dev.pinion.core.model.instance.CompensationStatus;
import dev.pinion.core.model.instance.InstanceState;
import dev.pinion.core.model.instance.InstanceView;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Compensation over crashes, from journals and from snapshots. */
class CompensationRecoveryTest {
  @RegisterExtension final KernelHarness harness = new KernelHarness();

  private static TaskSpec book(String name) {
    return call(name).compensate(call("undo-" + name));
  }

  /** Everything that may be compensated: an attempt, a race, branches, and the whole. */
  private static ProcessGraph everything() {
    return graph(
        loop("l", numbers(2), set("s", 1).capturing("index").compensate(call("undo-s"))),
        attempt("t", handler().retry(1), book("a"), book("b"), call("c")),
        race("r", block("x", book("d"), call("e")), block("y", call("f"))),
        fork("k", book("g"), book("h")),
        call("z"));
  }

  private void answer(String task) {
    harness.answer(task, Payload.of(task));
    assertRecovers();
  }

  private void fail(String task) {
    harness.fail(task, 503);
    assertRecovers();
  }

  /** A kernel that reads the journal, and one that reads its snapshot, are in the same state. */
  private void assertRecovers() {
    RecoveredKernel replayed = recovered();
    replayed.assertLike(harness);
    replayed.again(harness).assertLike(harness);
  }

  private RecoveredKernel recovered() {
    return new RecoveredKernel(harness, harness.journal.entries(), 1);
  }

  @Test
  void shouldBeInTheSameStateAfterEachRecord() {
    InstanceId id = harness.start(everything());
    answer("a");
    answer("b");
    fail("c");
    answer("undo-b");
    answer("undo-a");
    answer("a");
    answer("b");
    answer("c");
    answer("d");
    answer("f");
    answer("undo-d");
    answer("h");
    answer("g");
    fail("z");
    fail("undo-g");
    for (String next : List.of("undo-h", "undo-b", "undo-a", "undo-s")) {
      answer(next);
    }
    answer("undo-s");

    InstanceView view = harness.view(id);
    assertEquals(InstanceState.FAULTED, view.state());
    CompensationStatus status = Objects.requireNonNull(view.compensation());
    assertEquals(new CompensationStatus(false, 8, 0, 1, status.failures()), status);
    assertEquals("/do/3/k/fork/branches/0/g", status.failures().getFirst().task());
    assertEquals(view, recovered().view(id));
    assertEquals(view, recovered().again(harness).view(id));
  }

  @Test
  void shouldGoOnWithACancellationAfterARecovery() {
    InstanceId id = harness.start(graph(book("a"), book("b"), call("c")));
    answer("a");
    answer("b");
    harness.cancel(id);
    assertRecovers();

    for (RecoveredKernel recovered : List.of(recovered(), recovered().again(harness))) {
      assertEquals(InstanceState.RUNNING, recovered.view(id).state());
      recovered.answer(only(recovered, "undo-b"), Payload.NULL);
      recovered.answer(only(recovered, "undo-a"), Payload.NULL);
      assertEquals(InstanceState.CANCELLED, recovered.view(id).state());
      assertEquals(0, recovered.heldBytes());
    }
  }

  @Test
  void shouldEndAtOnceAfterARecoveryWhatWasEndedAtOnce() {
    InstanceId id = harness.start(graph(book("a"), call("b")));
    answer("a");
    harness.cancelAtOnce(id);

    assertEquals(harness.view(id), recovered().view(id));
    assertEquals(harness.view(id), recovered().again(harness).view(id));
  }

  @Test
  void shouldMakeTheCallOfACompensationAgainUnderItsKey() {
    harness.start(graph(book("a"), call("b")));
    harness.answer("a", Payload.NULL);
    harness.fail("b", 503);
    Effect.Invoke before = harness.call("undo-a");
    RecoveredKernel recovered = recovered();
    Effect.Invoke again = only(recovered, "undo-a");

    assertEquals(header(before, HttpCall.IDEMPOTENCY_KEY), header(again, HttpCall.IDEMPOTENCY_KEY));
    assertEquals("2", header(again, HttpCall.ATTEMPT));
  }

  @Test
  void shouldKnowThePlacesOfRunningTasksAfterARecovery() {
    KernelHarness one = new KernelHarness(Map.of("instance.maxCompensations", 1));
    InstanceId id = one.start(graph(fork("f", book("a"), block("x", call("b"), book("c")))));
    RecoveredKernel recovered = new RecoveredKernel(one, one.journal.entries(), 1).again(one);
    recovered.answer(only(recovered, "b"), Payload.NULL);

    WorkflowError error = Objects.requireNonNull(recovered.view(id).error());
    assertTrue(String.valueOf(error.detail()).contains("instance.maxCompensations"));
    one.finish();
  }

  private static Effect.Invoke only(RecoveredKernel kernel, String task) {
    return kernel.calls().stream()
        .filter(call -> ((HttpCall) call.call()).uri().endsWith("/" + task))
        .findFirst()
        .orElseThrow(() -> new AssertionError("expected a call of " + task));
  }

  private static String header(Effect.Invoke invoke, String name) {
    return ((HttpCall) invoke.call())
        .headers().stream()
            .filter(field -> field.name().equals(name))
            .map(HttpCall.HeaderField::value)
            .findFirst()
            .orElse("none");
  }
}
