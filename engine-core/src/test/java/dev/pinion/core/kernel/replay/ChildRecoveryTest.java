package dev.pinion.core.kernel.replay;

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
import static dev.pinion.core.kernel.Tasks.set;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.graph.ProcessGraph;
import dev.pinion.core.journal.JournalRecord;
import dev.pinion.core.journal.SnapshotEntry;
import dev.pinion.core.kernel.KernelHarness;
import dev.pinion.core.kernel.RecordedChildren;
import dev.pinion.core.kernel.TaskSpec;
import dev.pinion.core.kernel.Tasks;
import dev.pinion.core.kernel.Values;
import dev.pinion.core.message.Command;
import dev.pinion.core.message.Event;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.call.CallOutcome;
import dev.pinion.core.model.instance.InstanceState;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Parents and children over a crash: each child is started once, and its end reported once. */
class ChildRecoveryTest {
  private static final Duration LONG = Duration.ofHours(1);

  @RegisterExtension final KernelHarness harness = new KernelHarness();

  private final RecordedChildren children = new RecordedChildren(harness);

  /** A recovery from the first records of the journal. */
  private RecoveredKernel after(int records) {
    return new RecoveredKernel(harness, harness.journal.entries().subList(0, records), 1);
  }

  private RecoveredKernel restored(TakenSnapshot snapshot, int from) {
    List<JournalRecord> records = harness.journal.entries();
    return new RecoveredKernel(
        harness, snapshot, records.subList(from, records.size()), (a, b, c) -> {}, 1);
  }

  @Test
  void shouldEndInTheSameWayBehindEveryRecord() {
    ProcessGraph grandchild = named("grandchild", call("ask"), set("s", 2));
    ProcessGraph child = named("child", child("run", grandchild), nothing("n"));
    InstanceId id = children.start(graph(child("run", child), nothing("after")), child, grandchild);
    harness.answer("ask", Payload.of(1));
    assertEquals(Payload.of(2), harness.output(id));
    int records = harness.journal.entries().size();
    assertEquals(6, records, () -> "records " + harness.journal.entries());

    for (int i = 1; i <= records; i++) {
      RecoveredKernel recovered = after(i);
      if (!recovered.calls().isEmpty()) {
        recovered.answer(recovered.calls().getFirst(), Payload.of(1));
      }
      int survivors = i;
      assertEquals(Payload.of(2), recovered.view(id).output(), () -> survivors + " records");
      assertEquals(3, recovered.started(), () -> "instances, " + survivors + " records");
    }
  }

  @Test
  void shouldStartADetachedChildOnceBehindEveryRecord() {
    ProcessGraph child = named("child", pause("p", LONG));
    InstanceId id = children.start(graph(detached("run", child), nothing("n")), child);
    int records = harness.journal.entries().size();
    assertEquals(3, records, () -> "records " + harness.journal.entries());

    for (int i = 1; i <= records; i++) {
      RecoveredKernel recovered = after(i);
      assertEquals(InstanceState.COMPLETED, recovered.view(id).state());
      assertEquals(2, recovered.started(), "instances");
    }
  }

  @Test
  void shouldReportAnEndThatIsNoLongerKept() {
    KernelHarness forgetful = new KernelHarness(Map.of("kernel.maxEnded", 0));
    RecordedChildren of = new RecordedChildren(forgetful);
    ProcessGraph child = named("child", call("ask"));
    InstanceId id = of.start(graph(child("run", child), call("after")), child);
    forgetful.answer("ask", Payload.of(1));
    List<JournalRecord> records = forgetful.journal.entries();
    int end = lastOf(records, of.only(id));

    RecoveredKernel recovered = new RecoveredKernel(forgetful, records.subList(0, end + 1), 1);
    assertEquals(2, recovered.started(), "instances");
    assertEquals(1, recovered.calls().size(), "goes on");
    forgetful.answer("after", Payload.NULL);
    forgetful.finish();
  }

