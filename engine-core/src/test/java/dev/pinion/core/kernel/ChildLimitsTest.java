package dev.pinion.core.kernel;

import static dev.pinion.core.kernel.Tasks.attempt;
import static dev.pinion.core.kernel.Tasks.child;
import static dev.pinion.core.kernel.Tasks.fork;
import static dev.pinion.core.kernel.Tasks.graph;
import static dev.pinion.core.kernel.Tasks.handler;
import static dev.pinion.core.kernel.Tasks.named;
import static dev.pinion.core.kernel.Tasks.nothing;
import static dev.pinion.core.kernel.Tasks.parallel;
import static dev.pinion.core.kernel.Tasks.pause;
import static dev.pinion.core.kernel.Tasks.raise;
import static dev.pinion.core.kernel.Tasks.set;
import static dev.pinion.core.kernel.Values.json;
import static dev.pinion.core.kernel.Values.numbers;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.graph.ProcessGraph;
import dev.pinion.core.journal.Journal;
import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.core.model.call.ChildStart;
import dev.pinion.core.model.instance.HistoryEvent;
import dev.pinion.core.model.instance.HistoryEvent.EventKind;
import dev.pinion.core.model.instance.InstanceState;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Children for which there is no room now, or never. */
class ChildLimitsTest {
  private static final Duration LONG = Duration.ofHours(1);

  /** Limits whose records hold values of 1,024 characters. */
  private static final Map<String, Integer> SHORT_RECORDS =
      Map.of(
          "request.maxBodyBytes", 1_024,
          "definition.maxBytes", 1_024,
          "invoker.maxResponseBytes", 1_024);

  @RegisterExtension final KernelHarness harness = new KernelHarness();

  private final RecordedChildren children = new RecordedChildren(harness);

  @Test
  void shouldStartNoChildBeforeAllDefinitionsAreKnown() {
    ProcessGraph child = named("child", set("s", 1));
    harness.graphs().complete = false;
    InstanceId id = children.start(graph(child("run", child), nothing("after")), child);

    assertEquals(List.of(), children.of(id));
    assertTrue(harness.kernel().nextDeadlineNanos() < Long.MAX_VALUE, "looks again");
    harness.graphs().complete = true;
    harness.settle();
    assertEquals(Payload.of(1), harness.output(id));
  }

  @Test
  void shouldStartNoChildBeforeItsDefinitionIsCompiled() {
    ProcessGraph child = named("child", set("s", 1));
    harness.graphs().prepared = false;
    InstanceId id = children.start(graph(fork("f", child("a", child), child("b", child))), child);

    assertEquals(List.of(), children.of(id));
    assertTrue(harness.kernel().nextDeadlineNanos() < Long.MAX_VALUE, "looks again");
    harness.graphs().prepared = true;
    harness.settle();
    assertEquals(json("[1,1]"), harness.output(id));
    assertEquals(2, children.of(id).size());
    assertEquals("/do/0/f/fork/branches/0/a", taskOf(children.of(id).getFirst()), "in order");
  }

  private String taskOf(InstanceId child) {
    return Objects.requireNonNull(harness.view(child).parent()).pointer();
  }

  @Test
  void shouldForgetAStartThatWaitsForTheCompiler() {
    ProcessGraph child = named("child", set("s", 1));
    harness.graphs().prepared = false;
    InstanceId id = children.start(graph(child("run", child), nothing("after")), child);

    harness.cancel(id);
    harness.graphs().prepared = true;
    harness.settle();
    assertEquals(List.of(), children.of(id));
    assertEquals(Payload.of(1), harness.run(graph(child("run", child), nothing("after"))));
  }

  @Test
  void shouldNestNoDeeperThanTheLimit() {
    KernelHarness two = new KernelHarness(Map.of("instance.maxNesting", 2));
    ProcessGraph itself = named("itself", child("run", "itself", true));
    InstanceId id = two.start(itself);

    WorkflowError error = two.error(id);
    assertEquals(ErrorType.RUNTIME.uri(), error.type());
    assertEquals(
        "expected workflows to be nested at most 2 deep (instance.maxNesting), found one more",
        error.detail());
    assertEquals(3, two.kernel().counters().faulted());
    two.finish();
  }

  @Test
  void shouldCountTheNestingOfChildrenForWhichNobodyWaits() {
    KernelHarness two = new KernelHarness(Map.of("instance.maxNesting", 2));
    two.start(named("itself", child("run", "itself", false)));

    assertEquals(2, two.kernel().counters().completed());
    assertEquals(1, two.kernel().counters().faulted());
    two.finish();
  }

  @Test
  void shouldFailWhenThereIsNoRoomForAnotherInstance() {
    KernelHarness one = new KernelHarness(Map.of("kernel.maxInstances", 1));
    ProcessGraph child = named("child", nothing("n"));
    one.deploy(child);
    InstanceId id =
        one.start(graph(attempt("t", handler().run(set("full", 1)), child("run", child))));

    assertEquals(Payload.of(1), one.output(id));
    HistoryEvent failed =
        one.happenings.stream()
            .filter(each -> each.kind() == EventKind.TASK_FAILED)
            .findFirst()
            .orElseThrow();
    WorkflowError error = Objects.requireNonNull(failed.error());
    assertEquals(503, error.status());
    assertEquals(
        "expected room for another instance, found none: kernel.maxInstances", error.detail());
    one.finish();
  }

