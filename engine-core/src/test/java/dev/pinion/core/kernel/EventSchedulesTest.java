package dev.pinion.core.kernel;

import static dev.pinion.core.kernel.EventScheduleDefinitions.hinted;
import static dev.pinion.core.kernel.EventScheduleDefinitions.quick;
import static dev.pinion.core.kernel.EventScheduleDefinitions.slow;
import static dev.pinion.core.kernel.RecordedSchedules.every;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.graph.ProcessGraph;
import dev.pinion.core.message.Event;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.instance.HistoryEvent;
import dev.pinion.core.model.instance.HistoryEvent.EventKind;
import dev.pinion.core.model.instance.InstanceState;
import dev.pinion.core.model.instance.ScheduleView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Schedules whose runs are started by events. A slow run is under way until the test answers. */
class EventSchedulesTest {
  private static final String A = "{one: {with: {type: a}}}";
  private static final String BOTH = "{all: [{with: {type: a}}, {with: {type: b}}]}";
  private static final String PAIRS =
      "{all: [{with: {type: a}, correlate: {k: {from: .data.k}}},"
          + " {with: {type: b}, correlate: {k: {from: .data.k}}}]}";

  @RegisterExtension final KernelHarness harness = new KernelHarness();

  private final RecordedSchedules schedules = new RecordedSchedules(harness);

  private void post(String type, String data) {
    harness.events.post(type, data);
    harness.settle();
  }

  private void postAll(String type, int count) {
    for (int i = 1; i <= count; i++) {
      post(type, Integer.toString(i));
    }
  }

  /** Compares the inputs of all runs so far, in single quotes. */
  private void assertRuns(String... inputs) {
    assertRuns(schedules, inputs);
  }

  private static void assertRuns(RecordedSchedules of, String... inputs) {
    List<Payload> expected = new ArrayList<>();
    for (String input : inputs) {
      expected.add(PostedEvents.json(input));
    }
    assertEquals(expected, of.inputs());
  }

  private static ScheduleView.Totals totals(long runs, long missed, long skipped) {
    return new ScheduleView.Totals(runs, missed, skipped);
  }

  @Test
  void shouldBeginARunForEachEvent() {
    ProcessGraph graph = quick(A);
    schedules.deploy(graph);
    post("a", "{'n':1}");
    post("b", "{'n':2}");
    harness.advance(Duration.ofSeconds(7));
    post("a", "{'n':3}");

    assertRuns("[{'n':1}]", "[{'n':3}]");
    ScheduleView view = schedules.view(graph);
    assertEquals(
        new ScheduleView.Timing(
            "on", PostedEvents.json("{'one':{'with':{'type':'a'}}}"), null, "allow"),
        view.timing());
    assertEquals(0, view.nextEpochMillis());
    assertEquals(totals(2, 0, 0), view.totals());
    ScheduleView.ScheduledRun last = Objects.requireNonNull(view.last());
    assertEquals(schedules.runs(graph).getLast(), last.id());
    assertEquals(7, RecordedSchedules.seconds(last.dueEpochMillis()));
    assertEquals(InstanceState.COMPLETED, last.state());
    assertEquals(List.of(0L, 7L), schedules.dueSeconds());
    assertEquals(1, schedules.keepers(graph).size());
    assertEquals(1, harness.kernel().counters().schedules().kept());
    assertEquals(1, harness.kernel().counters().listening().listeners());
  }

  @Test
  void shouldNotHearWhatCameBeforeItBegan() {
    post("a", "1");
    schedules.deploy(quick(A));
    assertRuns();
    post("a", "2");
    assertRuns("[2]");
  }

  @Test
  void shouldHearNoEventThatWasKeptForListeners() {
    KernelHarness keeping = new KernelHarness(Map.of("events.keepMillis", 60_000));
    RecordedSchedules of = new RecordedSchedules(keeping);
    keeping.events.post("a", "1");
    keeping.settle();
    of.deploy(quick(A));
    keeping.events.post("a", "2");
    keeping.settle();

    assertRuns(of, "[2]");
    keeping.finish();
  }

  @Test
  void shouldBeginARunForAnyOfItsEvents() {
    schedules.deploy(quick("{any: [{with: {type: a}}, {with: {type: b}}]}"));
    post("a", "1");
    post("c", "2");
    post("b", "3");
    assertRuns("[1]", "[3]");
  }

