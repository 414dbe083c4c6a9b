package dev.pinion.core.kernel;

import static dev.pinion.core.kernel.CompensationTest.book;
import static dev.pinion.core.kernel.Tasks.attempt;
import static dev.pinion.core.kernel.Tasks.call;
import static dev.pinion.core.kernel.Tasks.child;
import static dev.pinion.core.kernel.Tasks.fork;
import static dev.pinion.core.kernel.Tasks.graph;
import static dev.pinion.core.kernel.Tasks.handler;
import static dev.pinion.core.kernel.Tasks.loop;
import static dev.pinion.core.kernel.Tasks.named;
import static dev.pinion.core.kernel.Tasks.nothing;
import static dev.pinion.core.kernel.Tasks.raise;
import static dev.pinion.core.kernel.Tasks.set;
import static dev.pinion.core.kernel.Values.constant;
import static dev.pinion.core.kernel.Values.json;
import static dev.pinion.core.kernel.Values.numbers;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.graph.ProcessGraph;
import dev.pinion.core.message.Reply;
import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.core.model.instance.CompensationStatus;
import dev.pinion.core.model.instance.HistoryEvent;
import dev.pinion.core.model.instance.HistoryEvent.EventKind;
import dev.pinion.core.model.instance.InstanceState;
import dev.pinion.core.model.instance.InstanceView;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Instances that clients control while they compensate, and bounds of compensation. */
class CompensationControlTest {
  @RegisterExtension final KernelHarness harness = new KernelHarness();

  private final RecordedChildren children = new RecordedChildren(harness);

  private void answer(String... tasks) {
    for (String task : tasks) {
      harness.answer(task, Payload.of(task));
    }
  }

  private static CompensationStatus status(InstanceView view) {
    return Objects.requireNonNull(view.compensation());
  }

  private static CompensationStatus done(int compensated, int pending) {
    return new CompensationStatus(false, compensated, pending, 0, List.of());
  }

  @Test
  void shouldCompensateBeforeItIsCancelled() {
    InstanceId id = harness.start(graph(book("a"), book("b"), call("c")));
    answer("a", "b");
    Reply.Controlled reply = assertInstanceOf(Reply.Controlled.class, harness.cancel(id));

    assertEquals(InstanceState.RUNNING, reply.instance().state());
    assertEquals(new CompensationStatus(true, 0, 2, 0, List.of()), status(reply.instance()));
    answer("undo-b", "undo-a");
    assertEquals(InstanceState.CANCELLED, harness.state(id));
    assertEquals(done(2, 0), status(harness.view(id)));
    assertNull(harness.view(id).error());
  }

  @Test
  void shouldCancelAtOnceWhatHasDoneNothing() {
    InstanceId id = harness.start(graph(book("a"), call("b")));
    harness.cancel(id);

    assertEquals(InstanceState.CANCELLED, harness.state(id));
    assertNull(harness.view(id).compensation());
  }

  @Test
  void shouldFaultWhenWhatIsCancelledCouldNotBeUndone() {
    InstanceId id = harness.start(graph(book("a"), book("b"), call("c")));
    answer("a", "b");
    harness.cancel(id);
    harness.fail("undo-b", 500);
    answer("undo-a");

    WorkflowError error = harness.error(id);
    assertEquals("https://pinion.dev/errors/cancelled", error.type());
    assertEquals("the instance was cancelled; not compensated: /do/1/b", error.detail());
    assertEquals("/", error.instance());
  }

  @Test
  void shouldGoOnCompensatingWhenItIsCancelled() {
    InstanceId failed = harness.start(graph(book("a"), call("b")));
    answer("a");
    harness.fail("b", 503);
    int records = harness.journal.entries().size();
    assertInstanceOf(Reply.Controlled.class, harness.cancel(failed));

    assertEquals(records, harness.journal.entries().size());
    answer("undo-a");
    assertEquals(503, harness.error(failed).status(), "as if it had not been cancelled");
  }

  @Test
  void shouldEndAtOnceIfThatIsWanted() {
    InstanceId id = harness.start(graph(book("a"), book("b"), call("c")));
    answer("a", "b");
    harness.cancel(id);
    answer("undo-b");
    assertInstanceOf(Reply.Controlled.class, harness.cancelAtOnce(id));

    assertEquals(InstanceState.CANCELLED, harness.state(id));
    assertEquals(done(1, 1), status(harness.view(id)));
  }

