package dev.pinion.core.kernel;

import static dev.pinion.core.kernel.RecordedSchedules.after;
import static dev.pinion.core.kernel.RecordedSchedules.cron;
import static dev.pinion.core.kernel.RecordedSchedules.every;
import static dev.pinion.core.kernel.RecordedSchedules.seconds;
import static dev.pinion.core.kernel.Tasks.call;
import static dev.pinion.core.kernel.Tasks.graph;
import static dev.pinion.core.kernel.Tasks.inMemory;
import static dev.pinion.core.kernel.Tasks.named;
import static dev.pinion.core.kernel.Tasks.nothing;
import static dev.pinion.core.kernel.Tasks.raise;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.graph.ProcessGraph;
import dev.pinion.core.message.Effect;
import dev.pinion.core.message.Event;
import dev.pinion.core.message.Query;
import dev.pinion.core.message.Reply;
import dev.pinion.core.message.ReplyAddress;
import dev.pinion.core.model.DefinitionName;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.instance.HistoryEvent;
import dev.pinion.core.model.instance.HistoryEvent.EventKind;
import dev.pinion.core.model.instance.InstanceState;
import dev.pinion.core.model.instance.InstanceView;
import dev.pinion.core.model.instance.ParentTask;
import dev.pinion.core.model.instance.ScheduleView;
import dev.pinion.core.schedule.OverlapPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Schedules that begin runs. A run that calls is under way until the test answers.
 *
 * <pre>
 *   seconds   0        10        20        30
 *   every 10  deployed  run       run       run
 * </pre>
 */
class SchedulesTest {
  @RegisterExtension final KernelHarness harness = new KernelHarness();

  private final RecordedSchedules schedules = new RecordedSchedules(harness);
  private final ProcessGraph quick = named("job", nothing("n"));
  private final ProcessGraph slow = named("job", call("ask"));

  private void advance(long seconds) {
    harness.advance(Duration.ofSeconds(seconds));
  }

  /** Whole seconds of the harness, at which nothing is due. */
  private void advanceBeyond(long seconds) {
    harness.advance(Duration.ofSeconds(seconds).plusMillis(500));
  }

  private static ScheduleView.ScheduledRun last(ScheduleView view) {
    return Objects.requireNonNull(view.last(), "the last run");
  }

  @Test
  void shouldBeginRunsAtAnInterval() {
    ProcessGraph graph = every(10, quick);
    schedules.deploy(graph);
    advanceBeyond(35);

    assertEquals(List.of(10L, 20L, 30L), schedules.dueSeconds());
    ScheduleView view = schedules.view(graph);
    assertEquals(graph.key(), view.definition());
    assertEquals(schedules.keepers(graph).getFirst(), view.id());
    assertEquals(new ScheduleView.Timing("every", "PT10S", null, "allow"), view.timing());
    assertFalse(view.paused());
    assertEquals(40, seconds(view.nextEpochMillis()));
    assertEquals(schedules.runs(graph).getLast(), last(view).id());
    assertEquals(30, seconds(last(view).dueEpochMillis()));
    assertEquals(30, seconds(last(view).startedEpochMillis()));
    assertEquals(InstanceState.COMPLETED, last(view).state());
    assertEquals(new ScheduleView.Totals(3, 0, 0), view.totals());
    assertNull(view.problem());
  }

  @Test
  void shouldHaveANextRunBeforeTheFirstOne() {
    ProcessGraph graph = every(10, quick);
    schedules.deploy(graph);

    ScheduleView view = schedules.view(graph);
    assertEquals(10, seconds(view.nextEpochMillis()));
    assertNull(view.last());
    assertEquals(new ScheduleView.Totals(0, 0, 0), view.totals());
    assertEquals(1, harness.kernel().counters().schedules().kept());
  }

  @Test
  void shouldTellARunItsScheduleAndWhenItWasDue() {
    ProcessGraph graph = every(10, slow);
    schedules.deploy(graph);
    advanceBeyond(10);
    InstanceView run = harness.view(schedules.runs(graph).getFirst());

    assertEquals(new ParentTask(schedules.keepers(graph).getFirst(), "/schedule"), run.parent());
    assertEquals(graph.key(), run.definition());
    assertEquals(10, RecordedSchedules.dueSeconds(run.tags()));
    assertEquals(Payload.EMPTY_OBJECT, harness.call("ask").call().body(), "input");
  }

