package dev.pinion.core.kernel;

import static dev.pinion.core.kernel.Tasks.attempt;
import static dev.pinion.core.kernel.Tasks.call;
import static dev.pinion.core.kernel.Tasks.child;
import static dev.pinion.core.kernel.Tasks.detached;
import static dev.pinion.core.kernel.Tasks.fork;
import static dev.pinion.core.kernel.Tasks.graph;
import static dev.pinion.core.kernel.Tasks.handler;
import static dev.pinion.core.kernel.Tasks.named;
import static dev.pinion.core.kernel.Tasks.nothing;
import static dev.pinion.core.kernel.Tasks.pause;
import static dev.pinion.core.kernel.Tasks.race;
import static dev.pinion.core.kernel.Tasks.set;
import static dev.pinion.core.kernel.Values.json;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.graph.ProcessGraph;
import dev.pinion.core.journal.JournalRecord;
import dev.pinion.core.message.Command;
import dev.pinion.core.message.Event;
import dev.pinion.core.message.ReplyAddress;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.instance.InstanceState;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Children that are cancelled, suspended and resumed with their parents, or run again. */
class ChildControlTest {
  private static final Duration LONG = Duration.ofHours(1);

  @RegisterExtension final KernelHarness harness = new KernelHarness();

  private final RecordedChildren children = new RecordedChildren(harness);

  @Test
  void shouldCancelTheChildWithItsParentAndItsChildrenToo() {
    ProcessGraph grandchild = named("grandchild", pause("p", LONG));
    ProcessGraph child = named("child", child("run", grandchild));
    InstanceId id = children.start(graph(child("run", child), nothing("after")), child, grandchild);
    InstanceId childId = children.only(id);
    InstanceId grandchildId = children.only(childId);

    harness.cancel(id);
    assertEquals(InstanceState.CANCELLED, harness.state(childId));
    assertEquals(InstanceState.CANCELLED, harness.state(grandchildId));
    assertEquals(
        3,
        harness.journal.entries().stream()
            .filter(each -> each.event() instanceof Event.Cancelled)
            .count(),
        "recorded each");
  }

  @Test
  void shouldLeaveChildrenAloneForWhichNobodyWaits() {
    ProcessGraph child = named("child", pause("p", LONG));
    InstanceId id = children.start(graph(detached("run", child), pause("w", LONG)), child);

    harness.cancel(id);
    assertEquals(InstanceState.WAITING, harness.state(children.only(id)));
  }

  @Test
  void shouldCancelTheChildOfATaskThatTakesTooLong() {
    ProcessGraph child = named("child", pause("p", LONG));
    InstanceId id =
        children.start(
            graph(
                attempt(
                    "t",
                    handler().run(set("late", 1)),
                    child("run", child).timeout(Duration.ofSeconds(1)))),
            child);

    harness.advance(Duration.ofSeconds(2));
    assertEquals(Payload.of(1), harness.output(id));
    assertEquals(InstanceState.CANCELLED, harness.state(children.only(id)));
  }

  @Test
  void shouldCancelTheChildOfAnInstanceThatFaults() {
    ProcessGraph child = named("child", pause("p", LONG));
    InstanceId id = children.start(graph(fork("f", child("run", child), call("ask"))), child);

    harness.fail("ask", 500);
    assertEquals(InstanceState.FAULTED, harness.state(id));
    assertEquals(InstanceState.CANCELLED, harness.state(children.only(id)));
  }

  @Test
  void shouldCancelTheChildThatLosesARace() {
    ProcessGraph slow = named("slow", pause("p", LONG));
    ProcessGraph quick = named("quick", call("ask"));
    InstanceId id =
        children.start(graph(race("r", child("a", slow), child("b", quick))), slow, quick);

    harness.answer("ask", Payload.of(5));
    assertEquals(Payload.of(5), harness.output(id));
    assertEquals(
        List.of(InstanceState.CANCELLED, InstanceState.COMPLETED),
        children.of(id).stream().map(harness::state).toList());
  }

  @Test
  void shouldNotStartAChildThatIsWithdrawnBefore() {
    ProcessGraph child = named("child", nothing("n"));
    InstanceId id = children.start(graph(race("r", set("quick", 1), child("run", child))), child);

    assertEquals(Payload.of(1), harness.output(id));
    assertEquals(List.of(), children.of(id));
  }

  @Test
  void shouldSuspendAndResumeChildrenWithTheirParent() {
    ProcessGraph grandchild = named("grandchild", call("ask"), call("again"));
    ProcessGraph child = named("child", child("run", grandchild));
    InstanceId id = children.start(graph(child("run", child), nothing("after")), child, grandchild);
    InstanceId childId = children.only(id);
    InstanceId grandchildId = children.only(childId);

    harness.offerSuspendOrResume(id);
    harness.settle();
    assertEquals(InstanceState.SUSPENDED, harness.state(childId));
    assertEquals(InstanceState.SUSPENDED, harness.state(grandchildId));
    harness.answer("ask", Payload.of(1));
    assertTrue(harness.calls.isEmpty(), "nothing begins");

    harness.offerSuspendOrResume(id);
    harness.settle();
    harness.answer("again", Payload.of(2));
    assertEquals(Payload.of(2), harness.output(id));
  }