  @Test
  void shouldCancelAlsoInTheMiddleOfTheCompensationOfATry() {
    InstanceId id =
        harness.start(
            graph(book("before"), attempt("t", handler(), book("a"), call("b")), call("z")));
    answer("before", "a");
    harness.fail("b", 500);
    harness.cancel(id);

    harness.calls.stream()
        .filter(each -> HttpCalls.of(each).uri().endsWith("/undo-a"))
        .findFirst()
        .ifPresent(each -> harness.answer(each, json("'too late'")));
    answer("undo-a", "undo-before");
    assertEquals(InstanceState.CANCELLED, harness.state(id));
    assertEquals(done(2, 0), status(harness.view(id)));
  }

  @Test
  void shouldFaultWhenWhatIsCancelledCouldNotBeUndoneByATryBefore() {
    InstanceId id =
        harness.start(graph(attempt("t", handler(), book("a"), book("b"), call("c")), call("z")));
    answer("a", "b");
    harness.fail("c", 503);
    harness.fail("undo-b", 500);
    harness.cancel(id);
    harness.answer("undo-a", json("'too late'")); // the one that is interrupted
    answer("undo-a");

    WorkflowError error = harness.error(id);
    assertEquals("https://pinion.dev/errors/cancelled", error.type());
    String detail = String.valueOf(error.detail());
    assertTrue(detail.startsWith("the instance was cancelled; not compensated: /do/0/t/"), detail);
    assertTrue(detail.endsWith("/b"), detail);
    assertEquals(1, status(harness.view(id)).failed());
  }

  @Test
  void shouldFaultWhenWhatIsCancelledHasOnlyLeftWhatCouldNotBeUndone() {
    InstanceId id =
        harness.start(
            graph(
                attempt("outer", handler(), attempt("inner", handler(), book("a"), call("b"))),
                call("z")));
    answer("a");
    harness.fail("b", 503);
    harness.fail("undo-a", 500);
    harness.cancel(id);

    WorkflowError error = harness.error(id);
    assertEquals("https://pinion.dev/errors/cancelled", error.type());
    assertTrue(String.valueOf(error.detail()).contains("not compensated: "), error::toString);
  }

  @Test
  void shouldBeginNoCompensationWhileItIsSuspended() {
    InstanceId id = harness.start(graph(book("a"), book("b"), call("c")));
    answer("a", "b");
    harness.fail("c", 503);
    harness.offerSuspendOrResume(id);
    harness.settle();
    answer("undo-b");
    assertEquals(List.of(), harness.calls);
    assertEquals(InstanceState.SUSPENDED, harness.state(id));
    assertTrue(status(harness.view(id)).running());

    harness.offerSuspendOrResume(id);
    harness.settle();
    answer("undo-a");
    assertEquals(503, harness.error(id).status());
  }

  @Test
  void shouldCompensateWhatFailsWhileItIsSuspendedWhenItIsResumed() {
    InstanceId id = harness.start(graph(book("a"), call("b")));
    answer("a");
    harness.offerSuspendOrResume(id);
    harness.settle();
    harness.fail("b", 503);
    assertEquals(List.of(), harness.calls);

    harness.offerSuspendOrResume(id);
    harness.settle();
    answer("undo-a");
    assertEquals(503, harness.error(id).status());
  }

  @Test
  void shouldEndTheSuspensionOfWhatIsCancelled() {
    InstanceId id = harness.start(graph(book("a"), call("b")));
    answer("a");
    harness.offerSuspendOrResume(id);
    harness.settle();
    harness.cancel(id);

    answer("undo-a");
    assertEquals(InstanceState.CANCELLED, harness.state(id));
  }

  @Test
  void shouldEndTheSuspensionOfWhatCompensatesAlready() {
    InstanceId id = harness.start(graph(book("a"), book("b"), call("c")));
    answer("a", "b");
    harness.fail("c", 503);
    harness.offerSuspendOrResume(id);
    harness.settle();
    answer("undo-b");
    assertEquals(InstanceState.SUSPENDED, harness.state(id));
    Reply.Controlled reply = assertInstanceOf(Reply.Controlled.class, harness.cancel(id));

    assertEquals(InstanceState.RUNNING, reply.instance().state());
    answer("undo-a");
    assertEquals(503, harness.error(id).status(), "as if it had not been cancelled");
  }

  @Test
  void shouldRefuseToRetryWhatWasCompensated() {
    InstanceId id = harness.start(graph(book("a"), call("b")));
    answer("a");
    harness.fail("b", 503);
    answer("undo-a");
    long request = harness.offerRetry(id);
    harness.settle();

    Reply.StateConflict refusal =
        assertInstanceOf(Reply.StateConflict.class, harness.reply(request));
    assertTrue(
        refusal.expected().contains("whose completed tasks were not compensated then"),
        refusal.expected());
  }

