package dev.pinion.core.kernel.replay;

import static dev.pinion.core.kernel.EventScheduleDefinitions.quick;
import static dev.pinion.core.kernel.EventScheduleDefinitions.slow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.graph.ProcessGraph;
import dev.pinion.core.graph.ScheduleGraph;
import dev.pinion.core.journal.JournalRecord;
import dev.pinion.core.kernel.KernelHarness;
import dev.pinion.core.kernel.PostedEvents;
import dev.pinion.core.kernel.RecordedSchedules;
import dev.pinion.core.message.Effect;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.call.CallRequest;
import dev.pinion.core.model.instance.InstanceView;
import dev.pinion.core.model.instance.ParentTask;
import dev.pinion.core.model.instance.ScheduleView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Schedules of events over a crash behind every record. The log is read again from its beginning:
 * each match has one run all the same.
 */
class EventScheduleRecoveryTest {
  private static final String A = "{one: {with: {type: a}}}";
  private static final String PAIRS =
      "{all: [{with: {type: a}, correlate: {k: {from: .data.k}}},"
          + " {with: {type: b}, correlate: {k: {from: .data.k}}}]}";

  @RegisterExtension final KernelHarness harness = new KernelHarness();

  private final RecordedSchedules schedules = new RecordedSchedules(harness);
  private final List<PostedEvent> posted = new ArrayList<>();

  /** An event of the log. */
  private record PostedEvent(String type, String data, long epochMillis) {}

  private void post(String type, String data) {
    post(harness, type, data);
    harness.settle();
  }

  private void post(KernelHarness to, String type, String data) {
    posted.add(new PostedEvent(type, data, to.epochMillis()));
    to.events.post(type, data);
  }

  private void advance(long millis) {
    harness.advance(Duration.ofMillis(millis));
  }

  /** An event that nobody hears, before which the log is not known. */
  private void beginLog() {
    post("a", "'early'");
    advance(1_000);
  }

  private List<JournalRecord> records() {
    return harness.journal.entries();
  }

  /** A recovery that has read the whole log again, and come to rest. */
  private RecoveredKernel recover(KernelHarness of, @Nullable TakenSnapshot snapshot, int records) {
    List<JournalRecord> kept =
        snapshot == null ? of.journal.entries().subList(0, records) : List.of();
    RecoveredKernel recovered =
        new RecoveredKernel(of, snapshot, kept, (recovery, kernel, record) -> {}, 1);
    PostedEvents log = recovered.hear(of.limits);
    for (PostedEvent event : posted) {
      log.time(event.epochMillis());
      log.post(event.type(), event.data());
    }
    log.time(of.epochMillis());
    for (int i = 0; i < 100; i++) {
      recovered.advance(Duration.ofMillis(100));
      while (!recovered.calls().isEmpty()) {
        recovered.answer(recovered.calls().getFirst(), input(recovered.calls().getFirst()));
      }
    }
    return recovered;
  }

  /** The body of a call, which is the input of a slow run. */
  private static Payload input(Effect.Invoke call) {
    CallRequest request = call.call();
    return Objects.requireNonNull(request.body(), "a body");
  }

  /** Outputs of all runs, which are their inputs, oldest first. */
  private static List<Payload> runs(RecoveredKernel recovered) {
    return recovered.instances(null).stream()
        .filter(EventScheduleRecoveryTest::isRun)
        .sorted(Comparator.comparing(InstanceView::id))
        .map(view -> output(recovered.view(view.id())))
        .toList();
  }

  private static Payload output(InstanceView view) {
    return Objects.requireNonNull(view.output(), () -> "the output of " + view);
  }

  private static boolean isRun(InstanceView view) {
    ParentTask parent = view.parent();
    return parent != null && parent.pointer().equals(ScheduleGraph.POINTER);
  }

  private static long keepers(RecoveredKernel recovered) {
    return recovered.instances(null).stream()
        .filter(view -> ScheduleGraph.isKey(view.definition()) && !view.state().isTerminal())
        .count();
  }

  private static List<Payload> json(String... values) {
    return List.of(values).stream().map(PostedEvents::json).toList();
  }

  private static void assertRuns(List<Payload> expected, RecoveredKernel recovered, int records) {
    assertEquals(expected, runs(recovered), () -> records + " records");
    assertEquals(1, keepers(recovered), () -> records + " records");
  }

  @Test
  void shouldBeginOneRunForEachEventBehindEveryRecord() {
    beginLog();
    ProcessGraph graph = quick(A);
    schedules.deploy(graph);
    for (int i = 1; i <= 4; i++) {
      post("a", Integer.toString(i));
      advance(i % 2 * 1_500L);
    }

    for (int i = 1; i <= records().size(); i++) {
      RecoveredKernel recovered = recover(harness, null, i);
      assertRuns(json("[1]", "[2]", "[3]", "[4]"), recovered, i);
      assertEquals(
          new ScheduleView.Totals(4, 0, 0), recovered.schedule(graph).totals(), "counted once");
    }
    new RecoveredKernel(harness, records(), 1).assertLike(harness);
  }

  /** More events than an instance remembers exactly. */
  @Test
  void shouldBeginNoRunAgainForManyEvents() {
    beginLog();
    schedules.deploy(quick(A));
    List<Payload> expected = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      post("a", Integer.toString(i));
      expected.add(PostedEvents.json("[" + i + "]"));
    }

