package dev.pinion.core.kernel;

import static dev.pinion.core.kernel.RecordedSchedules.after;
import static dev.pinion.core.kernel.RecordedSchedules.cron;
import static dev.pinion.core.kernel.RecordedSchedules.every;
import static dev.pinion.core.kernel.RecordedSchedules.seconds;
import static dev.pinion.core.kernel.Tasks.call;
import static dev.pinion.core.kernel.Tasks.graph;
import static dev.pinion.core.kernel.Tasks.named;
import static dev.pinion.core.kernel.Tasks.nothing;
import static dev.pinion.core.kernel.Tasks.pause;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.graph.ProcessGraph;
import dev.pinion.core.message.Command;
import dev.pinion.core.message.Reply;
import dev.pinion.core.message.ReplyAddress;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.instance.InstanceState;
import dev.pinion.core.model.instance.ScheduleView;
import dev.pinion.core.model.instance.Tags;
import dev.pinion.core.schedule.OverlapPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Times of the wall clock: starts at a given time, and clocks that are set while something waits
 * for such a time.
 */
class WallClockTest {
  @RegisterExtension final KernelHarness harness = new KernelHarness();

  private final RecordedSchedules schedules = new RecordedSchedules(harness);
  private final ProcessGraph quick = named("job", nothing("n"));

  /** Starts an instance that begins some seconds after the harness. */
  private InstanceId startAt(ProcessGraph graph, long seconds, @Nullable String orderingKey) {
    harness.deploy(graph);
    Map<String, String> labels = new HashMap<>();
    long time = KernelHarness.FIRST_EPOCH_MILLIS + Duration.ofSeconds(seconds).toMillis();
    labels.put(Tags.START_AT, Instant.ofEpochMilli(time).toString());
    if (orderingKey != null) {
      labels.put(Tags.ORDERING_KEY, orderingKey);
    }
    ReplyAddress<Reply.StartReply> to = harness.newAddress();
    Tags tags = new Tags(null, labels);
    harness.offer(0, new Command.Start(graph.key(), 0, Payload.NULL, to, false, null, false, tags));
    harness.settle();
    return harness.accepted(to.request());
  }

  private InstanceId startAt(ProcessGraph graph, long seconds) {
    return startAt(graph, seconds, null);
  }

  private void advance(long seconds) {
    harness.advance(Duration.ofSeconds(seconds));
  }

  @Test
  void shouldBeginAtAGivenTime() {
    InstanceId id = startAt(graph(call("ask")), 10);
    assertEquals(InstanceState.PENDING, harness.state(id));
    advance(9);
    assertEquals(InstanceState.PENDING, harness.state(id));
    assertEquals(List.of(), harness.calls);
    assertEquals(List.of(), harness.entered);

    advance(2);
    assertEquals(InstanceState.RUNNING, harness.state(id));
    harness.answer("ask", Payload.of(1));
    assertEquals(Payload.of(1), harness.output(id));
  }

  @Test
  void shouldBeginAtOnceWhenTheTimeHasPassed() {
    advance(20);
    InstanceId id = startAt(graph(nothing("n")), 10);
    advance(1);

    assertEquals(InstanceState.COMPLETED, harness.state(id));
  }

  @Test
  void shouldCountTimeoutsFromTheBeginning() {
    ProcessGraph brief =
        graph("brief", null, null, Duration.ofSeconds(5), pause("p", Duration.ofSeconds(3)));
    InstanceId id = startAt(brief, 10);
    advance(14);

    assertEquals(InstanceState.COMPLETED, harness.state(id));
  }

  @Test
  void shouldBeCancelledBeforeItBegins() {
    InstanceId id = startAt(graph(nothing("n")), 10);
    harness.cancel(id);
    assertEquals(InstanceState.CANCELLED, harness.state(id));
    assertEquals(0, harness.kernel().router().timers().size());
  }

  @Test
  void shouldNotBeginWhileItIsSuspended() {
    InstanceId id = startAt(graph(nothing("n")), 10);
    harness.offerSuspendOrResume(id);
    advance(20);
    assertEquals(InstanceState.SUSPENDED, harness.state(id));

    harness.offerSuspendOrResume(id);
    harness.settle();
    assertEquals(InstanceState.COMPLETED, harness.state(id));
  }