  @Test
  void shouldPairEventsInTheirOrder() {
    ProcessGraph graph = quick(BOTH);
    schedules.deploy(graph);
    postAll("a", 2);
    assertRuns();
    post("b", "3");
    assertRuns("[1,3]");
    post("b", "4");
    post("b", "5");
    assertRuns("[1,3]", "[2,4]");
    post("a", "6");
    assertRuns("[1,3]", "[2,4]", "[5,6]");
    assertEquals(totals(3, 0, 0), schedules.view(graph).totals());
  }

  @Test
  void shouldPairEventsByWhatTheyHaveInCommon() {
    schedules.deploy(quick(PAIRS));
    post("a", "{'k':'x'}");
    post("a", "{'k':'y'}");
    post("b", "{'k':'y'}");
    post("b", "{}");
    post("b", "{'k':'z'}");
    assertRuns("[{'k':'y'},{'k':'y'}]");
    post("a", "{'k':'z'}");
    post("b", "{'k':'x','n':1}");
    assertRuns("[{'k':'y'},{'k':'y'}]", "[{'k':'z'},{'k':'z'}]", "[{'k':'x'},{'k':'x','n':1}]");
  }

  @Test
  void shouldPairEventsThatNameDifferentCorrelations() {
    schedules.deploy(
        quick(
            "{all: [{with: {type: a}, correlate: {k: {from: .data.k}}},"
                + " {with: {type: b}, correlate: {k: {from: .data.k}, u: {from: .data.u}}},"
                + " {with: {type: c}, correlate: {u: {from: .data.u}}}]}"));
    post("a", "{'k':1}");
    post("a", "{'k':2}");
    post("b", "{'k':2,'u':7}");
    post("c", "{'u':8}");
    assertRuns();
    post("c", "{'u':7}");
    assertRuns("[{'k':2},{'k':2,'u':7},{'u':7}]");
    post("b", "{'k':1,'u':8}");
    assertRuns("[{'k':2},{'k':2,'u':7},{'u':7}]", "[{'k':1},{'u':8},{'k':1,'u':8}]");
  }

  @Test
  void shouldCollectEventsUntilAConditionHolds() {
    schedules.deploy(quick("{any: [{with: {type: a}}], until: '${ length == 2 }'}"));
    postAll("a", 5);
    assertRuns("[1,2]", "[3,4]");
  }

  @Test
  void shouldGoOnWhenAConditionFails() {
    schedules.deploy(quick("{any: [{with: {type: a}}], until: '${ (map(.n) | add) > 2 }'}"));
    post("a", "'no object'");
    post("a", "{'n':5}");
    assertRuns();
    assertEquals(0, harness.kernel().counters().faulted());
  }

  @Test
  void shouldCollectEventsUntilAnotherOne() {
    schedules.deploy(quick("{any: [{with: {type: a}}], until: {one: {with: {type: stop}}}}"));
    post("stop", "0");
    assertRuns();
    postAll("a", 2);
    post("stop", "0");
    post("a", "3");
    assertRuns("[1,2]");
    post("stop", "0");
    assertRuns("[1,2]", "[3]");
  }

  @Test
  void shouldCollectEventsUntilAllOfTheEnd() {
    schedules.deploy(
        quick(
            "{any: [{with: {type: a}}],"
                + " until: {all: [{with: {type: x}}, {with: {type: y}}]}}"));
    post("x", "0");
    post("a", "1");
    post("y", "0");
    post("a", "2");
    post("y", "0");
    assertRuns();
    post("x", "0");
    assertRuns("[1,2]");
  }

  @Test
  void shouldCollectEventsByWhatTheyHaveInCommon() {
    String correlate = "correlate: {k: {from: .data.k}}";
    schedules.deploy(
        quick(
            "{any: [{with: {type: a}, "
                + correlate
                + "}], until: {one: {with: {type: stop}, "
                + correlate
                + "}}}"));
    post("a", "{'k':1}");
    post("a", "{'k':2}");
    post("a", "{'k':1}");
    post("stop", "{'k':1}");
    assertRuns("[{'k':1},{'k':1}]");
    post("stop", "{'k':2}");
    assertRuns("[{'k':1},{'k':1}]", "[{'k':2}]");
  }

