package dev.pinion.core.kernel;

import static dev.pinion.core.kernel.CompiledTasks.listen;
import static dev.pinion.core.kernel.Tasks.attempt;
import static dev.pinion.core.kernel.Tasks.call;
import static dev.pinion.core.kernel.Tasks.fork;
import static dev.pinion.core.kernel.Tasks.graph;
import static dev.pinion.core.kernel.Tasks.handler;
import static dev.pinion.core.kernel.Tasks.pause;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.graph.Node.Backoff;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.instance.HistoryEvent;
import dev.pinion.core.model.instance.HistoryEvent.EventKind;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Entries of the history that lifecycle events need: retries, suspended tasks, correlations. */
class LifecycleEntriesTest {
  private static final Set<EventKind> PAUSES =
      EnumSet.of(
          EventKind.INSTANCE_SUSPENDED,
          EventKind.TASK_SUSPENDED,
          EventKind.INSTANCE_RESUMED,
          EventKind.TASK_RESUMED);

  @RegisterExtension final KernelHarness harness = new KernelHarness();

  private List<HistoryEvent> entries(Set<EventKind> kinds) {
    return harness.happenings.stream().filter(each -> kinds.contains(each.kind())).toList();
  }

  private static String text(HistoryEvent entry) {
    HistoryEvent.TaskRun task = entry.task();
    String of = task == null ? "" : " " + task.name();
    return entry.kind() + of + (entry.detail() == null ? "" : " " + entry.detail());
  }

  private List<String> texts(EventKind... kinds) {
    return entries(Set.of(kinds)).stream().map(LifecycleEntriesTest::text).toList();
  }

  private void suspendAndResume(InstanceId id) {
    harness.offerSuspendOrResume(id);
    harness.settle();
    harness.offerSuspendOrResume(id);
    harness.settle();
  }

  @Test
  void shouldTellEachRetryOfATry() {
    harness.start(graph(attempt("t", handler().retry(3), call("c"))));
    harness.fail("c", 500);
    harness.fail("c", 500);
    harness.answer("c", Payload.of(1));

    assertEquals(
        List.of(
            "TASK_STARTED t",
            "TASK_STARTED c",
            "TASK_FAILED c",
            "TASK_STARTED c",
            "TASK_RETRIED t",
            "TASK_FAILED c",
            "TASK_STARTED c",
            "TASK_RETRIED t"),
        texts(EventKind.TASK_STARTED, EventKind.TASK_FAILED, EventKind.TASK_RETRIED));
  }

  @Test
  void shouldTellARetryWhenItsDelayIsOver() {
    harness.start(
        graph(
            attempt(
                "t",
                handler().retry(1).delay(Backoff.CONSTANT, Duration.ofSeconds(3)),
                call("c"))));
    harness.fail("c", 500);
    assertEquals(List.of(), texts(EventKind.TASK_RETRIED));

    harness.advance(Duration.ofSeconds(4));

    HistoryEvent retried = entries(Set.of(EventKind.TASK_RETRIED)).getFirst();
    HistoryEvent failed = entries(Set.of(EventKind.TASK_FAILED)).getFirst();
    assertEquals("TASK_RETRIED t", text(retried));
    long millis = retried.epochMillis() - failed.epochMillis();
    assertTrue(millis >= 3_000 && millis <= 3_005, () -> "milliseconds: " + millis);
  }

  @Test
  void shouldTellNoRetryOfWhatIsNotTriedAgain() {
    harness.start(graph(attempt("t", handler().run(call("d")), call("c"))));
    harness.fail("c", 500);
    harness.answer("d", Payload.of(1));

    assertEquals(List.of(), texts(EventKind.TASK_RETRIED));
  }

  @Test
  void shouldTellTheTasksUnderWayOfASuspendedInstance() {
    InstanceId id = harness.start(graph(fork("f", call("a"), pause("p", Duration.ofHours(1)))));

    suspendAndResume(id);

    assertEquals(
        List.of(
            "INSTANCE_SUSPENDED",
            "TASK_SUSPENDED f",
            "TASK_SUSPENDED a",
            "TASK_SUSPENDED p",
            "INSTANCE_RESUMED",
            "TASK_RESUMED f",
            "TASK_RESUMED a",
            "TASK_RESUMED p waiting"),
        entries(PAUSES).stream().map(LifecycleEntriesTest::text).toList());
    long distinct = entries(PAUSES).stream().map(HistoryEvent::sequence).distinct().count();
    assertEquals(8, distinct, "numbers");
  }

  @Test
  void shouldTellThatATaskGoesOnListening() {
    InstanceId id = harness.start(listen("{one: {with: {type: a}}}"), Payload.EMPTY_OBJECT);

    suspendAndResume(id);

    assertEquals(List.of("TASK_RESUMED hear waiting"), texts(EventKind.TASK_RESUMED));
  }

  @Test
  void shouldTellThatATaskHasItsEventsWhenItIsResumed() {
    InstanceId id = harness.start(listen("{one: {with: {type: a}}}"), Payload.EMPTY_OBJECT);
    harness.offerSuspendOrResume(id);
    harness.settle();
    harness.events.post("a", "1");
    harness.settle();
    harness.offerSuspendOrResume(id);
    harness.settle();

    assertEquals(List.of("TASK_RESUMED hear"), texts(EventKind.TASK_RESUMED));
  }

  @Test
  void shouldTellTheKeysOfACorrelation() {
    harness.start(
        listen(
            "{all: ["
                + "{with: {type: a}, correlate: {room: {from: .data.room}}},"
                + " {with: {type: b}, correlate: {room: {from: .data.room},"
                + " order: {from: .data.order, expect: .order}}}]}"),
        PostedEvents.json("{'order':7}"));
    harness.events.post("a", "{'room':'bath'}");
    harness.settle();
    assertEquals(List.of(), texts(EventKind.EVENT_CORRELATED));
    harness.events.post("b", "{'room':'bath','order':7}");
    harness.settle();

    HistoryEvent told = entries(Set.of(EventKind.EVENT_CORRELATED)).getFirst();
    assertEquals("EVENT_CORRELATED hear", text(told));
    assertEquals(
        PostedEvents.json("{'order':'7','room':'bath'}"), Objects.requireNonNull(told.output()));
  }

  @Test
  void shouldTellACorrelationWithoutKeysOnceAndNoneThatIsBrokenOff() {
    harness.start(listen("{any: [{with: {type: a}}], until: '${ length == 2 }'}"), Payload.NULL);
    harness.events.post("a", "1");
    harness.settle();
    assertEquals(List.of(), texts(EventKind.EVENT_CORRELATED));
    harness.events.post("a", "2");
    harness.settle();
    assertEquals(List.of("EVENT_CORRELATED hear"), texts(EventKind.EVENT_CORRELATED));
    assertEquals(null, entries(Set.of(EventKind.EVENT_CORRELATED)).getFirst().output());

    InstanceId id =
        harness.start(
            CompiledTasks.graph("other", "  - hear: {listen: {to: {one: {with: {type: a}}}}}\n"));
    harness.cancel(id);
    assertEquals(List.of("EVENT_CORRELATED hear"), texts(EventKind.EVENT_CORRELATED));
  }
}
