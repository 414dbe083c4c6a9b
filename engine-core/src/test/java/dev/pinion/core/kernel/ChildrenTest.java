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
import static dev.pinion.core.kernel.Tasks.raise;
import static dev.pinion.core.kernel.Tasks.set;
import static dev.pinion.core.kernel.Tasks.unreturned;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.graph.ProcessGraph;
import dev.pinion.core.journal.JournalRecord;
import dev.pinion.core.kernel.step.Instance;
import dev.pinion.core.message.Command;
import dev.pinion.core.message.Query;
import dev.pinion.core.message.Reply;
import dev.pinion.core.message.ReplyAddress;
import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.core.model.call.ChildStart;
import dev.pinion.core.model.instance.HistoryEvent;
import dev.pinion.core.model.instance.HistoryEvent.EventKind;
import dev.pinion.core.model.instance.InstanceState;
import dev.pinion.core.model.instance.InstanceView;
import dev.pinion.core.model.instance.ParentTask;
import dev.pinion.core.model.instance.Tags;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Instances that start others and wait for their ends. */
class ChildrenTest {
  private static final Duration LONG = Duration.ofHours(1);

  @RegisterExtension final KernelHarness harness = new KernelHarness();

  private final RecordedChildren children = new RecordedChildren(harness);

  @Test
  void shouldTakeTheOutputOfTheChild() {
    ProcessGraph child = named("child", call("ask"));
    InstanceId id = children.start(graph(set("in", 7), child("run", child)), child);

    assertEquals(InstanceState.WAITING, harness.state(id));
    assertEquals(Payload.of(7), harness.call("ask").call().body());
    harness.answer("ask", Payload.of(8));
    assertEquals(Payload.of(8), harness.output(id));
    assertEquals(Payload.of(8), harness.output(children.only(id)));
  }

  @Test
  void shouldTellWhoStartedAChild() {
    ProcessGraph child = named("child", pause("p", LONG));
    InstanceId id = children.start(graph(child("run", child), nothing("after")), child);
    InstanceId childId = children.only(id);
    ParentTask parent = new ParentTask(id, "/do/0/run");

    assertEquals(parent, harness.view(childId).parent());
    assertNull(harness.view(id).parent());
    assertEquals(id.partition(), childId.partition());
    harness.advance(LONG.plusSeconds(1));
    assertEquals(parent, harness.view(childId).parent(), "when it has ended");
    assertEquals(InstanceState.COMPLETED, harness.state(id));
  }

  @Test
  void shouldGoOnWithItsInputWhenItDoesNotWait() {
    ProcessGraph child = named("child", pause("p", LONG), set("s", 2));
    InstanceId id =
        children.start(
            graph(set("in", 7), detached("run", child).from(Values.constant(Payload.of(9)))),
            child);

    assertEquals(Payload.of(9), harness.output(id));
    InstanceId childId = children.only(id);
    assertEquals(InstanceState.WAITING, harness.state(childId));
    harness.advance(LONG.plusSeconds(1));
    assertEquals(Payload.of(2), harness.output(childId));
  }

  @Test
  void shouldHaveNoOutputWhenNoneIsReturned() {
    ProcessGraph child = named("child", call("ask"));
    InstanceId id = children.start(graph(set("in", 7), unreturned("run", child)), child);

    assertEquals(InstanceState.WAITING, harness.state(id), "waits all the same");
    harness.answer("ask", Payload.of(8));
    assertEquals(Payload.NULL, harness.output(id));
    assertEquals(Payload.of(8), harness.output(children.only(id)));
  }

  @Test
  void shouldStartAnAwaitedChildBeforeItsParentGoesOn() {
    ProcessGraph child = named("child", set("s", 1));
    InstanceId id = children.start(graph(detached("run", child), call("next")), child);
    List<JournalRecord> records = harness.journal.entries();

    assertEquals(3, records.size(), records::toString);
    assertEquals(children.only(id), records.get(1).id());
    assertEquals(id, records.get(2).id(), "the end of the wait");
    harness.answer("next", Payload.NULL);
  }

  @Test
  void shouldFailWithTheErrorOfTheChild() {
    ProcessGraph child = named("child", nothing("n"), raise("r", "urn:out-of-stock", 409));
    InstanceId id = children.start(graph(child("run", child), nothing("after")), child);

    assertEquals(
        new WorkflowError("urn:out-of-stock", 409, "raised", "by r", "/do/0/run"),
        harness.error(id));
    assertEquals("/do/1/r", harness.error(children.only(id)).instance());
  }

  @Test
  void shouldCatchTheErrorOfAChildAndRunAnother() {
    ProcessGraph child = named("child", call("ask"));
    InstanceId id =
        children.start(graph(attempt("t", handler().retry(1), child("run", child))), child);

    harness.fail("ask", 503);
    assertEquals(2, children.of(id).size());
    harness.answer("ask", Payload.of(4));
    assertEquals(Payload.of(4), harness.output(id));
    assertEquals(InstanceState.FAULTED, harness.state(children.of(id).getFirst()));
  }

  @Test
  void shouldFailWhenAClientCancelsTheChild() {
    ProcessGraph child = named("child", pause("p", LONG));
    InstanceId id = children.start(graph(child("run", child), nothing("after")), child);
    InstanceId childId = children.only(id);

    harness.cancel(childId);
    WorkflowError error = harness.error(id);
    assertEquals(ErrorType.RUNTIME.uri(), error.type());
    assertEquals(
        "the workflow " + child.key() + " (" + childId + ") was cancelled", error.detail());
  }