  private static int lastOf(List<JournalRecord> records, InstanceId id) {
    int last = -1;
    for (int i = 0; i < records.size(); i++) {
      last = records.get(i).id().equals(id) ? i : last;
    }
    return last;
  }

  @Test
  void shouldRestoreParentsThatWaitFromASnapshot() {
    ProcessGraph child = named("child", call("ask"));
    InstanceId id = children.start(graph(child("run", child), nothing("n")), child);
    TakenSnapshot snapshot = TakenSnapshot.of(harness.kernel());
    assertEquals(0, snapshot.count(SnapshotEntry.CHILD), "nothing on its way");

    RecoveredKernel recovered = restored(snapshot, harness.journal.entries().size());
    assertEquals(harness.view(id), recovered.view(id));
    assertEquals(harness.view(children.only(id)), recovered.view(children.only(id)));
    recovered.answer(recovered.calls().getFirst(), Payload.of(3));
    assertEquals(Payload.of(3), recovered.view(id).output());
    assertEquals(2, recovered.started(), "instances");
  }

  @Test
  void shouldKnowTheParentOfAnEndedChildFromASnapshot() {
    ProcessGraph child = named("child", nothing("n"));
    InstanceId id = children.start(graph(child("run", child)), child);
    TakenSnapshot snapshot = TakenSnapshot.of(harness.kernel());

    RecoveredKernel recovered = restored(snapshot, harness.journal.entries().size());
    assertEquals(harness.view(children.only(id)), recovered.view(children.only(id)));
    assertEquals(id, Objects.requireNonNull(recovered.view(children.only(id)).parent()).id());
  }

  /** Two children end in one duty cycle, whose share allows only one report. */
  @Test
  void shouldWriteWhatIsOnItsWayIntoSnapshots() {
    KernelHarness small = new KernelHarness(Map.of("expression.loopSteps", 100));
    RecordedChildren of = new RecordedChildren(small);
    ProcessGraph asks = named("asks", call("ask"));
    ProcessGraph naps = named("naps", pause("p", Duration.ofSeconds(1)));
    TaskSpec first = child("a", asks).as(Values.costing(90, Values.INPUT));
    InstanceId id = of.start(graph(fork("f", first, child("b", naps)), call("after")), asks, naps);
    small.report(small.call("ask"), new CallOutcome.Succeeded(Payload.of(1)));
    small.jump(Duration.ofSeconds(2));
    small.cycle();
    TakenSnapshot snapshot = new TakenSnapshot().dividedInto(10);
    small.kernel().snapshotNow(snapshot);
    assertEquals(1, snapshot.count(SnapshotEntry.CHILD));
    int at = small.journal.entries().size();

    RecoveredKernel recovered = new RecoveredKernel(small, snapshot, List.of(), (a, b, c) -> {}, 1);
    assertEquals(1, recovered.started(), "instances beside the ended ones");
    recovered.answer(recovered.calls().getFirst(), Payload.of(4));
    assertEquals(Payload.of(4), recovered.view(id).output());
    small.settle();
    small.answer("after", Payload.of(4));
    assertEquals(Payload.of(4), small.output(id));
    List<JournalRecord> later = small.journal.entries();
    RecoveredKernel followed =
        new RecoveredKernel(small, snapshot, later.subList(at, later.size()), (a, b, c) -> {}, 1);
    assertEquals(small.view(id), followed.view(id), "reported in the journal");
    small.finish();
  }

  @Test
  void shouldCancelChildrenForWhichNobodyWaitsAnyMore() {
    ProcessGraph grandchild = named("grandchild", pause("p", LONG));
    ProcessGraph child = named("child", child("run", grandchild));
    InstanceId id = children.start(graph(child("run", child)), child, grandchild);
    harness.cancel(id);
    int cancelled = first(Event.Cancelled.class) + 1;

    RecoveredKernel recovered = after(cancelled);
    InstanceId childId = children.only(id);
    assertEquals(InstanceState.CANCELLED, recovered.view(childId).state());
    assertEquals(InstanceState.CANCELLED, recovered.view(children.only(childId)).state());
  }