  @Test
  void shouldRetryWhatHadNothingToCompensateAnyMore() {
    InstanceId id = harness.start(graph(attempt("t", handler(), book("a"), call("b")), call("z")));
    answer("a");
    harness.fail("b", 500);
    answer("undo-a");
    harness.fail("z", 503);
    assertEquals(done(1, 0), status(harness.view(id)));

    assertInstanceOf(Reply.Accepted.class, reply(harness.offerRetry(id)));
    answer("z");
    assertEquals(json("'z'"), harness.output(id));
    assertEquals(done(1, 0), status(harness.view(id)));
  }

  private Reply reply(long request) {
    harness.settle();
    return harness.reply(request);
  }

  @Test
  void shouldTellTheHistory() {
    harness.start(graph(set("a", 1).compensate(call("u")), raise("r", "urn:e", 418)));
    harness.fail("u", 500);
    int size = harness.happenings.size();
    List<HistoryEvent> last = harness.happenings.subList(size - 8, size);

    assertEquals(
        List.of(
            EventKind.TASK_FAILED,
            EventKind.INSTANCE_COMPENSATING,
            EventKind.COMPENSATION_STARTED,
            EventKind.TASK_STARTED,
            EventKind.CALL_STARTED,
            EventKind.TASK_FAILED,
            EventKind.COMPENSATION_FAILED,
            EventKind.INSTANCE_FAULTED),
        last.stream().map(HistoryEvent::kind).toList());
    assertEquals(418, Objects.requireNonNull(last.get(1).error()).status());
    HistoryEvent begun = last.get(2);
    assertEquals(
        "/do/0/a/metadata/pinion/compensate", Objects.requireNonNull(begun.task()).pointer());
    assertEquals(Payload.of(1), begun.input());
  }

  @Test
  void shouldTellTheHistoryOfWhatWasInterrupted() {
    harness.start(graph(fork("f", attempt("t", handler(), book("a"), call("b")), call("c"))));
    answer("a");
    harness.fail("b", 500);
    harness.fail("c", 503);

    assertEquals(
        List.of(
            EventKind.COMPENSATION_STARTED,
            EventKind.COMPENSATION_CANCELLED,
            EventKind.COMPENSATION_STARTED),
        harness.happenings.stream()
            .map(HistoryEvent::kind)
            .filter(kind -> kind.name().startsWith("COMPENSATION_"))
            .toList());
  }

  @Test
  void shouldRegisterNoMoreThanTheLimit() {
    for (int most : List.of(2, 1)) {
      KernelHarness bounded = new KernelHarness(Map.of("instance.maxCompensations", most));
      InstanceId id =
          bounded.start(
              graph(
                  loop("l", numbers(2), set("a", 1).compensate(nothing("u"))),
                  raise("r", "urn:e", 418)));

      WorkflowError error = bounded.error(id);
      if (most == 2) {
        assertEquals(418, error.status());
      } else {
        assertEquals(ErrorType.RUNTIME.uri(), error.type());
        assertTrue(String.valueOf(error.detail()).contains("instance.maxCompensations = 1"));
      }
      assertEquals(done(most, 0), status(bounded.view(id)));
      bounded.finish();
    }
  }

  @Test
  void shouldCountTasksThatRunBySideOfOneAnother() {
    KernelHarness one = new KernelHarness(Map.of("instance.maxCompensations", 1));
    InstanceId id = one.start(graph(fork("f", book("a"), book("b"))));

    assertTrue(String.valueOf(one.error(id).detail()).contains("instance.maxCompensations"));
    one.finish();
  }

  @Test
  void shouldFreePlacesOfTasksThatFailed() {
    KernelHarness one = new KernelHarness(Map.of("instance.maxCompensations", 1));
    InstanceId id =
        one.start(
            graph(
                attempt("t", handler(), raise("r", "urn:e", 400).compensate(nothing("never"))),
                set("a", 1).compensate(nothing("u"))));

    assertEquals(Payload.of(1), one.output(id));
    one.finish();
  }

  @Test
  void shouldCompensateBeyondTheStepsOfTheInstance() {
    KernelHarness bounded = new KernelHarness(Map.of("instance.maxSteps", 3));
    InstanceId id =
        bounded.start(
            graph(set("a", 1).compensate(nothing("u")), nothing("b"), nothing("c"), nothing("d")));

    assertTrue(String.valueOf(bounded.error(id).detail()).contains("instance.maxSteps"));
    assertEquals(done(1, 0), status(bounded.view(id)));
    bounded.finish();
  }