  @Test
  void shouldCompareEventsWithConstants() {
    schedules.deploy(
        quick(
            "{one: {with: {type: a, subject: '${ \"s\" + \"1\" }', data: {k: '${ 1 + 1 }'}},"
                + " correlate: {n: {from: .data.n, expect: '${ 2 * 3 }'}}}}"));
    for (String subject : List.of("s1", "s2")) {
      for (String data : List.of("{'k':2,'n':6}", "{'k':2,'n':5}", "{'k':3,'n':6}")) {
        harness.events.postWith("'type':'a','subject':'" + subject + "','data':" + data);
      }
    }
    harness.settle();
    assertRuns("[{'k':2,'n':6}]");
  }

  @Test
  void shouldGiveRunsTheWholeEvents() {
    schedules.deploy(hinted("{overlap: allow}", A));
    post("a", "7");
    assertRuns("[{'specversion':'1.0','source':'/test','id':'e1','type':'a','data':7}]");
  }

  @Test
  void shouldGiveRunsTheBytesOfTheirEvents() {
    schedules.deploy(hinted("{read: raw}", A));
    post("a", "7");
    assertRuns("['Nw==']");
  }

  @Test
  void shouldBeginRunsBesideEachOther() {
    ProcessGraph graph = slow("allow", A);
    schedules.deploy(graph);
    postAll("a", 3);
    assertEquals(3, harness.calls.size());
    assertEquals(totals(3, 0, 0), schedules.view(graph).totals());
    assertEquals(
        InstanceState.RUNNING, Objects.requireNonNull(schedules.view(graph).last()).state());
  }

  @Test
  void shouldSkipEventsDuringARun() {
    ProcessGraph graph = slow("skip", A);
    schedules.deploy(graph);
    postAll("a", 3);
    assertRuns("[1]");
    assertEquals(totals(1, 0, 2), schedules.view(graph).totals());
    assertEquals(2, harness.kernel().counters().schedules().skipped());
    harness.answer("ask", Payload.NULL);
    post("a", "4");
    assertRuns("[1]", "[4]");
    assertEquals(totals(2, 0, 2), schedules.view(graph).totals());
  }

  @Test
  void shouldBeginRunsBehindEachOther() {
    ProcessGraph graph = slow("queue", A);
    schedules.deploy(graph);
    postAll("a", 3);
    assertEquals(1, harness.calls.size());
    assertEquals(totals(1, 0, 0), schedules.view(graph).totals());
    for (int i = 0; i < 3; i++) {
      assertEquals(
          InstanceState.RUNNING, Objects.requireNonNull(schedules.view(graph).last()).state());
      harness.answer("ask", Payload.NULL);
    }
    assertRuns("[1]", "[2]", "[3]");
    ScheduleView view = schedules.view(graph);
    assertEquals(totals(3, 0, 0), view.totals());
    assertEquals(InstanceState.COMPLETED, Objects.requireNonNull(view.last()).state());
  }

  @Test
  void shouldSkipEventsBeyondTheQueue() {
    KernelHarness two = new KernelHarness(Map.of("schedule.maxEvents", 2));
    RecordedSchedules of = new RecordedSchedules(two);
    ProcessGraph graph = slow("queue", A);
    of.deploy(graph);
    for (int i = 1; i <= 4; i++) {
      two.events.post("a", Integer.toString(i));
      two.settle();
    }
    assertEquals(totals(1, 0, 2), of.view(graph).totals()); // one under way, one waits
    two.answer("ask", Payload.NULL);
    two.answer("ask", Payload.NULL);

    assertRuns(of, "[1]", "[2]");
    assertEquals(totals(2, 0, 2), of.view(graph).totals());
    two.finish();
  }

  @Test
  void shouldGiveTheOldestOfTooManyIncompleteMatchesUp() {
    KernelHarness three = new KernelHarness(Map.of("schedule.maxEvents", 3));
    RecordedSchedules of = new RecordedSchedules(three);
    ProcessGraph graph = quick(PAIRS);
    of.deploy(graph);
    for (String k : List.of("1", "2", "3", "4")) {
      three.events.post("a", "{'k':" + k + "}");
    }
    three.settle();
    assertEquals(totals(0, 0, 1), of.view(graph).totals());
    three.events.post("b", "{'k':1}");
    three.events.post("b", "{'k':4}");
    three.settle();

    assertRuns(of, "[{'k':4},{'k':4}]");
    three.finish();
  }

