package dev.pinion.core.kernel.replay;

import static dev.pinion.core.kernel.RecordedSchedules.after;
import static dev.pinion.core.kernel.RecordedSchedules.cron;
import static dev.pinion.core.kernel.RecordedSchedules.every;
import static dev.pinion.core.kernel.RecordedSchedules.seconds;
import static dev.pinion.core.kernel.Tasks.call;
import static dev.pinion.core.kernel.Tasks.named;
import static dev.pinion.core.kernel.Tasks.nothing;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.graph.ProcessGraph;
import dev.pinion.core.graph.ScheduleGraph;
import dev.pinion.core.journal.JournalRecord;
import dev.pinion.core.kernel.KernelHarness;
import dev.pinion.core.kernel.RecordedSchedules;
import dev.pinion.core.message.Command;
import dev.pinion.core.message.Event;
import dev.pinion.core.message.Reply;
import dev.pinion.core.message.ReplyAddress;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.instance.InstanceState;
import dev.pinion.core.model.instance.InstanceView;
import dev.pinion.core.model.instance.ParentTask;
import dev.pinion.core.model.instance.ScheduleView;
import dev.pinion.core.model.instance.Tags;
import dev.pinion.core.schedule.OverlapPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Schedules over a crash behind every record: one instance goes on, no due time has two runs, and
 * what was due meanwhile has one run at most.
 */
class ScheduleRecoveryTest {
  @RegisterExtension final KernelHarness harness = new KernelHarness();

  private final RecordedSchedules schedules = new RecordedSchedules(harness);
  private final ProcessGraph quick = named("job", nothing("n"));
  private final ProcessGraph slow = named("job", call("ask"));

  private void advance(long millis) {
    harness.advance(Duration.ofMillis(millis));
  }

  private int records() {
    return harness.journal.entries().size();
  }

  /** A recovery from the first records of the journal. */
  private RecoveredKernel recoverFrom(int records) {
    return new RecoveredKernel(harness, harness.journal.entries().subList(0, records), 1);
  }

  /** Lets time pass, and answers every call. */
  private static void goOn(RecoveredKernel recovered, int seconds) {
    for (int i = 0; i < 10 * seconds; i++) {
      while (!recovered.calls().isEmpty()) {
        recovered.answer(recovered.calls().getFirst(), Payload.NULL);
      }
      recovered.advance(Duration.ofMillis(100));
    }
  }

  private static List<InstanceView> runs(RecoveredKernel recovered) {
    return recovered.instances(null).stream().filter(ScheduleRecoveryTest::isRun).toList();
  }

  private static boolean isRun(InstanceView view) {
    ParentTask parent = view.parent();
    return parent != null && parent.pointer().equals(ScheduleGraph.POINTER);
  }

  /** When runs were due; checks that no two were due at the same time. */
  private static Set<Long> dueSeconds(RecoveredKernel recovered) {
    List<Long> all =
        runs(recovered).stream().map(run -> RecordedSchedules.dueSeconds(run.tags())).toList();
    Set<Long> distinct = new HashSet<>(all);
    assertEquals(distinct.size(), all.size(), () -> "runs due at " + all);
    return distinct;
  }

  private static long keepers(RecoveredKernel recovered) {
    return recovered.instances(null).stream()
        .filter(view -> ScheduleGraph.isKey(view.definition()) && !view.state().isTerminal())
        .count();
  }

  @Test
  void shouldGoOnBehindEveryRecord() {
    ProcessGraph graph = every(10, quick);
    schedules.deploy(graph);
    advance(25_500);
    assertEquals(7, records(), () -> "records " + harness.journal.entries());

    for (int i = 1; i <= records(); i++) {
      RecoveredKernel recovered = recoverFrom(i);
      goOn(recovered, 40);
      int survivors = i;
      assertEquals(1, keepers(recovered), () -> survivors + " records");
      ScheduleView view = recovered.schedule(graph);
      Set<Long> due = dueSeconds(recovered);
      assertEquals(6, due.size() + view.totals().missed(), () -> survivors + " records: " + due);
      assertTrue(due.containsAll(Set.of(10L, 30L, 40L, 50L, 60L)), () -> "due " + due);
      assertEquals(due.size(), view.totals().runs());
    }
    recoverFrom(records()).assertLike(harness);
  }