  @Test
  void shouldBeginRunsAtTheTimesOfAClock() {
    ProcessGraph graph = cron("*/5 * * * *", "UTC", quick); // the harness begins at 22:13:20
    schedules.deploy(graph);
    advanceBeyond(7 * 60);

    assertEquals(List.of(100L, 400L), schedules.dueSeconds());
    assertEquals(
        new ScheduleView.Timing("cron", "*/5 * * * *", "UTC", "allow"),
        schedules.view(graph).timing());
  }

  @Test
  void shouldFollowTheClockOfATimeZone() {
    ProcessGraph graph = cron("0 9 * * *", "Asia/Kolkata", quick); // 3:30 in UTC
    schedules.deploy(graph);
    advance(24 * 3_600);

    assertEquals(List.of(5L * 3_600 + 16 * 60 + 40), schedules.dueSeconds());
  }

  @Test
  void shouldCountFromTheEndOfTheRunBefore() {
    ProcessGraph graph = after(10, slow);
    schedules.deploy(graph);
    advanceBeyond(10);
    assertEquals(1, schedules.runs(graph).size());
    assertEquals(0, schedules.view(graph).nextEpochMillis(), "not known yet");

    advance(100);
    assertEquals(1, schedules.runs(graph).size());
    harness.answer("ask", Payload.NULL);
    assertEquals(120, seconds(schedules.view(graph).nextEpochMillis()));
    advance(11);
    assertEquals(List.of(10L, 120L), schedules.dueSeconds());
    assertEquals(new ScheduleView.Totals(2, 0, 0), schedules.view(graph).totals());
  }

  @Test
  void shouldCountFromTheEndOfARunThatFaulted() {
    ProcessGraph graph = after(10, named("job", raise("r", "https://example.com/no", 500)));
    schedules.deploy(graph);
    advanceBeyond(25);

    assertEquals(2, schedules.runs(graph).size());
    assertEquals(InstanceState.FAULTED, last(schedules.view(graph)).state());
  }

  @Test
  void shouldBeginRunsBesideEachOther() {
    ProcessGraph graph = every(10, slow);
    schedules.deploy(graph);
    advanceBeyond(35);

    assertEquals(3, harness.calls.size());
    assertEquals(InstanceState.RUNNING, last(schedules.view(graph)).state());
  }

  @Test
  void shouldSkipWhatIsDueDuringARun() {
    ProcessGraph graph = every(10, OverlapPolicy.SKIP, slow);
    schedules.deploy(graph);
    advanceBeyond(35);

    ScheduleView during = schedules.view(graph);
    assertEquals(new ScheduleView.Totals(1, 0, 0), during.totals());
    assertEquals(InstanceState.RUNNING, last(during).state());
    assertEquals(10, seconds(last(during).dueEpochMillis()));
    assertEquals(40, seconds(during.nextEpochMillis()));
    harness.answer("ask", Payload.NULL);
    ScheduleView behind = schedules.view(graph);
    assertEquals(new ScheduleView.Totals(1, 0, 2), behind.totals());
    assertEquals(InstanceState.COMPLETED, last(behind).state());
    assertEquals(2, harness.kernel().counters().schedules().skipped());
    advance(5);
    assertEquals(List.of(10L, 40L), schedules.dueSeconds());
  }

  @Test
  void shouldBeginOneRunBehindAnotherOne() {
    ProcessGraph graph = every(10, OverlapPolicy.QUEUE, slow);
    schedules.deploy(graph);
    advanceBeyond(35);
    assertEquals(1, harness.calls.size());

    harness.answer("ask", Payload.NULL);
    advanceBeyond(0);
    assertEquals(List.of(10L, 20L), schedules.dueSeconds());
    assertEquals(35, seconds(last(schedules.view(graph)).startedEpochMillis()));
    assertEquals(new ScheduleView.Totals(2, 0, 1), schedules.view(graph).totals());
    harness.answer("ask", Payload.NULL);
    advance(5);
    assertEquals(List.of(10L, 20L, 40L), schedules.dueSeconds());
  }

