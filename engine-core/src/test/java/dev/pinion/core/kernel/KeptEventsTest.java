package dev.pinion.core.kernel;

import static dev.pinion.core.kernel.CompiledTasks.listen;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.events.EventLog;
import dev.pinion.core.graph.ProcessGraph;
import dev.pinion.core.journal.SnapshotEntry;
import dev.pinion.core.kernel.counters.ListenCounters;
import dev.pinion.core.kernel.replay.RecoveredKernel;
import dev.pinion.core.kernel.replay.Recovery;
import dev.pinion.core.kernel.replay.TakenSnapshot;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.instance.InstanceState;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Events that nobody listened to, for those who come within the time that they are kept. */
class KeptEventsTest {
  private static final ProcessGraph NOTED = listen("{one: {with: {type: noted}}}");

  @RegisterExtension
  final KernelHarness kernel =
      new KernelHarness(Map.of("events.keepMillis", 10_000, "events.maxUnheardBytes", 8_192));

  private InstanceId start(ProcessGraph graph) {
    return kernel.start(graph, PostedEvents.json("{}"));
  }

  private void post(String type, String data) {
    kernel.events.post(type, data);
    kernel.settle();
  }

  private void assertOutput(String expected, InstanceId id) {
    assertEquals(PostedEvents.json(expected), kernel.output(id));
  }

  private long kept() {
    return kernel.kernel().counters().listening().unheard();
  }

  @Test
  void shouldGiveAnEventToTheFirstWhoComes() {
    post("noted", "1");
    post("other", "2");
    post("noted", "3");
    assertEquals(3, kept());
    assertOutput("[1]", start(NOTED));
    assertOutput("[3]", start(NOTED));
    InstanceId late = start(NOTED);
    assertEquals(InstanceState.WAITING, kernel.state(late));
    assertEquals(1, kept());
    post("noted", "4");
    assertOutput("[4]", late);
  }

  @Test
  void shouldNotKeepWhatSomeoneHasConsumed() {
    InstanceId first = start(NOTED);
    post("noted", "1");
    assertOutput("[1]", first);
    assertEquals(InstanceState.WAITING, kernel.state(start(NOTED)));
    assertEquals(0, kept());
  }

  @Test
  void shouldKeepAnEventForItsTime() {
    post("noted", "1");
    kernel.advance(Duration.ofSeconds(10));
    assertOutput("[1]", start(NOTED));
    post("noted", "2");
    kernel.advance(Duration.ofMillis(10_001));
    assertEquals(0, kept());
    InstanceId late = start(NOTED);
    assertEquals(InstanceState.WAITING, kernel.state(late));
    post("noted", "3");
    assertOutput("[3]", late);
  }

  @Test
  void shouldDropTheOldestWhereThereIsNoRoom() {
    post("noted", "'" + "x".repeat(1_000) + "'");
    for (int i = 0; i < 3; i++) {
      post("noted", Integer.toString(i));
    }
    long before = kept();
    assertEquals(4, before);
    post("noted", "'" + "y".repeat(1_500) + "'");
    assertOutput("[0]", start(NOTED));
  }

  @Test
  void shouldGiveAListenerSeveral() {
    post("noted", "1");
    post("closed", "2");
    post("noted", "3");
    InstanceId id =
        start(listen("{any: [{with: {type: noted}}], until: {one: {with: {type: closed}}}}"));
    assertOutput("[1]", id);
    assertEquals(1, kept(), "that behind the end");
  }

  /** Thousands may be kept of other types. */
  @Test
  void shouldCompareAListenerWithKeptEventsOfItsTypeOnly() {
    for (int i = 0; i < 3; i++) {
      post("other", Integer.toString(i));
    }
    post("noted", "7");
    assertOutput("[7]", start(listen("{one: {with: {type: noted, data: '${ . > 1 }'}}}")));
    assertEquals(1, kernel.kernel().counters().listening().parts());
    assertEquals(3, kept());
  }