  @Test
  void shouldGoOnWithAwaitedRunsBehindEveryRecord() {
    for (OverlapPolicy overlap : List.of(OverlapPolicy.SKIP, OverlapPolicy.QUEUE)) {
      KernelHarness own = new KernelHarness();
      RecordedSchedules of = new RecordedSchedules(own);
      ProcessGraph graph = every(10, overlap, slow);
      of.deploy(graph);
      own.advance(Duration.ofMillis(12_500));
      own.answer("ask", Payload.NULL);
      own.advance(Duration.ofSeconds(20));
      List<JournalRecord> records = own.journal.entries();

      for (int i = 1; i <= records.size(); i++) {
        RecoveredKernel recovered = new RecoveredKernel(own, records.subList(0, i), 1);
        goOn(recovered, 40);
        Set<Long> due = dueSeconds(recovered);
        int survivors = i;
        assertEquals(1, keepers(recovered), () -> survivors + " records");
        assertTrue(due.containsAll(Set.of(10L, 40L, 50L, 60L, 70L)), () -> "due " + due);
        assertEquals(due.size(), recovered.schedule(graph).totals().runs());
      }
      new RecoveredKernel(own, records, 1).assertLike(own);
      own.finish();
    }
  }

  @Test
  void shouldCountFromTheEndOfARunBehindEveryRecord() {
    ProcessGraph graph = after(10, slow);
    schedules.deploy(graph);
    advance(15_000);
    harness.answer("ask", Payload.NULL);
    advance(15_000);

    for (int i = 1; i <= records(); i++) {
      RecoveredKernel recovered = recoverFrom(i);
      goOn(recovered, 30);
      int survivors = i;
      assertEquals(1, keepers(recovered), () -> survivors + " records");
      int runs = dueSeconds(recovered).size();
      assertTrue(runs >= 3, () -> "runs " + runs + ", " + survivors + " records");
      assertEquals(new ScheduleView.Totals(runs, 0, 0), recovered.schedule(graph).totals());
    }
    recoverFrom(records()).assertLike(harness);
  }

  @Test
  void shouldBeKeptByOneVersionBehindEveryRecord() {
    ProcessGraph first = every(10, quick);
    schedules.deploy(first);
    advance(12_500);
    schedules.pause(first);
    int paused = records();
    ProcessGraph second = every(10, named("job", nothing("other")));
    schedules.deploy(second);
    assertEquals(paused + 3, records(), () -> "records " + harness.journal.entries());

    for (int i = 1; i <= records(); i++) {
      RecoveredKernel recovered = recoverFrom(i);
      int survivors = i;
      assertEquals(1, keepers(recovered), () -> survivors + " records");
      ScheduleView view = recovered.schedule(second);
      assertEquals(second.key(), view.definition(), () -> survivors + " records");
      assertEquals(survivors >= paused, view.paused(), () -> survivors + " records");
      goOn(recovered, 20);
      Set<Long> due = dueSeconds(recovered);
      assertEquals(due.size(), recovered.schedule(second).totals().runs(), () -> "due " + due);
    }
  }

  @Test
  void shouldBeReplacedOnceBehindEveryRecord() {
    KernelHarness brief = new KernelHarness(Map.of("instance.maxEvents", 4));
    RecordedSchedules of = new RecordedSchedules(brief);
    ProcessGraph graph = every(1, quick);
    of.deploy(graph);
    brief.advance(Duration.ofMillis(6_500));
    List<JournalRecord> records = brief.journal.entries();

    for (int i = 1; i <= records.size(); i++) {
      RecoveredKernel recovered = new RecoveredKernel(brief, records.subList(0, i), 1);
      goOn(recovered, 3);
      int survivors = i;
      assertEquals(1, keepers(recovered), () -> survivors + " records");
      ScheduleView.Totals totals = recovered.schedule(graph).totals();
      assertEquals(dueSeconds(recovered).size(), totals.runs(), () -> survivors + " records");
      assertEquals(9, totals.runs() + totals.missed(), () -> survivors + " records");
    }
    brief.finish();
  }