  @Test
  void shouldQueueNoMoreRunsThanTheLimit() {
    KernelHarness three = new KernelHarness(Map.of("schedule.maxQueued", 3));
    RecordedSchedules of = new RecordedSchedules(three);
    ProcessGraph graph = every(10, OverlapPolicy.QUEUE, slow);
    of.deploy(graph);
    three.advance(Duration.ofSeconds(55));
    for (int i = 0; i < 4; i++) {
      three.answer("ask", Payload.NULL);
      three.advance(Duration.ofMillis(100));
    }

    assertEquals(List.of(10L, 20L, 30L, 40L), of.dueSeconds());
    assertEquals(new ScheduleView.Totals(4, 0, 1), of.view(graph).totals());
    three.finish();
  }

  @Test
  void shouldBeginNothingWhileItIsPaused() {
    ProcessGraph graph = every(10, quick);
    schedules.deploy(graph);
    advanceBeyond(15);
    ScheduleView paused = schedules.pause(graph);
    assertTrue(paused.paused());
    assertEquals(0, paused.nextEpochMillis());
    assertEquals(InstanceState.SUSPENDED, harness.state(paused.id()));
    assertTrue(schedules.pause(graph).paused(), "again");
    advance(30);
    assertEquals(List.of(10L), schedules.dueSeconds());

    ScheduleView resumed = schedules.resume(graph);
    assertFalse(resumed.paused());
    assertEquals(new ScheduleView.Totals(1, 0, 0), resumed.totals());
    assertEquals(50, seconds(schedules.view(graph).nextEpochMillis()), "none for the pause");
    assertFalse(schedules.resume(graph).paused(), "again");
    advance(5);
    assertEquals(List.of(10L, 50L), schedules.dueSeconds());
  }

  @Test
  void shouldBePausedAndResumedAsAnyInstance() {
    ProcessGraph graph = every(10, quick);
    schedules.deploy(graph);
    InstanceId keeper = schedules.view(graph).id();
    harness.offerSuspendOrResume(keeper);
    advanceBeyond(15);
    assertTrue(schedules.view(graph).paused());
    assertEquals(List.of(), schedules.runs(graph));

    harness.offerSuspendOrResume(keeper);
    advance(10);
    assertEquals(List.of(20L), schedules.dueSeconds());
  }

  @Test
  void shouldLetARunGoOnDuringAPause() {
    ProcessGraph graph = every(10, OverlapPolicy.SKIP, slow);
    schedules.deploy(graph);
    advanceBeyond(15);
    schedules.pause(graph);
    assertEquals(InstanceState.RUNNING, harness.state(schedules.runs(graph).getFirst()));
    advance(20);
    harness.answer("ask", Payload.NULL);
    assertEquals(InstanceState.COMPLETED, last(schedules.view(graph)).state());

    advance(10);
    assertEquals(1, schedules.runs(graph).size());
    schedules.resume(graph);
    advance(5);
    assertEquals(List.of(10L, 50L), schedules.dueSeconds());
  }

  @Test
  void shouldPassOverRunsThatWaitedWhenItIsResumed() {
    ProcessGraph graph = every(10, OverlapPolicy.QUEUE, slow);
    schedules.deploy(graph);
    advanceBeyond(25);
    schedules.pause(graph);
    harness.answer("ask", Payload.NULL);
    advance(10);
    schedules.resume(graph);
    advance(2);

    assertEquals(List.of(10L), schedules.dueSeconds());
    assertEquals(40, seconds(schedules.view(graph).nextEpochMillis()));
  }

  @Test
  void shouldCatchUpOnce() {
    ProcessGraph graph = every(10, quick);
    schedules.deploy(graph);
    harness.jump(Duration.ofMillis(35_500));
    harness.settle();

    assertEquals(List.of(10L), schedules.dueSeconds());
    ScheduleView view = schedules.view(graph);
    assertEquals(35, seconds(last(view).startedEpochMillis()));
    assertEquals(new ScheduleView.Totals(1, 2, 0), view.totals());
    assertEquals(40, seconds(view.nextEpochMillis()));
    assertEquals(2, harness.kernel().counters().schedules().missed());
    advance(5);
    assertEquals(List.of(10L, 40L), schedules.dueSeconds());
    assertEquals(new ScheduleView.Totals(2, 2, 0), schedules.view(graph).totals());
  }