  @Test
  void shouldBeginARunWithWhatHasComeWhenThereIsNoMoreRoom() {
    KernelHarness three = new KernelHarness(Map.of("schedule.maxEvents", 3));
    RecordedSchedules of = new RecordedSchedules(three);
    of.deploy(quick("{any: [{with: {type: a}}], until: {one: {with: {type: stop}}}}"));
    for (int i = 1; i <= 5; i++) {
      three.events.post("a", Integer.toString(i));
      three.settle();
    }
    three.events.post("stop", "0");
    three.settle();

    assertRuns(of, "[1,2,3,4]", "[5]");
    three.finish();
  }

  @Test
  void shouldMissEventsThatAreLongerThanAValue() {
    KernelHarness small = new KernelHarness(Map.of("instance.maxPayloadBytes", 1_024));
    RecordedSchedules of = new RecordedSchedules(small);
    ProcessGraph graph = quick(A);
    of.deploy(graph);
    small.events.post("a", "'" + "x".repeat(2_000) + "'");
    small.settle();
    ScheduleView view = of.view(graph);
    assertEquals(totals(0, 1, 0), view.totals());
    assertTrue(String.valueOf(view.problem()).contains("instance.maxPayloadBytes"));

    small.events.post("a", "1");
    small.settle();
    assertRuns(of, "[1]");
    assertNull(of.view(graph).problem());
    small.finish();
  }

  @Test
  void shouldBeginRunsWhenThereIsRoomAgain() {
    KernelHarness two =
        new KernelHarness(Map.of("kernel.maxInstances", 2, "schedule.maxEvents", 2));
    RecordedSchedules of = new RecordedSchedules(two);
    ProcessGraph graph = slow("allow", A);
    of.deploy(graph);
    for (int i = 1; i <= 4; i++) {
      two.events.post("a", Integer.toString(i));
      two.settle();
    }
    ScheduleView refused = of.view(graph);
    assertEquals(totals(1, 1, 0), refused.totals(), "one runs, two wait");
    assertNotNull(refused.problem());
    assertEquals(1, RecordedSchedules.seconds(refused.nextEpochMillis()));

    two.answer("ask", Payload.NULL);
    two.advance(Duration.ofSeconds(2));
    assertRuns(of, "[1]", "[2]");
    two.answer("ask", Payload.NULL);
    two.advance(Duration.ofSeconds(2));
    assertRuns(of, "[1]", "[2]", "[3]");
    assertEquals(totals(3, 1, 0), of.view(graph).totals());
    assertNull(of.view(graph).problem());
    two.finish();
  }

  @Test
  void shouldBeginARunForEachOfAFlood() {
    KernelHarness flooded = new KernelHarness(Map.of("schedule.maxEvents", 100));
    flooded.journal.withoutComparison();
    RecordedSchedules of = new RecordedSchedules(flooded);
    ProcessGraph graph = quick(A);
    of.deploy(graph);
    for (int i = 0; i < 2_000; i++) {
      flooded.events.post("a", Integer.toString(i));
    }
    flooded.settle();

    assertEquals(totals(2_000, 0, 0), of.view(graph).totals());
    List<Payload> inputs = of.inputs();
    for (int i = 0; i < 2_000; i++) {
      assertEquals(PostedEvents.json("[" + i + "]"), inputs.get(i));
    }
    flooded.finish();
  }

  @Test
  void shouldPassOverTheEventsOfAPause() {
    ProcessGraph graph = quick(BOTH);
    schedules.deploy(graph);
    post("a", "1");
    assertTrue(schedules.pause(graph).paused());
    assertEquals(0, harness.kernel().counters().listening().listeners());
    post("b", "2");
    post("a", "3");
    assertTrue(schedules.pause(graph).paused(), "again");
    schedules.resume(graph);
    post("b", "4");
    assertRuns("[1,4]"); // what came before the pause waits on
    post("b", "5");
    assertRuns("[1,4]");
  }

  @Test
  void shouldKeepEventsThatWaitOverAPause() {
    ProcessGraph graph = slow("queue", A);
    schedules.deploy(graph);
    postAll("a", 2);
    schedules.pause(graph);
    harness.answer("ask", Payload.NULL);
    assertRuns("[1]");
    post("a", "3");

    schedules.resume(graph);
    assertRuns("[1]", "[2]");
    assertEquals(totals(2, 0, 0), schedules.view(graph).totals());
  }