  /** Index of the first record of a kind. */
  private int first(Class<? extends Event> kind) {
    List<JournalRecord> records = harness.journal.entries();
    for (int i = 0; i < records.size(); i++) {
      if (kind.isInstance(records.get(i).event())) {
        return i;
      }
    }
    throw new AssertionError("expected a record of " + kind + ", found " + records);
  }

  /** The wait times out, and a client suspends the child before it is cancelled. */
  @Test
  void shouldCancelAChildThatWasSuspendedMeanwhile() {
    ProcessGraph child = named("child", pause("p", LONG));
    TaskSpec run = child("run", child).timeout(Duration.ofSeconds(1));
    InstanceId id =
        children.start(
            graph(attempt("t", handler().run(set("late", 1)), run), pause("w", LONG)), child);
    InstanceId childId = children.only(id);
    harness.jump(Duration.ofSeconds(2));
    harness.offer(0, new Command.Suspend(childId, harness.newAddress()));
    harness.settle();
    assertEquals(InstanceState.CANCELLED, harness.state(childId));

    RecoveredKernel recovered = after(first(Event.Suspended.class) + 1);
    assertEquals(InstanceState.CANCELLED, recovered.view(childId).state());
  }

  /** Two children are to be resumed in one duty cycle, whose share allows only one. */
  @Test
  void shouldResumeAChildByASnapshotThatOverlapsItsSuspension() {
    KernelHarness small = new KernelHarness(Map.of("expression.loopSteps", 100));
    RecordedChildren of = new RecordedChildren(small);
    TaskSpec[] steps = {
      call("ask"), nothing("a"), nothing("b"), nothing("c"), nothing("d"), nothing("e")
    };
    ProcessGraph busy = named("busy", steps);
    InstanceId id = of.start(graph(fork("f", child("a", busy), child("b", busy))), busy);
    int from = small.journal.entries().size();
    small.offerSuspendOrResume(id);
    small.settle();
    small.answer("ask", Payload.of(1));
    small.answer("ask", Payload.of(1));
    small.offerSuspendOrResume(id);
    small.cycle();
    TakenSnapshot snapshot = TakenSnapshot.of(small.kernel());
    assertEquals(1, snapshot.count(SnapshotEntry.CHILD));
    List<JournalRecord> records = small.journal.entries();

    RecoveredKernel recovered =
        new RecoveredKernel(
            small, snapshot, records.subList(from, records.size()), (a, b, c) -> {}, 1);
    assertEquals(InstanceState.COMPLETED, recovered.view(id).state());
    small.settle();
    assertEquals(InstanceState.COMPLETED, small.state(id));
    small.finish();
  }

  @Test
  void shouldSuspendAndResumeChildrenAfterACrash() {
    ProcessGraph child = named("child", call("ask"));
    InstanceId id = children.start(graph(child("run", child)), child);
    InstanceId childId = children.only(id);
    harness.offerSuspendOrResume(id);
    harness.settle();
    int suspended = harness.journal.entries().size() - 1;
    assertEquals(InstanceState.SUSPENDED, after(suspended).view(childId).state());

    harness.offerSuspendOrResume(id);
    harness.settle();
    int resumed = harness.journal.entries().size() - 1;
    RecoveredKernel recovered = after(resumed);
    assertEquals(InstanceState.WAITING, recovered.view(id).state());
    assertEquals(InstanceState.RUNNING, recovered.view(childId).state());
  }

  /** What a client did with the child alone stays. */
  @Test
  void shouldNotSuspendAChildAgainThatWasResumedAlone() {
    ProcessGraph child = named("child", call("ask"));
    InstanceId id = children.start(graph(child("run", child)), child);
    InstanceId childId = children.only(id);
    harness.offerSuspendOrResume(id);
    harness.settle();
    harness.offerSuspendOrResume(childId);
    harness.settle();

    RecoveredKernel recovered = after(harness.journal.entries().size());
    assertEquals(InstanceState.SUSPENDED, recovered.view(id).state());
    assertEquals(InstanceState.RUNNING, recovered.view(childId).state());
  }