  @Test
  void shouldBePendingAgainWhenItIsResumedEarly() {
    InstanceId id = startAt(graph(nothing("n")), 10);
    harness.offerSuspendOrResume(id);
    advance(5);
    harness.offerSuspendOrResume(id);
    harness.settle();
    assertEquals(InstanceState.PENDING, harness.state(id));
    advance(6);
    assertEquals(InstanceState.COMPLETED, harness.state(id));
  }

  /** What happened to whole instances. */
  private List<String> history() {
    long distinct =
        harness.happenings.stream()
            .map(each -> each.id() + "-" + each.sequence())
            .distinct()
            .count();
    assertEquals(harness.happenings.size(), distinct, "numbers");
    return harness.happenings.stream()
        .filter(each -> each.task() == null)
        .map(each -> each.kind() + (each.detail() == null ? "" : " " + each.detail()))
        .toList();
  }

  @Test // Lifecycle events told at acceptance that it had started
  void shouldTellWhenItBegins() {
    InstanceId id = startAt(graph(nothing("n")), 10);
    harness.offerSuspendOrResume(id);
    harness.settle();
    harness.offerSuspendOrResume(id);
    harness.settle();
    advance(11);

    assertEquals(
        List.of(
            "INSTANCE_STARTED pending",
            "INSTANCE_SUSPENDED",
            "INSTANCE_RESUMED pending",
            "INSTANCE_BEGUN",
            "INSTANCE_COMPLETED"),
        history());
  }

  @Test
  void shouldTellThatItBeginsWhenItIsResumedLate() {
    InstanceId id = startAt(graph(nothing("n")), 10);
    harness.offerSuspendOrResume(id);
    advance(20);
    harness.offerSuspendOrResume(id);
    harness.settle();

    assertEquals(
        List.of(
            "INSTANCE_STARTED pending",
            "INSTANCE_SUSPENDED",
            "INSTANCE_RESUMED",
            "INSTANCE_BEGUN",
            "INSTANCE_COMPLETED"),
        history());
  }

  @Test
  void shouldTellOneStartOfWhatBeginsAtOnceOrNever() {
    ProcessGraph graph = graph(nothing("n"));
    harness.cancel(startAt(graph, 10));
    InstanceId _ = startAt(graph, 0);

    assertEquals(
        List.of(
            "INSTANCE_STARTED pending",
            "INSTANCE_CANCELLED",
            "INSTANCE_STARTED",
            "INSTANCE_COMPLETED"),
        history());
  }

  @Test
  void shouldHoldNoLaterStartOfItsOrderingKey() {
    ProcessGraph graph = graph(nothing("n"));
    InstanceId later = startAt(graph, 10, "k");
    InstanceId now = startAt(graph, 0, "k");
    advance(1);

    assertEquals(InstanceState.PENDING, harness.state(later));
    assertEquals(InstanceState.COMPLETED, harness.state(now));
  }

  /** No other event may come for hours, in which the clock is set, or the machine sleeps. */
  @Test
  void shouldLookAtTheClockNowAndThenWhileSomethingWaitsForIt() {
    assertEquals(Long.MAX_VALUE, harness.kernel().nextDeadlineNanos());
    InstanceId id = startAt(graph(nothing("n")), 3_600);
    long soon = harness.nowNanos() + Duration.ofSeconds(10).toNanos();
    assertTrue(harness.kernel().nextDeadlineNanos() <= soon);

    harness.cancel(id);
    assertEquals(Long.MAX_VALUE, harness.kernel().nextDeadlineNanos());
  }

  @Test
  void shouldBeginEarlierWhenTheClockIsSetForward() {
    InstanceId id = startAt(graph(nothing("n")), 10);
    harness.setClock(Duration.ofSeconds(8));
    advance(3);

    assertEquals(InstanceState.COMPLETED, harness.state(id));
  }

  @Test
  void shouldBeginLaterWhenTheClockIsSetBack() {
    InstanceId id = startAt(graph(nothing("n")), 10);
    harness.setClock(Duration.ofMinutes(-1));
    advance(69);
    assertEquals(InstanceState.PENDING, harness.state(id));
    advance(2);
    assertEquals(InstanceState.COMPLETED, harness.state(id));
  }