  @Test
  void shouldGiveAnyKeptEventToWhoAsksForNoType() {
    post("other", "1");
    post("noted", "2");
    assertOutput("[2]", start(listen("{one: {with: {source: /test, data: '${ . > 1 }'}}}")));
    assertEquals(1, kept());
  }

  @Test
  void shouldStayInTheLogForItsTime() {
    post("noted", "1");
    kernel.events.save();
    assertEquals(1, kernel.events.log.size());
    kernel.advance(Duration.ofSeconds(10));
    kernel.events.save();
    assertEquals(0, kernel.events.log.size());
    assertEquals(1, kernel.events.log.dropped());
  }

  @Test
  void shouldNotBeDroppedOnceItIsConsumed() {
    post("noted", "1");
    assertOutput("[1]", start(NOTED));
    kernel.events.save();
    kernel.advance(Duration.ofSeconds(10));
    kernel.events.save();
    assertEquals(0, kernel.events.log.size());
    assertEquals(0, kernel.events.log.dropped());
  }

  /** The event waits for a long condition of another task when the task begins. */
  @Test
  void shouldGiveAnEventThatIsBeingComparedToWhoComesThen() {
    InstanceId first =
        start(
            listen(
                "{one: {with: {type: noted, data: '"
                    + "${ ([range(9001)] | length) > 9000 and . == 2 }'}}}"));
    post("noted", "1");
    assertEquals(1, kernel.evaluations.size());
    InstanceId late = start(NOTED);
    assertEquals(InstanceState.WAITING, kernel.state(late));
    kernel.evaluate();
    assertOutput("[1]", late);
    assertEquals(InstanceState.WAITING, kernel.state(first));
  }

  /** Kept events are read again when partitions arrive. */
  @Test
  void shouldCompareWhoComesWhileKeptEventsAreReadAgain() {
    KernelHarness slow =
        new KernelHarness(Map.of("events.keepMillis", 10_000, "expression.loopSteps", 200));
    for (int i = 0; i < 40; i++) {
      slow.events.post("other", "0");
    }
    slow.events.post("noted", "7");
    slow.settle();
    ListenCounters counters = slow.kernel().counters().listening();
    assertEquals(41, counters.events());
    moveOthers(slow);
    boolean _ = slow.events.feed();
    slow.cycle();
    assertTrue(counters.events() > 41 && counters.events() < 82, "some of them");
    assertEquals(PostedEvents.json("[7]"), slow.output(slow.start(NOTED)));
    assertEquals(40, counters.unheard(), "it is not kept again");
    slow.finish();
  }

  /** After a start the partitions have come past the kept events that are read. */
  @Test
  void shouldCompareWhoComesWhileKeptEventsAreReadAfterAStart() {
    KernelHarness slow =
        new KernelHarness(Map.of("events.keepMillis", 10_000, "expression.loopSteps", 200));
    for (int i = 0; i < 40; i++) {
      slow.events.post("other", "0");
    }
    slow.events.post("noted", "7");
    slow.events.post("closed", "8");
    saveCursors(slow, 42);
    long atOnce = slow.offerStart(0, NOTED, PostedEvents.json("{}"), true);
    ListenCounters counters = slow.kernel().counters().listening();
    while (counters.events() < 10) {
      slow.cycle();
      boolean _ = slow.events.feed();
    }
    assertTrue(counters.events() < 40, "some of them");
    InstanceId later = slow.start(listen("{one: {with: {type: closed}}}"));
    assertEquals(PostedEvents.json("[7]"), slow.output(slow.accepted(atOnce)));
    assertEquals(PostedEvents.json("[8]"), slow.output(later));
    slow.finish();
  }