  @Test
  void shouldBeginARunWhenThereIsRoomAgain() {
    KernelHarness two = new KernelHarness(Map.of("kernel.maxInstances", 2));
    RecordedSchedules of = new RecordedSchedules(two);
    ProcessGraph graph = every(10, quick);
    of.deploy(graph);
    two.start(graph(call("hold")));
    two.advance(Duration.ofMillis(10_500));
    ScheduleView refused = of.view(graph);
    assertEquals(
        "expected room for another instance, found none: kernel.maxInstances", refused.problem());
    assertEquals(11, seconds(refused.nextEpochMillis()));
    assertNull(refused.last());

    two.answer("hold", Payload.NULL);
    two.advance(Duration.ofSeconds(1));
    ScheduleView view = of.view(graph);
    assertNull(view.problem());
    assertEquals(List.of(10L), of.dueSeconds());
    assertEquals(new ScheduleView.Totals(1, 0, 0), view.totals());
    assertEquals(20, seconds(view.nextEpochMillis()));
    two.finish();
  }

  @Test
  void shouldGiveUpARunWhenTheNextOneIsDue() {
    KernelHarness one = new KernelHarness(Map.of("kernel.maxInstances", 1));
    RecordedSchedules of = new RecordedSchedules(one);
    ProcessGraph graph = every(10, quick);
    of.deploy(graph);
    one.advance(Duration.ofMillis(35_500));

    assertEquals(List.of(), of.runs(graph));
    assertEquals(new ScheduleView.Totals(0, 2, 0), of.view(graph).totals());
    assertNotNull(of.view(graph).problem());
    one.finish();
  }

  @Test
  void shouldBeKeptByTheNewestVersion() {
    ProcessGraph first = every(10, quick);
    schedules.deploy(first);
    advanceBeyond(15);
    ProcessGraph second = every(10, named("job", nothing("other")));
    schedules.deploy(second);

    List<InstanceId> keepers = schedules.keepers(first);
    assertEquals(2, keepers.size());
    assertEquals(InstanceState.CANCELLED, harness.state(keepers.getFirst()));
    ScheduleView view = schedules.view(second);
    assertEquals(second.key(), view.definition());
    assertEquals(keepers.getLast(), view.id());
    assertEquals(new ScheduleView.Totals(1, 0, 0), view.totals(), "counts go on");
    assertEquals(20, seconds(view.nextEpochMillis()), "the same rule, the same times");
    advance(10);
    assertEquals(second.key(), harness.view(schedules.runs(first).getLast()).definition());
  }

  @Test
  void shouldCountAnewWithAnotherRule() {
    schedules.deploy(every(10, quick));
    advance(15);
    ProcessGraph second = every(3, named("job", nothing("other")));
    schedules.deploy(second);

    assertEquals(18, seconds(schedules.view(second).nextEpochMillis()));
  }

  @Test
  void shouldStayPausedInANewVersion() {
    ProcessGraph first = every(10, quick);
    schedules.deploy(first);
    schedules.pause(first);
    ProcessGraph second = every(10, named("job", nothing("other")));
    schedules.deploy(second);
    advance(30);

    assertTrue(schedules.view(second).paused());
    assertEquals(List.of(), schedules.runs(second));
    schedules.resume(second);
    advanceBeyond(10);
    assertEquals(1, schedules.runs(second).size());
  }

  @Test
  void shouldLetRunsOfAnOlderVersionEnd() {
    ProcessGraph first = every(10, OverlapPolicy.SKIP, slow);
    schedules.deploy(first);
    advanceBeyond(15);
    Effect.Invoke before = harness.call("ask");
    ProcessGraph second = every(10, OverlapPolicy.SKIP, named("job", call("other")));
    schedules.deploy(second);
    advance(10);

    assertEquals(List.of(10L, 20L), schedules.dueSeconds(), "nobody looks at the older one");
    harness.answer(before, Payload.of(1));
    assertEquals(Payload.of(1), harness.output(schedules.runs(first).getFirst()));
  }