  @Test
  void shouldStartTheChildOfASuspendedParentOnlyWhenItIsResumed() {
    ProcessGraph child = named("child", set("s", 1));
    harness.graphs().complete = false;
    InstanceId id = children.start(graph(child("run", child)), child);
    harness.offerSuspendOrResume(id);
    harness.settle();
    harness.graphs().complete = true;

    RecoveredKernel recovered = after(harness.journal.entries().size());
    assertEquals(1, recovered.started(), "instances");
    recovered.resume(id);
    assertEquals(Payload.of(1), recovered.view(id).output());
  }

  /** In memory only: the child is lost, and started again. */
  @Test
  void shouldStartAChildAgainThatWasNotJournalled() {
    ProcessGraph child = Tasks.inMemory(named("child", pause("p", LONG)));
    InstanceId id = children.start(graph(child("run", child)), child);
    assertEquals(2, harness.kernel().instances().size());
    assertEquals(1, harness.journal.entries().size());

    RecoveredKernel recovered = after(1);
    assertEquals(2, recovered.started(), "instances");
    assertEquals(InstanceState.WAITING, recovered.view(id).state());
  }

  /** The parent is lost, so nobody waits for the child any more. */
  @Test
  void shouldCancelAChildWhoseParentWasNotJournalled() {
    ProcessGraph child = named("child", pause("p", LONG));
    ProcessGraph parent = Tasks.inMemory(graph(child("run", child)));
    harness.deploy(child);
    harness.start(parent);
    List<JournalRecord> records = harness.journal.entries();
    assertEquals(1, records.size());

    assertEquals(InstanceState.CANCELLED, after(1).view(records.getFirst().id()).state());
  }

  @Test
  void shouldRunTheChildrenOfARetriedParentOnceBehindEveryRecord() {
    ProcessGraph child = named("child", pause("p", Duration.ofSeconds(5)), set("s", 1));
    InstanceId id = children.start(graph(fork("f", child("run", child), call("ask"))), child);
    harness.fail("ask", 500);
    harness.offerRetry(id);
    harness.settle();
    int from = first(Event.Retried.class);
    harness.answer("ask", Payload.of(2));
    harness.advance(Duration.ofSeconds(6));
    assertEquals(2, harness.output(id).json().size());

    for (int i = from + 1; i <= harness.journal.entries().size(); i++) {
      RecoveredKernel recovered = after(i);
      if (!recovered.calls().isEmpty()) {
        recovered.answer(recovered.calls().getFirst(), Payload.of(2));
      }
      recovered.advance(Duration.ofSeconds(6));
      int survivors = i;
      assertEquals(harness.output(id), recovered.view(id).output(), () -> survivors + " records");
      assertEquals(2, recovered.childrenOf(id), () -> "children, " + survivors + " records");
    }
  }

  /** A parent may have come further than its records show when its child is started. */
  @Test
  void shouldFollowAParentThatStartedAChildInAnUnrecordedTurn() {
    KernelHarness small = new KernelHarness(Map.of("kernel.stepsPerTurn", 1));
    RecordedChildren of = new RecordedChildren(small);
    ProcessGraph child = named("child", nothing("n"));
    InstanceId id =
        of.start(
            graph(fork("f", detached("run", child), pause("p", LONG), nothing("a"), nothing("b"))),
            child);
    List<JournalRecord> records = small.journal.entries();
    int started = lastOf(records, of.only(id));

    RecoveredKernel recovered = new RecoveredKernel(small, records.subList(0, started + 1), 1);
    assertEquals(2, recovered.started(), "instances");
    assertTrue(recovered.view(id).state() == InstanceState.WAITING);
    small.finish();
  }
}