  @Test
  void shouldFailWhenTheInputIsTooLongForARecord() {
    KernelHarness tight = new KernelHarness(SHORT_RECORDS);
    ProcessGraph child = named("child", nothing("n"));
    tight.deploy(child);
    int most = tight.limits.maxRecordedBytes();
    assertEquals(1_024, most);

    assertEquals(
        most - 2,
        text(
            tight.run(
                graph(child("run", child), nothing("after")), Payload.of("x".repeat(most - 2)))));
    InstanceId id =
        tight.start(graph(child("run", child), nothing("after")), Payload.of("x".repeat(most)));
    assertTrue(
        Objects.requireNonNull(tight.error(id).detail())
            .startsWith("expected an input of at most 1024"),
        tight.error(id)::toString);
    tight.finish();
  }

  @Test
  void shouldFailWhenTheOutputOfTheChildIsTooLongForARecord() {
    KernelHarness tight = new KernelHarness(SHORT_RECORDS);
    int most = tight.limits.maxRecordedBytes();
    ProcessGraph fits = named("fits", set("s", Values.constant(Payload.of("x".repeat(most - 2)))));
    ProcessGraph longer = named("longer", set("s", Values.constant(Payload.of("x".repeat(most)))));
    tight.deploy(fits, longer);

    assertEquals(most - 2, text(tight.run(graph(child("run", fits), nothing("after")))));
    InstanceId id = tight.start(graph(child("run", longer), nothing("after")));
    assertEquals(
        "expected an output or error of a workflow of at most 1024 bytes for a record of the"
            + " journal (request.maxBodyBytes, invoker.maxResponseBytes), found more",
        tight.error(id).detail());
    tight.finish();
  }

  @Test
  void shouldFailWhenTheErrorOfTheChildIsTooLongForARecord() {
    KernelHarness tight = new KernelHarness(SHORT_RECORDS);
    ProcessGraph child = named("child", raise("r", "urn:" + "x".repeat(1_024), 409));
    tight.deploy(child);
    InstanceId id = tight.start(graph(child("run", child), nothing("after")));

    assertEquals(500, tight.error(id).status());
    assertTrue(
        Objects.requireNonNull(tight.error(id).detail())
            .startsWith("expected an output or error of a workflow of at most 1024"),
        tight.error(id)::toString);
    tight.finish();
  }

  @Test
  void shouldShortenAnErrorAboutANameThatNoRecordHolds() {
    KernelHarness tight = new KernelHarness(SHORT_RECORDS);
    String name = "n".repeat(100_000);
    InstanceId id =
        tight.start(
            graph(
                child(
                    "run", (in, scope, budget) -> new ChildStart("tests", name, null, in), true)));

    String detail = Objects.requireNonNull(tight.error(id).detail());
    assertTrue(detail.startsWith("expected the workflow tests/nnn"), detail);
    assertEquals(2_299, detail.length());
    tight.finish();
  }

  private static int text(Payload value) {
    return value.json().textValue().length();
  }

  @Test
  void shouldRunAThousandChildrenAtOnce() {
    ProcessGraph child = named("child", pause("p", Duration.ofSeconds(1)));
    InstanceId id =
        children.start(graph(parallel("all", 0, numbers(1_000), child("run", child))), child);

    assertEquals(1_000, children.of(id).size());
    assertEquals(1_001, harness.kernel().instances().size());
    harness.advance(Duration.ofSeconds(2));
    assertEquals(1_000, harness.output(id).json().size());
  }

  @Test
  void shouldCancelAThousandChildren() {
    ProcessGraph child = named("child", pause("p", LONG));
    InstanceId id =
        children.start(graph(parallel("all", 0, numbers(1_000), child("run", child))), child);

    harness.cancel(id);
    assertEquals(0, harness.kernel().instances().size());
    assertEquals(1_001, harness.kernel().counters().cancelled());
  }

  @Test
  void shouldCancelManyChildrenInSeveralDutyCycles() {
    ProcessGraph child = named("child", pause("p", LONG));
    InstanceId id =
        children.start(graph(parallel("all", 0, numbers(3_000), child("run", child))), child);
    assertEquals(3_001, harness.kernel().instances().size());

    harness.offerCancel(id);
    harness.cycle();
    assertTrue(harness.kernel().instances().size() > 1_000, "other work comes between");
    harness.settle();
    assertEquals(0, harness.kernel().instances().size());
  }

  @Test
  void shouldWaitWhileTheWriterOfTheJournalIsBehind() {
    ProcessGraph child = named("child", nothing("n"));
    harness.deploy(child);
    long request =
        harness.offerStart(0, graph(child("run", child), nothing("after")), Payload.NULL, true);
    harness.journal.refuseFrom(1, Journal.Rejection.BEHIND);
    harness.settle();
    InstanceId id = harness.accepted(request);
    assertEquals(List.of(), children.of(id));
    assertEquals(InstanceState.WAITING, harness.state(id));
    assertTrue(harness.kernel().nextDeadlineNanos() < Long.MAX_VALUE, "looks again");

    harness.journal.refuseFrom(0, null);
    harness.settle();
    assertEquals(InstanceState.COMPLETED, harness.state(id));
  }

  @Test
  void shouldFailWhenTheDiskIsFull() {
    ProcessGraph child = named("child", nothing("n"));
    harness.deploy(child);
    long request =
        harness.offerStart(0, graph(child("run", child), nothing("after")), Payload.NULL, true);
    harness.journal.refuseFrom(1, Journal.Rejection.DISK_FULL);
    harness.settle();

    assertEquals(507, harness.error(harness.accepted(request)).status());
    harness.journal.refuseFrom(0, null);
  }
}