  @Test
  void shouldEndACompensationWithoutEnd() {
    KernelHarness bounded = new KernelHarness(Map.of("instance.maxSteps", 10));
    InstanceId id =
        bounded.start(
            graph(
                set("a", 1).compensate(nothing("never")),
                set("b", 1).compensate(nothing("u").then("u")),
                raise("r", "urn:e", 418)));

    WorkflowError error = bounded.error(id);
    assertEquals(418, error.status(), "the first error");
    assertEquals("by r; not compensated: /do/0/a, /do/1/b", error.detail());
    assertEquals(done(0, 2), status(bounded.view(id)));
    bounded.finish();
  }

  @Test
  void shouldCompensateBeyondTheEventsOfTheInstance() {
    KernelHarness bounded = new KernelHarness(Map.of("instance.maxEvents", 2));
    InstanceId id = bounded.start(graph(book("a"), book("b"), call("c"), call("d")));
    bounded.answer("a", json("1"));
    bounded.answer("b", json("2"));
    bounded.answer("c", json("3"));
    bounded.answer("undo-b", json("4"));
    bounded.answer("undo-a", json("5"));

    assertTrue(String.valueOf(bounded.error(id).detail()).contains("instance.maxEvents"));
    assertEquals(done(2, 0), status(bounded.view(id)));
    bounded.finish();
  }

  @Test
  void shouldUndoAChildByTheTaskThatRanIt() {
    ProcessGraph one = named("one", set("s", 1));
    InstanceId id = children.start(graph(child("run", one).compensate(call("u")), call("z")), one);
    harness.fail("z", 503);

    assertEquals(Payload.of(1), harness.call("u").call().body(), "the output of the child");
    answer("u");
    assertEquals(503, harness.error(id).status());
  }

  @Test
  void shouldCompensateAChildThatFailsBeforeItsParentGoesOn() {
    ProcessGraph one = named("one", book("a"), call("b"));
    InstanceId id = children.start(graph(book("p"), child("run", one)), one);
    answer("p", "a");
    harness.fail("b", 503);

    assertEquals(InstanceState.RUNNING, harness.state(children.only(id)));
    answer("undo-a");
    answer("undo-p");
    assertEquals(503, harness.error(id).status());
    assertEquals(InstanceState.FAULTED, harness.state(children.only(id)));
  }

  @Test
  void shouldCompensateAChildThatIsCancelledWithItsParent() {
    ProcessGraph one = named("one", book("a"), call("b"));
    InstanceId id = children.start(graph(book("p"), child("run", one)), one);
    answer("p", "a");
    harness.cancel(id);

    answer("undo-a", "undo-p");
    assertEquals(InstanceState.CANCELLED, harness.state(children.only(id)));
    assertEquals(InstanceState.CANCELLED, harness.state(id));
  }

  @Test
  void shouldLetASuspendedChildEndItsCompensationWhenItsParentIsCancelled() {
    ProcessGraph one = named("one", book("a"), call("b"));
    InstanceId id = children.start(graph(child("run", one)), one);
    answer("a");
    harness.fail("b", 503);
    harness.offerSuspendOrResume(id);
    harness.settle();
    InstanceId child = children.only(id);
    assertEquals(InstanceState.SUSPENDED, harness.state(child));
    harness.cancel(id);

    answer("undo-a");
    assertEquals(InstanceState.CANCELLED, harness.state(id));
    assertEquals(503, harness.error(child).status());
  }

  @Test
  void shouldRunAChildToCompensate() {
    ProcessGraph one = named("one", call("u"));
    InstanceId id =
        children.start(
            graph(set("a", 7).compensate(child("undo", one)), raise("r", "urn:e", 418)), one);

    assertEquals(Payload.of(7), harness.call("u").call().body());
    answer("u");
    assertEquals(418, harness.error(id).status());
    assertEquals(InstanceState.COMPLETED, harness.state(children.only(id)));
  }

  @Test
  void shouldHoldNothingMoreOfWhatWasCompensated() {
    Payload large = Payload.of("x".repeat(10_000));
    harness.start(
        graph(
            attempt(
                "t",
                handler(),
                set("a", constant(large)).compensate(call("u")),
                raise("r", "urn:e", 400)),
            call("z")));
    long held = harness.kernel().memoryAccount().heapBytes();
    assertTrue(held > 10_000, "while it is registered: " + held);
    answer("u");
    assertTrue(harness.kernel().memoryAccount().heapBytes() < 10_000, "and not any more");
  }
}