  @Test
  void shouldCountTheRunOfAnOlderVersion() {
    ProcessGraph first = every(10, OverlapPolicy.SKIP, slow);
    schedules.deploy(first);
    advanceBeyond(15);
    ProcessGraph second = every(10, OverlapPolicy.SKIP, named("job", call("other")));
    schedules.deploy(second);

    ScheduleView view = schedules.view(second);
    assertEquals(second.key(), view.definition());
    assertEquals(new ScheduleView.Totals(1, 0, 0), view.totals(), "counts go on");
    assertEquals(schedules.runs(first).getFirst(), last(view).id());
    assertEquals(10, seconds(last(view).dueEpochMillis()));
    assertEquals(InstanceState.RUNNING, last(view).state());
    assertEquals(20, seconds(view.nextEpochMillis()));
  }

  @Test
  void shouldPassToTheNextLowerVersionAndEndWithTheLast() {
    ProcessGraph first = every(10, quick);
    ProcessGraph second = every(10, named("job", nothing("other")));
    schedules.deploy(first);
    schedules.deploy(second);
    harness.disable(second);
    harness.settle();
    assertEquals(first.key(), schedules.view(first).definition());

    harness.graphs().remove(first.key());
    harness.settle();
    assertEquals(new Reply.NoSchedule(), schedules.ask(first));
    assertEquals(new Reply.NoSchedule(), schedules.control(first, true));
    advance(30);
    assertEquals(List.of(), schedules.runs(first));
    assertEquals(0, harness.kernel().counters().schedules().kept());
  }

  @Test
  void shouldBeginAnewWhenItsDefinitionIsEnabledAgain() {
    ProcessGraph graph = every(10, quick);
    schedules.deploy(graph);
    advanceBeyond(15);
    harness.disable(graph);
    advance(10);
    harness.graphs().enable(graph.key());
    harness.settle();

    ScheduleView view = schedules.view(graph);
    assertEquals(new ScheduleView.Totals(0, 0, 0), view.totals());
    assertEquals(35, seconds(view.nextEpochMillis()));
  }

  @Test // Disabling ended the instance, and with it the pause
  void shouldStayPausedWhileItsDefinitionIsDisabled() {
    ProcessGraph graph = every(10, quick);
    schedules.deploy(graph);
    advanceBeyond(15);
    InstanceId keeper = schedules.pause(graph).id();
    harness.disable(graph);
    harness.settle();
    assertEquals(new Reply.NoSchedule(), schedules.ask(graph));
    assertEquals(new Reply.NoSchedule(), schedules.control(graph, false));
    assertEquals(List.of(), listed(null, null, null, 10));
    advance(10);
    harness.graphs().enable(graph.key());
    harness.settle();

    assertTrue(schedules.view(graph).paused());
    assertEquals(keeper, schedules.view(graph).id());
    schedules.resume(graph);
    advance(20);
    assertEquals(List.of(10L, 30L, 40L), schedules.dueSeconds());
  }

  @Test
  void shouldStayPausedInANewVersionOfADisabledOne() {
    ProcessGraph first = every(10, quick);
    schedules.deploy(first);
    schedules.pause(first);
    harness.disable(first);
    harness.settle();
    ProcessGraph second = every(10, named("job", nothing("other")));
    schedules.deploy(second);
    advance(30);

    assertTrue(schedules.view(second).paused());
    assertEquals(List.of(), schedules.runs(second));
  }

  @Test
  void shouldForgetThePauseOfADeletedDefinition() {
    schedules.deploy(every(10, named("other", nothing("n"))));
    ProcessGraph graph = every(10, quick);
    schedules.deploy(graph);
    InstanceId keeper = schedules.pause(graph).id();
    harness.disable(graph);
    harness.settle();
    harness.graphs().remove(graph.key());
    harness.settle();
    assertEquals(InstanceState.CANCELLED, harness.state(keeper));

    schedules.deploy(graph);
    assertFalse(schedules.view(graph).paused());
  }

  @Test
  void shouldEndWhenItIsResumedAsAnInstanceWhileItsDefinitionIsDisabled() {
    ProcessGraph graph = every(10, quick);
    schedules.deploy(graph);
    InstanceId keeper = schedules.pause(graph).id();
    harness.disable(graph);
    harness.settle();
    harness.offerSuspendOrResume(keeper);
    harness.settle();

    assertEquals(InstanceState.CANCELLED, harness.state(keeper));
    advance(30);
    assertEquals(List.of(), schedules.runs(graph));
  }