  /** The engine was killed before that was recorded. */
  @Test
  void shouldCompareWhoHadBegunToListenBeforeAStart() {
    kernel.journal.withoutComparison();
    InstanceId id = start(NOTED);
    TakenSnapshot state = TakenSnapshot.of(kernel.kernel());
    BitSet partition = BitSet.valueOf(new long[] {1});
    kernel.kernel().releasePartitions(new PartitionRelease(partition, () -> {}));
    kernel.settle();
    kernel.events.post("noted", "7");
    saveCursors(kernel, 1);
    acquire(kernel, partition, state.entries);
    kernel.settle();
    assertOutput("[7]", id);
    assertEquals(0, kept());
  }

  /** It waits to be compared with one who listened before. */
  @Test
  void shouldNotGiveWhatSomeoneWaitsForToWhoComesMeanwhile() {
    InstanceId first = start(NOTED);
    kernel.events.post("noted", "1");
    InstanceId late = start(NOTED);
    assertOutput("[1]", first);
    assertEquals(InstanceState.WAITING, kernel.state(late));
    post("noted", "2");
    assertOutput("[2]", late);
  }

  /** Filters with a type are asked first. */
  @Test
  void shouldGiveAnEventToWhoComesMeanwhileOnlyIfNobodyWaitsForIt() {
    InstanceId first = start(listen("{one: {with: {source: /test, data: '${ . < 2 }'}}}"));
    kernel.events.post("noted", "1");
    InstanceId late = start(NOTED);
    assertOutput("[1]", first);
    assertEquals(InstanceState.WAITING, kernel.state(late));
    InstanceId other = start(listen("{one: {with: {source: /test, data: '${ . < 2 }'}}}"));
    kernel.events.post("noted", "2");
    InstanceId third = start(NOTED);
    assertOutput("[2]", late);
    assertEquals(InstanceState.WAITING, kernel.state(third));
    assertEquals(InstanceState.WAITING, kernel.state(other));
    post("noted", "0");
    assertOutput("[0]", third);
    assertOutput("[0]", other);
  }

  /** An event is compared with a task of the same definition when another one begins. */
  @Test
  void shouldGiveOlderEventsFirstToWhoComesWhileAnEventIsCompared() {
    ProcessGraph graph =
        listen(
            "{one: {with: {type: noted, data: "
                + "'${ ([range(9001)] | length) > 9000 and .order == $input.order }'}}}");
    InstanceId first = kernel.start(graph, PostedEvents.json("{'order':1}"));
    post("noted", "{'order':2,'n':1}");
    kernel.evaluate();
    assertEquals(1, kept());
    post("noted", "{'order':2,'n':2}");
    assertEquals(1, kernel.evaluations.size());
    InstanceId late = kernel.start(graph, PostedEvents.json("{'order':2}"));
    while (!kernel.evaluations.isEmpty()) {
      kernel.evaluate();
    }
    assertOutput("[{'order':2,'n':1}]", late);
    assertEquals(InstanceState.WAITING, kernel.state(first));
    assertEquals(1, kept());
  }

  /** The engine was killed before the log knew of that. */
  @Test
  void shouldGiveNobodyWhatSomeoneConsumedBeforeAStart() {
    InstanceId first = start(NOTED);
    post("noted", "1");
    assertOutput("[1]", first);
    RecoveredKernel recovered = new RecoveredKernel(kernel, kernel.journal.entries(), 1);
    PostedEvents log = recovered.hear(kernel.limits);
    log.time(kernel.epochMillis());
    log.post("noted", "1");
    InstanceId late = recovered.start(kernel);
    assertEquals(InstanceState.WAITING, recovered.view(late).state());
    log.post("noted", "2");
    recovered.advance(Duration.ofMillis(1));
    assertEquals(PostedEvents.json("[2]"), recovered.view(late).output());
  }