  @Test
  void shouldNotHearWhatComesWhileItIsDisabled() {
    ProcessGraph graph = quick(A);
    schedules.deploy(graph);
    post("a", "1");
    harness.disable(graph);
    harness.settle();
    post("a", "2");
    harness.graphs().enable(graph.key());
    harness.settle();
    post("a", "3");

    assertRuns("[1]", "[3]");
    assertEquals(totals(1, 0, 0), schedules.view(graph).totals(), "begun anew");
  }

  @Test
  void shouldBeTakenOverByANewerVersionAtAnyEvent() {
    schedules.deploy(quick("1.0.0", BOTH));
    post("a", "1");
    for (int i = 2; i <= 9; i++) {
      harness.events.post(i % 2 == 0 ? "b" : "a", Integer.toString(i));
    }
    boolean _ = harness.events.feed();
    ProcessGraph second = quick("1.1.0", BOTH);
    schedules.deploy(second);
    post("b", "10");

    assertRuns("[1,2]", "[3,4]", "[5,6]", "[7,8]", "[9,10]");
    assertEquals(second.key(), schedules.view(second).definition());
    assertEquals(totals(5, 0, 0), schedules.view(second).totals(), "counts go on");
    assertEquals(second.key(), harness.view(schedules.runs(second).getLast()).definition());
  }

  @Test
  void shouldHandOverTheEventInProgress() {
    String condition = "{one: {with: {type: a, data: '${ ([range(.)] | length) > 9000 }'}}}";
    ProcessGraph first = quick("1.0.0", condition);
    schedules.deploy(first);
    harness.events.post("a", "9001");
    harness.events.post("a", "9002");
    harness.settle();
    assertEquals(1, harness.evaluations.size(), "on another thread");
    ProcessGraph second = quick("1.1.0", condition);
    schedules.deploy(second);
    while (!harness.evaluations.isEmpty()) {
      harness.evaluate();
    }

    assertRuns("[9001]", "[9002]");
    for (InstanceId run : schedules.runs(second)) {
      assertEquals(second.key(), harness.view(run).definition());
    }
  }

  @Test
  void shouldDropIncompleteMatchesWithOtherEvents() {
    ProcessGraph first = quick("1.0.0", BOTH);
    schedules.deploy(first);
    post("a", "1");
    post("c", "2");
    ProcessGraph second = quick("1.1.0", "{all: [{with: {type: b}}, {with: {type: c}}]}");
    schedules.deploy(second);
    post("b", "3");
    assertRuns();
    post("c", "4");

    assertRuns("[3,4]");
    assertEquals(totals(1, 0, 1), schedules.view(second).totals());
  }

  @Test
  void shouldHandOverEventsThatWaitButNotTheRunUnderWay() {
    ProcessGraph first = slow("1.0.0", "queue", A);
    schedules.deploy(first);
    postAll("a", 3);
    ProcessGraph second = slow("1.1.0", "queue", A);
    schedules.deploy(second);

    assertRuns("[1]", "[2]");
    assertEquals(totals(2, 0, 0), schedules.view(second).totals());
    harness.answer("ask", Payload.NULL); // the run of the older version
    assertRuns("[1]", "[2]");
    harness.answer("ask", Payload.NULL);
    assertRuns("[1]", "[2]", "[3]");
    harness.answer("ask", Payload.NULL);
    assertEquals(totals(3, 0, 0), schedules.view(second).totals());
  }

  @Test
  void shouldStayPausedInANewVersion() {
    ProcessGraph first = slow("1.0.0", "queue", A);
    schedules.deploy(first);
    postAll("a", 2);
    schedules.pause(first);
    harness.answer("ask", Payload.NULL);
    ProcessGraph second = slow("1.1.0", "queue", A);
    schedules.deploy(second);
    post("a", "3");
    harness.advance(Duration.ofSeconds(5));
    assertTrue(schedules.view(second).paused());
    assertRuns("[1]");

    schedules.resume(second);
    assertRuns("[1]", "[2]");
    harness.answer("ask", Payload.NULL);
    post("a", "4");
    assertRuns("[1]", "[2]", "[4]");
  }