  @Test
  void shouldFailWhenTheDefinitionIsUnknown() {
    ProcessGraph child = named("child", nothing("n"));
    InstanceId id = harness.start(graph(child("run", child), nothing("after")));

    WorkflowError error = harness.error(id);
    assertEquals(ErrorType.CONFIGURATION.uri(), error.type());
    assertEquals(
        "expected the workflow tests/child:latest to be deployed, found none", error.detail());
    assertEquals("/do/0/run", error.instance());
  }

  @Test
  void shouldRunTheVersionThatIsNamedOrTheLatestAtThatTime() {
    ProcessGraph first = named("child", set("s", 1));
    ProcessGraph second = named("child", set("s", 2));
    harness.deploy(first, second);
    ProcessGraph parent =
        graph(
            child(
                "old",
                (input, scope, budget) ->
                    new ChildStart("tests", "child", first.key().version(), input),
                true),
            call("pause"),
            child("latest", second));

    InstanceId id = harness.start(parent);
    harness.deploy(named("child", set("s", 3)));
    assertEquals(first.key(), harness.view(children.only(id)).definition());
    harness.answer("pause", Payload.NULL);
    assertEquals(Payload.of(3), harness.output(id));
  }

  @Test
  void shouldInheritTagsButNoOrder() {
    ProcessGraph child = named("child", pause("p", LONG));
    harness.deploy(child);
    Tags tags =
        new Tags("order 7", Map.of(Tags.SERVICE_CLASS, "gold", Tags.ORDERING_KEY, "key", "a", "b"));
    ProcessGraph parent = graph(child("run", child), nothing("after"));
    harness.deploy(parent);
    long request = 1_000;
    harness.offer(
        0,
        new Command.Start(
            parent.key(),
            0,
            Payload.NULL,
            new ReplyAddress<>(0, request),
            false,
            null,
            false,
            tags));
    harness.settle();

    InstanceView view = harness.view(children.only(harness.accepted(request)));
    assertEquals("order 7", view.tags().businessKey());
    assertEquals(Map.of(Tags.SERVICE_CLASS, "gold", "a", "b"), view.tags().labels());
    assertEquals(tags, harness.view(harness.accepted(request)).tags());
  }

  @Test
  void shouldTellTheHistoryOfBoth() {
    ProcessGraph child = named("child", call("ask"));
    InstanceId id = children.start(graph(child("run", child), nothing("after")), child);
    InstanceId childId = children.only(id);
    harness.answer("ask", Payload.NULL);

    List<HistoryEvent> ofParent = events(id);
    HistoryEvent began =
        ofParent.stream()
            .filter(each -> each.kind() == EventKind.CHILD_STARTED)
            .findFirst()
            .orElseThrow();
    assertEquals(child.key() + " as " + childId, began.detail());
    assertEquals(new HistoryEvent.TaskRun("/do/0/run", "run", 1), began.task());
    assertEquals(
        ofParent.stream().map(HistoryEvent::sequence).sorted().toList(),
        ofParent.stream().map(HistoryEvent::sequence).toList(),
        "in order");
    HistoryEvent first = events(childId).getFirst();
    assertEquals(new ParentTask(id, "/do/0/run"), first.parent());
    assertEquals("by " + id + " /do/0/run", first.detail());
  }

  private List<HistoryEvent> events(InstanceId id) {
    return harness.happenings.stream().filter(each -> each.id().equals(id)).toList();
  }

  @Test
  void shouldListChildrenByTheirParent() {
    ProcessGraph child = named("child", pause("p", LONG));
    InstanceId id = children.start(graph(fork("f", child("a", child), child("b", child))), child);
    harness.cancel(children.of(id).getFirst());

    assertEquals(children.of(id).reversed(), listed(id));
    assertEquals(List.of(), listed(children.of(id).getFirst()));
  }

  private List<InstanceId> listed(InstanceId parent) {
    long request = 2_000 + harness.journal.appended() * 10 + parent.value() % 7;
    harness.offer(
        0,
        new Query.ListInstances(
            null, null, null, Set.of(), parent, null, 10, new ReplyAddress<>(0, request)));
    harness.settle();
    return ((Reply.Page) harness.reply(request))
        .instances().stream().map(InstanceView::id).toList();
  }

  @Test
  void shouldEndTheWaitOfAParentThatIsPacked() {
    KernelHarness small = new KernelHarness(Map.of("kernel.maxHeldBytes", 128 << 10));
    ProcessGraph child = named("child", call("ask"));
    small.deploy(child);
    Payload large = Payload.of("x".repeat(40_000));
    TaskSpec run =
        child(
            "run",
            (in, scope, budget) -> new ChildStart("tests", "child", null, Payload.of(1)),
            true);
    InstanceId id = small.start(graph(run), large);
    Instance parent = small.kernel().instances().running(id);
    assertNotNull(parent, () -> "ended: " + small.view(id));
    assertTrue(parent.packedValues() != null, "packed");

    small.answer("ask", Payload.of(2));
    assertEquals(Payload.of(2), small.output(id));
    small.finish();
  }
}