  @Test
  void shouldEndWithItsDefinitionBehindEveryRecord() {
    ProcessGraph graph = every(10, slow);
    schedules.deploy(graph);
    advance(12_500);
    harness.graphs().disable(graph.key());
    harness.settle();

    for (int i = 1; i <= records(); i++) {
      RecoveredKernel recovered = recoverFrom(i);
      goOn(recovered, 20);
      int survivors = i;
      assertEquals(0, keepers(recovered), () -> survivors + " records");
      assertTrue(dueSeconds(recovered).size() <= 1, () -> survivors + " records");
      runs(recovered).forEach(run -> assertEquals(InstanceState.COMPLETED, run.state()));
    }
  }

  @Test
  void shouldBeginTheRunOfACrashLate() {
    ProcessGraph graph = cron("0 * * * *", "UTC", quick); // first due after 46 min 40 s
    schedules.deploy(graph);
    int deployed = records();
    advance(Duration.ofHours(5).toMillis());

    RecoveredKernel recovered = recoverFrom(deployed);
    recovered.advance(Duration.ofMillis(10));
    ScheduleView view = recovered.schedule(graph);
    assertEquals(new ScheduleView.Totals(1, 4, 0), view.totals());
    assertEquals(Set.of(46L * 60 + 40), dueSeconds(recovered));
    assertEquals(5L * 3_600 + 46 * 60 + 40, seconds(view.nextEpochMillis()));
  }

  @Test
  void shouldNotBeginOnceMoreARunThatARecoveryLeavesOut() {
    ProcessGraph graph = every(10, OverlapPolicy.SKIP, slow);
    schedules.deploy(graph);
    advance(12_500);

    RecoveredKernel recovered = recoverWithoutRun(graph, records());
    recovered.advance(Duration.ofSeconds(5));
    assertOnlyRun(recovered, graph);
    assertEquals(InstanceState.FAULTED, lastRun(recovered, graph).state());
  }

  @Test
  void shouldNotBeginOnceMoreALeftOutRunWhoseEndNobodyAwaits() {
    ProcessGraph graph = every(10, quick);
    schedules.deploy(graph);
    advance(12_500);

    for (int i = 3; i <= records(); i++) { // the third one is its start
      RecoveredKernel recovered = recoverWithoutRun(graph, i);
      recovered.advance(Duration.ofSeconds(5));
      assertOnlyRun(recovered, graph);
    }
  }

  private RecoveredKernel recoverWithoutRun(ProcessGraph graph, int records) {
    InstanceId run = schedules.runs(graph).getFirst();
    return new RecoveredKernel(
        harness,
        null,
        harness.journal.entries().subList(0, records),
        (recovery, kernel, record) ->
            recovery.exclude(id -> id.equals(run) ? "quarantined" : null, harness.epochMillis()),
        1);
  }

  private void assertOnlyRun(RecoveredKernel recovered, ProcessGraph graph) {
    InstanceId run = schedules.runs(graph).getFirst();
    assertEquals(List.of(run), runs(recovered).stream().map(InstanceView::id).toList());
    ScheduleView view = recovered.schedule(graph);
    assertEquals(new ScheduleView.Totals(1, 0, 0), view.totals());
    assertNull(view.problem());
    assertEquals(20, seconds(view.nextEpochMillis()));
    assertEquals(run, lastRun(recovered, graph).id());
    assertEquals(10, seconds(lastRun(recovered, graph).dueEpochMillis()));
  }