  @Test
  void shouldChangeFromTimeToEventsAndBack() {
    ProcessGraph timed = every(10, quick("1.0.0", A));
    schedules.deploy(timed);
    post("a", "1");
    harness.advance(Duration.ofMillis(10_500));
    ProcessGraph heard = quick("1.1.0", A);
    schedules.deploy(heard);
    post("a", "2");
    assertRuns("{}", "[2]");
    assertEquals(totals(2, 0, 0), schedules.view(heard).totals());
    assertEquals(0, schedules.view(heard).nextEpochMillis());

    ProcessGraph again = every(10, quick("1.2.0", A));
    schedules.deploy(again);
    post("a", "3");
    harness.advance(Duration.ofMillis(10_500));
    assertRuns("{}", "[2]", "{}");
  }

  @Test
  void shouldBeginAnewWhenAClientCancelsIt() {
    ProcessGraph graph = quick(BOTH);
    schedules.deploy(graph);
    post("a", "1");
    harness.cancel(schedules.view(graph).id());
    assertEquals(2, schedules.keepers(graph).size());
    post("b", "2");
    assertRuns();
    post("a", "3");
    assertRuns("[2,3]");
  }

  @Test
  void shouldGoOnWithAnotherInstanceAfterManyEvents() {
    KernelHarness brief = new KernelHarness(Map.of("instance.maxEvents", 6));
    RecordedSchedules of = new RecordedSchedules(brief);
    ProcessGraph graph = quick(BOTH);
    of.deploy(graph);
    for (int i = 0; i < 20; i++) {
      brief.events.post("a", Integer.toString(i));
      brief.events.post("b", Integer.toString(i));
      if (i % 3 == 0) {
        brief.settle();
      }
    }
    brief.settle();
    brief.advance(Duration.ofSeconds(3));

    List<Payload> inputs = of.inputs();
    assertEquals(20, inputs.size());
    for (int i = 0; i < 20; i++) {
      assertEquals(PostedEvents.json("[" + i + "," + i + "]"), inputs.get(i));
    }
    assertEquals(totals(20, 0, 0), of.view(graph).totals());
    List<InstanceId> keepers = of.keepers(graph);
    assertTrue(keepers.size() >= 5, () -> "instances " + keepers.size());
    assertEquals(0, brief.kernel().counters().faulted());
    brief.finish();
  }

  /** Matches that lack events make no runs, and still no instance grows for ever. */
  @Test
  void shouldGoOnWithAnotherInstanceAfterManyEventsWithoutRuns() {
    KernelHarness brief = new KernelHarness(Map.of("instance.maxEvents", 6));
    RecordedSchedules of = new RecordedSchedules(brief);
    ProcessGraph graph = quick(BOTH);
    of.deploy(graph);
    for (int i = 0; i < 20; i++) {
      brief.events.post("a", Integer.toString(i));
      brief.settle();
    }
    assertTrue(of.keepers(graph).size() >= 3, () -> "instances " + of.keepers(graph).size());
    brief.events.post("b", "'b'");
    brief.settle();

    assertRuns(of, "[0,'b']");
    brief.finish();
  }

  @Test
  void shouldAddNothingToItsHistoryWithEachEvent() {
    ProcessGraph graph = quick(BOTH);
    schedules.deploy(graph);
    postAll("a", 5);
    postAll("b", 5);
    InstanceId keeper = schedules.view(graph).id();

    assertEquals(
        List.of(EventKind.INSTANCE_STARTED, EventKind.TASK_STARTED),
        harness.happenings.stream()
            .filter(each -> each.id().equals(keeper))
            .map(HistoryEvent::kind)
            .toList());
  }

  @Test
  void shouldRecordARunInThreeEvents() {
    schedules.deploy(quick(A));
    int before = harness.journal.entries().size();
    post("a", "1");

    List<Class<?>> kinds =
        harness.journal.entries().stream()
            .skip(before)
            .<Class<?>>map(each -> each.event().getClass())
            .toList();
    assertEquals(
        List.of(Event.EventReceived.class, Event.Started.class, Event.CallCompleted.class), kinds);
  }

  @Test
  void shouldGiveAnEventToSchedulesAndInstancesThatListen() {
    schedules.deploy(quick(A));
    InstanceId id = harness.start(CompiledTasks.listen(A), Payload.EMPTY_OBJECT);
    post("a", "1");
    assertRuns("[1]");
    assertEquals(PostedEvents.json("[1]"), harness.output(id));
  }

  @Test
  void shouldBeginARunForWhateverEvent() {
    ProcessGraph graph = slow("allow", "{any: []}");
    schedules.deploy(graph);
    post("a", "1");
    post("b", "2");
    assertRuns("[1]", "[2]");
    assertEquals(2, harness.calls.size());
  }
}