  @Test
  void shouldNotSuspendChildrenForWhichNobodyWaits() {
    ProcessGraph child = named("child", pause("p", LONG));
    InstanceId id = children.start(graph(detached("run", child), pause("w", LONG)), child);

    harness.offerSuspendOrResume(id);
    harness.settle();
    assertEquals(InstanceState.WAITING, harness.state(children.only(id)));
    assertEquals(InstanceState.SUSPENDED, harness.state(id));
  }

  @Test
  void shouldStartNoChildOfASuspendedInstance() {
    ProcessGraph child = named("child", set("s", 1));
    harness.deploy(child);
    long request = harness.offerStart(0, graph(nothing("n"), child("run", child)), json("1"), true);
    harness.graphs().complete = false; // the start waits
    harness.settle();
    InstanceId id = harness.accepted(request);
    harness.offerSuspendOrResume(id);
    harness.settle();
    harness.graphs().complete = true;
    harness.settle();
    assertEquals(List.of(), children.of(id));

    harness.offerSuspendOrResume(id);
    harness.settle();
    assertEquals(Payload.of(1), harness.output(id));
  }

  @Test
  void shouldForgetTheStartOfASuspendedInstanceThatIsCancelled() {
    ProcessGraph child = named("child", set("s", 1));
    harness.graphs().complete = false;
    InstanceId id = children.start(graph(child("run", child), nothing("after")), child);
    harness.offerSuspendOrResume(id);
    harness.settle();
    harness.graphs().complete = true;
    harness.settle();

    harness.cancel(id);
    assertEquals(List.of(), children.of(id));
  }

  @Test
  void shouldTakeTheEndOfAChildWhileItIsSuspended() {
    ProcessGraph child = named("child", call("ask"));
    InstanceId id = children.start(graph(child("run", child), nothing("after")), child);
    InstanceId childId = children.only(id);
    harness.offerSuspendOrResume(id);
    harness.settle();
    harness.offer(0, new Command.Resume(childId, harness.newAddress())); // the child alone
    harness.settle();

    harness.answer("ask", Payload.of(3));
    assertEquals(Payload.of(3), harness.output(childId));
    assertEquals(InstanceState.SUSPENDED, harness.state(id));
    harness.offerSuspendOrResume(id);
    harness.settle();
    assertEquals(Payload.of(3), harness.output(id));
  }

  @Test
  void shouldRunAnotherChildWhenTheParentIsRetried() {
    ProcessGraph child = named("child", call("ask"));
    InstanceId id = children.start(graph(child("run", child), nothing("after")), child);
    harness.fail("ask", 500);
    assertEquals(InstanceState.FAULTED, harness.state(id));

    harness.offerRetry(id);
    harness.settle();
    assertEquals(2, children.of(id).size());
    harness.answer("ask", Payload.of(6));
    assertEquals(Payload.of(6), harness.output(id));
  }

  @Test
  void shouldRunTheOtherChildrenOfARetriedParentAgain() {
    ProcessGraph child = named("child", pause("p", Duration.ofSeconds(5)), set("s", 1));
    InstanceId id = children.start(graph(fork("f", child("run", child), call("ask"))), child);
    InstanceId first = children.only(id);
    harness.fail("ask", 500);
    assertEquals(InstanceState.CANCELLED, harness.state(first));

    harness.offerRetry(id);
    harness.settle();
    harness.answer("ask", Payload.of(2));
    assertEquals(InstanceState.WAITING, harness.state(id));
    harness.advance(Duration.ofSeconds(6));
    assertEquals(json("[1,2]"), harness.output(id));
    assertEquals(2, children.of(id).size());
    assertNotEquals(number(first), number(children.of(id).getLast()), "numbers of the waits");
  }

  private int number(InstanceId child) {
    return harness.journal.entries().stream()
        .filter(each -> each.id().equals(child))
        .map(JournalRecord::event)
        .map(event -> Objects.requireNonNull(((Event.Started) event).parent()).attempt())
        .findFirst()
        .orElseThrow();
  }

  @Test
  void shouldRetryAChildAloneWithoutTellingAnybody() {
    ProcessGraph child = named("child", call("ask"));
    InstanceId id = children.start(graph(child("run", child), nothing("after")), child);
    InstanceId childId = children.only(id);
    harness.fail("ask", 500);

    harness.offerRetry(childId);
    harness.settle();
    harness.answer("ask", Payload.of(1));
    assertEquals(Payload.of(1), harness.output(childId));
    assertEquals(InstanceState.FAULTED, harness.state(id));
    assertEquals(id, Objects.requireNonNull(harness.view(childId).parent()).id());
  }

  @Test
  void shouldRerunAChildAsAnInstanceOfItsOwn() {
    ProcessGraph child = named("child", nothing("n"));
    InstanceId id = children.start(graph(child("run", child), nothing("after")), child);
    long request = 1_000;
    harness.offer(
        0, new Command.Rerun(children.only(id), new ReplyAddress<>(0, request), true, null, false));
    harness.settle();

    assertNull(harness.view(harness.accepted(request)).parent());
  }
}