    for (int i = records().size() - 6; i <= records().size(); i++) {
      assertRuns(expected, recover(harness, null, i), i);
    }
  }

  @Test
  void shouldBeginOneRunBehindTheOtherBehindEveryRecord() {
    beginLog();
    schedules.deploy(slow("queue", A));
    for (int i = 1; i <= 3; i++) {
      post("a", Integer.toString(i));
    }
    harness.answer("ask", PostedEvents.json("[1]"));

    for (int i = 1; i <= records().size(); i++) {
      assertRuns(json("[1]", "[2]", "[3]"), recover(harness, null, i), i);
    }
    new RecoveredKernel(harness, records(), 1).assertLike(harness);
  }

  @Test
  void shouldPairEventsBehindEveryRecord() {
    beginLog();
    schedules.deploy(quick(PAIRS));
    post("a", "{'k':1}");
    post("a", "{'k':2}");
    post("b", "{'k':2}");
    post("b", "{'k':1}");
    post("b", "{'k':3}");

    List<Payload> expected = json("[{'k':2},{'k':2}]", "[{'k':1},{'k':1}]");
    for (int i = 1; i <= records().size(); i++) {
      assertRuns(expected, recover(harness, null, i), i);
    }
    new RecoveredKernel(harness, records(), 1).assertLike(harness);
  }

  @Test
  void shouldBeTakenOverByANewerVersionBehindEveryRecord() {
    beginLog();
    schedules.deploy(quick("1.0.0", PAIRS));
    post("a", "{'k':1}");
    post("a", "{'k':2}");
    post("b", "{'k':1}");
    advance(1_500);
    ProcessGraph second = quick("1.1.0", PAIRS);
    schedules.deploy(second);
    post("b", "{'k':2}");
    post("a", "{'k':3}");
    post("b", "{'k':3}");

    List<Payload> expected = json("[{'k':1},{'k':1}]", "[{'k':2},{'k':2}]", "[{'k':3},{'k':3}]");
    for (int i = 1; i <= records().size(); i++) {
      RecoveredKernel recovered = recover(harness, null, i);
      assertRuns(expected, recovered, i);
      assertEquals(second.key(), recovered.schedule(second).definition());
      assertEquals(3, recovered.schedule(second).totals().runs());
    }
  }

  /** What an older version did not want is not looked at again. */
  @Test
  void shouldNotGiveANewerVersionWhatWasComparedBefore() {
    beginLog();
    schedules.deploy(quick("1.0.0", A));
    post("b", "1");
    schedules.deploy(quick("1.1.0", "{one: {with: {type: b}}}"));
    post("b", "2");

    for (int i = records().size() - 2; i <= records().size(); i++) {
      assertRuns(json("[2]"), recover(harness, null, i), i);
    }
  }

  @Test
  void shouldBeReplacedOnceBehindEveryRecord() {
    KernelHarness brief = new KernelHarness(Map.of("instance.maxEvents", 4));
    RecordedSchedules of = new RecordedSchedules(brief);
    post(brief, "a", "{'k':0}");
    brief.advance(Duration.ofSeconds(1));
    of.deploy(quick(PAIRS));
    List<Payload> expected = new ArrayList<>();
    for (int k = 1; k <= 5; k++) {
      post(brief, "a", "{'k':" + k + "}");
      brief.settle();
      post(brief, "b", "{'k':" + k + "}");
      brief.settle();
      expected.add(PostedEvents.json("[{'k':" + k + "},{'k':" + k + "}]"));
    }

    for (int i = 1; i <= brief.journal.entries().size(); i++) {
      assertRuns(expected, recover(brief, null, i), i);
    }
    brief.finish();
  }

  @Test
  void shouldPassOverTheEventsOfAPauseAfterACrash() {
    beginLog();
    ProcessGraph graph = quick(A);
    schedules.deploy(graph);
    post("a", "1");
    advance(1_000);
    schedules.pause(graph);
    post("a", "2");
    advance(1_000);
    schedules.resume(graph);
    int resumed = records().size();
    advance(1_000);
    post("a", "3");

    for (int i = resumed; i <= records().size(); i++) {
      assertRuns(json("[1]", "[3]"), recover(harness, null, i), i);
    }
  }

  @Test
  void shouldHearNothingWhileItIsPausedAfterACrash() {
    beginLog();
    ProcessGraph graph = quick(A);
    schedules.deploy(graph);
    schedules.pause(graph);
    post("a", "1");

    RecoveredKernel recovered = recover(harness, null, records().size());
    assertRuns(List.of(), recovered, records().size());
    assertTrue(recovered.schedule(graph).paused());
  }

  @Test
  void shouldGoOnFromASnapshot() {
    beginLog();
    ProcessGraph graph = slow("queue", PAIRS);
    schedules.deploy(graph);
    for (String k : List.of("1", "2", "3")) {
      post("a", "{'k':" + k + "}");
    }
    post("b", "{'k':1}");
    post("b", "{'k':2}");
    TakenSnapshot snapshot = TakenSnapshot.of(harness.kernel());
    RecoveredKernel like =
        new RecoveredKernel(harness, snapshot, List.of(), (recovery, kernel, record) -> {}, 1);
    like.assertLikeUnderWay(harness);
    assertEquals(schedules.view(graph), like.schedule(graph));

    post("b", "{'k':3}");
    assertRuns(
        json("[{'k':1},{'k':1}]", "[{'k':2},{'k':2}]", "[{'k':3},{'k':3}]"),
        recover(harness, snapshot, 0),
        0);
  }
}