  /** A clock that is a little slow was not set: the timer comes too early, and waits again. */
  @Test
  void shouldNotBeginBeforeASlowClockSaysSo() {
    InstanceId id = startAt(graph(nothing("n")), 10);
    advance(5);
    harness.setClock(Duration.ofMillis(1 - WallClockTimers.LEAST_JUMP_MILLIS));
    harness.advance(Duration.ofMillis(5_200));
    assertEquals(InstanceState.PENDING, harness.state(id));
    advance(1);
    assertEquals(InstanceState.COMPLETED, harness.state(id));
  }

  @Test
  void shouldRunAScheduleByTheClockThatWasSetForward() {
    ProcessGraph graph = every(10, quick);
    schedules.deploy(graph);
    harness.setClock(Duration.ofSeconds(35));
    advance(1);

    assertEquals(List.of(10L), schedules.dueSeconds());
    assertEquals(new ScheduleView.Totals(1, 2, 0), schedules.view(graph).totals());
    advance(5);
    assertEquals(List.of(10L, 40L), schedules.dueSeconds());
  }

  @Test
  void shouldRunNothingTwiceWhenTheClockIsSetBackALittle() {
    ProcessGraph graph = every(10, quick);
    schedules.deploy(graph);
    advance(25);
    harness.setClock(Duration.ofMinutes(-1));
    advance(60);
    assertEquals(List.of(10L, 20L), schedules.dueSeconds());
    advance(6);
    assertEquals(List.of(10L, 20L, 30L), schedules.dueSeconds());
    assertEquals(new ScheduleView.Totals(3, 0, 0), schedules.view(graph).totals());
  }

  @Test
  void shouldNotWaitForAClockThatWasFarAhead() {
    ProcessGraph graph = every(10, quick);
    schedules.deploy(graph);
    advance(25);
    harness.setClock(Duration.ofDays(-400));
    advance(20);

    assertEquals(4, schedules.runs(graph).size());
    ScheduleView view = schedules.view(graph);
    assertEquals(new ScheduleView.Totals(4, 0, 0), view.totals());
    assertTrue(view.nextEpochMillis() - harness.epochMillis() <= 10_000, "soon");
    assertEquals(1, schedules.keepers(graph).size());
  }

  @Test
  void shouldNotWaitForAClockThatWasFarAheadWhenARunBegan() {
    ProcessGraph graph = every(10, OverlapPolicy.SKIP, named("job", call("ask")));
    schedules.deploy(graph);
    harness.setClock(Duration.ofDays(400));
    advance(1);
    harness.setClock(Duration.ofDays(-400));
    harness.answer("ask", Payload.NULL);

    long left = schedules.view(graph).nextEpochMillis() - harness.epochMillis();
    assertTrue(left <= 10_000, () -> "begins in " + left + " ms");
    advance(10);
    assertEquals(2, schedules.runs(graph).size());
  }

  @Test
  void shouldWaitForTheTimesOfACronExpressionByTheClock() {
    ProcessGraph graph = cron("*/5 * * * *", "UTC", quick); // first due after 100 seconds
    schedules.deploy(graph);
    harness.setClock(Duration.ofSeconds(-30));
    advance(129);
    assertEquals(List.of(), schedules.runs(graph));
    advance(2);
    assertEquals(List.of(100L), schedules.dueSeconds());
  }

  @Test
  void shouldWaitAfterARunAsLongAsTheClockSays() {
    ProcessGraph graph = after(10, quick);
    schedules.deploy(graph);
    assertEquals(10, seconds(schedules.view(graph).nextEpochMillis()));
    harness.setClock(Duration.ofSeconds(5));
    advance(6);

    assertEquals(List.of(10L), schedules.dueSeconds());
  }

  @Test
  void shouldStayPausedWhenTheClockIsSet() {
    ProcessGraph graph = every(10, quick);
    schedules.deploy(graph);
    advance(15);
    schedules.pause(graph);
    harness.setClock(Duration.ofDays(-1));
    advance(30);
    assertTrue(schedules.view(graph).paused());
    assertEquals(1, schedules.runs(graph).size());

    schedules.resume(graph);
    advance(11);
    assertEquals(2, schedules.runs(graph).size());
  }
}