  @Test
  void shouldEndWhenTheNewestVersionHasNone() {
    ProcessGraph first = every(10, slow);
    schedules.deploy(first);
    advanceBeyond(15);
    schedules.deploy(named("job", nothing("other")));

    assertEquals(new Reply.NoSchedule(), schedules.ask(first));
    assertEquals(InstanceState.CANCELLED, harness.state(schedules.keepers(first).getFirst()));
    advance(30);
    InstanceId run = schedules.runs(first).getFirst();
    assertEquals(1, schedules.runs(first).size());
    assertEquals(InstanceState.RUNNING, harness.state(run), "goes on");
  }

  @Test
  void shouldBeginAnewWhenAClientCancelsIt() {
    ProcessGraph graph = every(10, OverlapPolicy.SKIP, slow);
    schedules.deploy(graph);
    advanceBeyond(15);
    harness.cancel(schedules.view(graph).id());

    assertEquals(2, schedules.keepers(graph).size());
    assertEquals(25, seconds(schedules.view(graph).nextEpochMillis()));
    assertEquals(InstanceState.RUNNING, harness.state(schedules.runs(graph).getFirst()));
  }

  @Test
  void shouldBeStartedByHandAsWell() {
    ProcessGraph graph = every(10, quick);
    schedules.deploy(graph);
    InstanceId id = harness.start(graph);
    advanceBeyond(15);

    assertNull(harness.view(id).parent());
    assertEquals(new ScheduleView.Totals(1, 0, 0), schedules.view(graph).totals());
  }

  @Test
  void shouldGoOnWithAnotherInstanceAfterManyEvents() {
    KernelHarness brief = new KernelHarness(Map.of("instance.maxEvents", 6));
    RecordedSchedules of = new RecordedSchedules(brief);
    ProcessGraph graph = every(1, quick);
    of.deploy(graph);
    brief.advance(Duration.ofMillis(20_500));

    assertEquals(20, of.runs(graph).size());
    assertEquals(20, of.dueSeconds().stream().distinct().count());
    assertEquals(new ScheduleView.Totals(20, 0, 0), of.view(graph).totals());
    List<InstanceId> keepers = of.keepers(graph);
    assertTrue(keepers.size() >= 5, () -> "instances " + keepers.size());
    keepers.subList(0, keepers.size() - 1).forEach(each -> assertCancelled(brief, each));
    assertEquals(0, brief.kernel().counters().faulted());
    brief.finish();
  }

  @Test
  void shouldKeepQueuedRunsWhenAnotherInstanceGoesOn() {
    KernelHarness brief =
        new KernelHarness(Map.of("instance.maxEvents", 2, "schedule.maxQueued", 3));
    RecordedSchedules of = new RecordedSchedules(brief);
    ProcessGraph graph = every(10, OverlapPolicy.QUEUE, slow);
    of.deploy(graph);
    brief.advance(Duration.ofMillis(45_500));
    for (int i = 0; i < 4; i++) {
      brief.answer("ask", Payload.NULL);
      brief.advance(Duration.ofMillis(100));
    }

    assertTrue(of.keepers(graph).size() > 1, "another instance");
    assertEquals(List.of(10L, 20L, 30L, 40L), of.dueSeconds());
    assertEquals(new ScheduleView.Totals(4, 0, 0), of.view(graph).totals());
    brief.finish();
  }

  @Test
  void shouldBeginAgainAfterAFaultButNotAtOnce() {
    KernelHarness tight =
        new KernelHarness(Map.of("instance.maxActivities", 1, "instance.maxFanOut", 1));
    RecordedSchedules of = new RecordedSchedules(tight);
    ProcessGraph graph = every(10, quick);
    of.deploy(graph);
    assertEquals(InstanceState.FAULTED, tight.state(of.keepers(graph).getFirst()));
    assertEquals(new Reply.NoSchedule(), of.ask(graph));
    assertEquals(1, of.keepers(graph).size());

    tight.advance(Duration.ofMillis(3_500));
    assertEquals(4, of.keepers(graph).size());
    tight.finish();
  }