  /** The records by which the engine would know are in the snapshot. */
  @Test
  void shouldGiveNobodyWhatSomeoneConsumedBeforeASnapshot() {
    InstanceId first = start(NOTED);
    post("noted", "1");
    assertOutput("[1]", first);
    TakenSnapshot snapshot = TakenSnapshot.of(kernel.kernel());
    assertEquals(1, count(snapshot));
    RecoveredKernel once =
        new RecoveredKernel(kernel, snapshot, List.of(), (recovery, of, record) -> {}, 1);
    RecoveredKernel recovered = once.again(kernel);
    PostedEvents log = recovered.hear(kernel.limits);
    log.time(kernel.epochMillis());
    log.post("noted", "1");
    InstanceId late = recovered.start(kernel);
    assertEquals(InstanceState.WAITING, recovered.view(late).state());
    log.post("noted", "2");
    recovered.advance(Duration.ofMillis(1));
    assertEquals(PostedEvents.json("[2]"), recovered.view(late).output());
  }

  @Test
  void shouldNameConsumedEventsInASnapshotUntilTheLogKnows() {
    InstanceId first = start(NOTED);
    post("noted", "1");
    post("other", "2");
    InstanceId second = start(NOTED);
    post("noted", "3");
    assertOutput("[1]", first);
    assertOutput("[3]", second);
    TakenSnapshot divided = new TakenSnapshot().dividedInto(24);
    kernel.kernel().snapshotNow(divided);
    assertEquals(2, count(divided));
    for (int each = 0; each < 2; each++) { // the log takes one report at a time
      kernel.events.save();
      kernel.settle();
    }
    assertEquals(0, count(TakenSnapshot.of(kernel.kernel())));
  }

  private static long count(TakenSnapshot snapshot) {
    return snapshot.entries.stream().filter(entry -> entry.kind() == SnapshotEntry.EVENTS).count();
  }

  @Test
  void shouldNotGiveWhatSomeoneHadConsumedToWhoBeganThenAfterAStart() {
    InstanceId first = start(NOTED);
    post("noted", "1");
    assertOutput("[1]", first);
    kernel.advance(Duration.ofSeconds(1));
    InstanceId late = start(NOTED);
    RecoveredKernel recovered = new RecoveredKernel(kernel, kernel.journal.entries(), 1);
    PostedEvents log = recovered.hear(kernel.limits);
    log.time(KernelHarness.FIRST_EPOCH_MILLIS);
    log.post("noted", "1");
    recovered.advance(Duration.ofMillis(1));
    assertEquals(InstanceState.WAITING, recovered.view(late).state());
    log.post("noted", "2");
    recovered.advance(Duration.ofMillis(1));
    assertEquals(PostedEvents.json("[2]"), recovered.view(late).output());
  }

  /** As if partitions had come to a position. */
  private static void saveCursors(KernelHarness of, long position) {
    BitSet all = new BitSet();
    all.set(0, InstanceId.MAX_PARTITIONS);
    of.events.log.save(
        List.of(new EventLog.CursorUpdate(all, position)), List.of(), of.epochMillis());
  }

  /** It may not have been told in time. */
  @Test
  void shouldGiveNobodyWhatTheLogKnowsToBeConsumed() {
    post("noted", "1");
    kernel.events.log.save(List.of(), List.of(1L, 1L), KernelHarness.FIRST_EPOCH_MILLIS);
    var _ = kernel.events.log.consumed(0);
    moveOthers(kernel);
    kernel.settle();
    assertEquals(0, kept());
    assertEquals(InstanceState.WAITING, kernel.state(start(NOTED)));
  }

  /** Has a partition without instances leave and arrive. */
  private static void moveOthers(KernelHarness moved) {
    BitSet partition = BitSet.valueOf(new long[] {2});
    moved.kernel().releasePartitions(new PartitionRelease(partition, () -> {}));
    moved.settle();
    acquire(moved, partition, List.of());
    moved.cycle();
  }

  private static void acquire(KernelHarness by, BitSet partition, List<SnapshotEntry> state) {
    by.kernel()
        .acquirePartitions(
            new PartitionAcquisition(
                partition,
                state,
                Recovery::of,
                () -> {},
                reason -> {
                  throw new AssertionError(reason);
                }));
  }
}