  private static ScheduleView.ScheduledRun lastRun(RecoveredKernel recovered, ProcessGraph graph) {
    return Objects.requireNonNull(recovered.schedule(graph).last());
  }

  @Test
  void shouldGoOnFromASnapshot() {
    ProcessGraph waits = every(10, quick);
    ProcessGraph runs = every(10, OverlapPolicy.SKIP, named("other", call("ask")));
    schedules.deploy(waits);
    schedules.deploy(runs);
    advance(15_500);
    TakenSnapshot snapshot = TakenSnapshot.of(harness.kernel());

    RecoveredKernel recovered =
        new RecoveredKernel(harness, snapshot, List.of(), (a, b, c) -> {}, 1);
    recovered.assertLikeUnderWay(harness);
    assertEquals(schedules.view(waits), recovered.schedule(waits));
    assertEquals(schedules.view(runs), recovered.schedule(runs));
    goOn(recovered, 10);
    assertEquals(2, recovered.schedule(waits).totals().runs());
    assertEquals(2, recovered.schedule(runs).totals().runs());
    assertEquals(2, keepers(recovered));
  }

  @Test
  void shouldFollowASnapshotWithRecords() {
    ProcessGraph graph = every(10, OverlapPolicy.QUEUE, slow);
    schedules.deploy(graph);
    advance(25_500);
    TakenSnapshot snapshot = TakenSnapshot.of(harness.kernel());
    int at = records();
    harness.answer("ask", Payload.NULL);
    advance(500);
    schedules.pause(graph);

    List<JournalRecord> later = harness.journal.entries().subList(at, records());
    RecoveredKernel recovered = new RecoveredKernel(harness, snapshot, later, (a, b, c) -> {}, 1);
    assertEquals(schedules.view(graph), recovered.schedule(graph));
    assertTrue(recovered.schedule(graph).paused());
  }

  @Test
  void shouldKeepTheTimeOfAStart() {
    InstanceId id = startAt(10);
    int started = records();
    TakenSnapshot snapshot = TakenSnapshot.of(harness.kernel());
    advance(4_000);

    RecoveredKernel replayed = recoverFrom(started);
    RecoveredKernel restored =
        new RecoveredKernel(harness, snapshot, List.of(), (a, b, c) -> {}, 1);
    for (RecoveredKernel recovered : List.of(replayed, restored)) {
      assertEquals(InstanceState.PENDING, recovered.view(id).state());
      recovered.advance(Duration.ofMillis(5_900));
      assertEquals(InstanceState.PENDING, recovered.view(id).state());
      recovered.advance(Duration.ofMillis(200));
      assertEquals(InstanceState.COMPLETED, recovered.view(id).state());
    }
  }

  @Test
  void shouldBeginAStartWhoseTimeHasPassedDuringACrash() {
    InstanceId id = startAt(10);
    int started = records();
    advance(30_000);

    RecoveredKernel recovered = recoverFrom(started);
    recovered.advance(Duration.ofMillis(10));
    assertEquals(InstanceState.COMPLETED, recovered.view(id).state());
    assertNull(recovered.view(id).error());
    recoverFrom(records()).assertLike(harness);
  }

  private InstanceId startAt(long seconds) {
    harness.deploy(quick);
    Instant time = Instant.ofEpochMilli(KernelHarness.FIRST_EPOCH_MILLIS).plusSeconds(seconds);
    Tags tags = new Tags(null, Map.of(Tags.START_AT, time.toString()));
    ReplyAddress<Reply.StartReply> to = harness.newAddress();
    harness.offer(0, new Command.Start(quick.key(), 0, Payload.NULL, to, false, null, false, tags));
    harness.settle();
    assertEquals(
        1, harness.journal.entries().stream().filter(ScheduleRecoveryTest::isStart).count());
    return harness.accepted(to.request());
  }

  private static boolean isStart(JournalRecord record) {
    return record.event() instanceof Event.Started;
  }
}