  private static void assertCancelled(KernelHarness harness, InstanceId id) {
    assertEquals(InstanceState.CANCELLED, harness.state(id));
  }

  @Test
  void shouldAddNothingToItsHistoryWithEachRun() {
    ProcessGraph graph = every(1, quick);
    schedules.deploy(graph);
    advanceBeyond(20);
    InstanceId keeper = schedules.view(graph).id();

    List<EventKind> kinds =
        harness.happenings.stream()
            .filter(each -> each.id().equals(keeper))
            .map(HistoryEvent::kind)
            .toList();
    assertEquals(List.of(EventKind.INSTANCE_STARTED, EventKind.TASK_STARTED), kinds);
    assertEquals(
        20,
        harness.happenings.stream()
            .filter(each -> each.kind() == EventKind.INSTANCE_COMPLETED)
            .count());
  }

  @Test
  void shouldRecordARunInThreeEvents() {
    ProcessGraph graph = every(1, quick);
    schedules.deploy(graph);
    harness.advance(Duration.ofMillis(1_500));
    int before = harness.journal.entries().size();
    advance(1);

    List<Class<?>> kinds =
        harness.journal.entries().stream()
            .skip(before)
            .<Class<?>>map(each -> each.event().getClass())
            .toList();
    assertEquals(
        List.of(Event.TimerFired.class, Event.Started.class, Event.CallCompleted.class), kinds);
  }

  @Test
  void shouldKeepTheScheduleOfRunsInMemoryDurably() {
    ProcessGraph graph = every(10, inMemory(quick));
    schedules.deploy(graph);
    advanceBeyond(15);

    assertEquals(1, schedules.keepers(graph).size(), "in the journal");
    assertEquals(new ScheduleView.Totals(1, 0, 0), schedules.view(graph).totals());
  }

  @Test
  void shouldListSchedulesByName() {
    for (String name : List.of("c", "a", "b")) {
      schedules.deploy(every(10, named(name, nothing("n"))));
    }
    ProcessGraph b = every(10, named("b", nothing("n")));
    schedules.deploy(b);
    schedules.pause(b);

    assertEquals(List.of("a", "b", "c"), listed(null, null, null, 10));
    assertEquals(List.of("a", "b"), listed(null, null, null, 2));
    assertEquals(List.of("c"), listed(null, null, "b", 2));
    assertEquals(List.of("b"), listed(null, true, null, 10));
    assertEquals(List.of("a", "c"), listed(null, false, null, 10));
    assertEquals(List.of("c"), listed("c", null, null, 10));
    assertEquals(List.of(), listed("d", null, null, 10));
  }

  private List<String> listed(
      @Nullable String name, @Nullable Boolean paused, @Nullable String after, int limit) {
    DefinitionName behind = after == null ? null : new DefinitionName("tests", after);
    ReplyAddress<Reply.SchedulePage> to = harness.newAddress();
    harness.offer(0, new Query.ListSchedules("tests", name, paused, behind, limit, to));
    harness.settle();
    return ((Reply.SchedulePage) harness.reply(to.request()))
        .schedules().stream().map(each -> each.definition().name()).toList();
  }

  @Test
  void shouldWaitUntilAllDefinitionsAreKnown() {
    harness.graphs().complete = false;
    ProcessGraph graph = every(10, quick);
    schedules.deploy(graph);
    assertEquals(List.of(), schedules.keepers(graph));

    harness.graphs().complete = true;
    harness.settle();
    assertEquals(1, schedules.keepers(graph).size());
  }

  @Test
  void shouldBeKeptByOneKernelOnly() {
    KernelHarness two = new KernelHarness(Map.of(), 2);
    RecordedSchedules of = new RecordedSchedules(two);
    ProcessGraph[] graphs = new ProcessGraph[10];
    for (int i = 0; i < graphs.length; i++) {
      graphs[i] = every(10, named("job" + i, nothing("n")));
      of.deploy(graphs[i]);
    }
    two.advance(Duration.ofMillis(15_500));

    for (ProcessGraph graph : graphs) {
      assertEquals(1, of.keepers(graph).size(), () -> "of " + graph.key());
      assertEquals(1, of.runs(graph).size(), () -> "of " + graph.key());
    }
    two.finish();
  }
}
