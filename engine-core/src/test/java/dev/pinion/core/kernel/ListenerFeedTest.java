package dev.pinion.core.kernel;

import static dev.pinion.core.kernel.CompiledTasks.graph;
import static dev.pinion.core.kernel.CompiledTasks.listen;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.graph.ProcessGraph;
import dev.pinion.core.kernel.counters.ListenCounters;
import dev.pinion.core.kernel.replay.Recovery;
import dev.pinion.core.kernel.replay.TakenSnapshot;
import dev.pinion.core.kernel.step.codec.RecoveryException;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.instance.InstanceState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What kernels are fed of the log of events, and what that costs. */
class ListenerFeedTest {
  private static final ProcessGraph PAID =
      listen(
          "{one: {with: {type: paid}, correlate: {order: {from: .data.order, expect: .order}}}}");

  /** Hears of every event until one says so. */
  private static final ProcessGraph LOG =
      listen("{any: [{with: {type: noted}}], until: {one: {with: {type: closed}}}}");

  @RegisterExtension final KernelHarness kernel = new KernelHarness();

  /** Disables the comparison: a replay has no moves. */
  @BeforeEach
  void compareNothing() {
    kernel.journal.withoutComparison();
  }

  private ListenCounters counters() {
    return kernel.kernel().counters().listening();
  }

  private List<InstanceId> startAll(ProcessGraph graph, int count) {
    List<Long> requests = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      requests.add(
          kernel.offerStart(0, graph, PostedEvents.json("{'order':'o-" + i + "'}"), false));
      kernel.cycle();
    }
    kernel.settle();
    return requests.stream().map(kernel::accepted).toList();
  }

  private void post(String type, String data) {
    kernel.events.post(type, data);
    kernel.settle();
  }

  private void assertOutput(String expected, InstanceId id) {
    assertEquals(PostedEvents.json(expected), kernel.output(id));
  }

  @Test
  void shouldAskAnEventOnceForAllThatExpectAValue() {
    List<InstanceId> ids = startAll(PAID, 1_000);
    post("paid", "{'order':'o-700'}");
    assertOutput("[{'order':'o-700'}]", ids.get(700));
    assertEquals(1, counters().parts(), "parts of filters evaluated");
    assertEquals(1, counters().matches());
    assertEquals(999, counters().listeners());

    post("paid", "{'order':'nobody'}");
    post("paid", "{'order':'o-700'}");
    assertEquals(3, counters().parts());
    post("shipped", "{'order':'o-1'}");
    assertEquals(3, counters().parts(), "another type");
    assertEquals(1, counters().matches());
  }

  @Test
  void shouldAskAConditionOnceForAllThatShareIt() {
    startAll(listen("{one: {with: {type: noted, data: '${ .n > 1 }'}}}"), 100);
    post("noted", "{'n':1}");
    assertEquals(1, counters().parts());
    assertEquals(0, counters().matches());
    post("noted", "{'n':2}");
    assertEquals(2, counters().parts());
    assertEquals(100, counters().matches());
  }

  @Test
  void shouldTakeLittleMemoryForAListener() {
    startAll(PAID, 200);
    long bytes = kernel.kernel().memoryAccount().heapBytes() / 200;
    assertTrue(bytes <= 2_048, "bytes for a listener: " + bytes);
  }

  /** What events cost beside listeners and other instances. */
  private record EventCost(long events, long parts, int records, long steps) {}

  private static EventCost costBeside(int waiting) {
    KernelHarness kernel = new KernelHarness();
    kernel.journal.withoutComparison();
    kernel.start(PAID, PostedEvents.json("{'order':'o-1'}"));
    ProcessGraph other = Tasks.graph(Tasks.pause("w", Duration.ofDays(1)));
    for (int i = 0; i < waiting; i++) {
      kernel.offerStart(0, other, PostedEvents.json("{'order':'o-2'}"), false);
      kernel.settle();
    }
    int records = kernel.journal.entries().size();
    for (int i = 0; i < 100; i++) {
      kernel.events.post("paid", "{'order':'o-2'}");
    }
    int steps = 0;
    while (kernel.events.feed() || kernel.cycle() > 0) {
      steps++;
    }
    ListenCounters counters = kernel.kernel().counters().listening();
    EventCost cost =
        new EventCost(
            counters.events(), counters.parts(), kernel.journal.entries().size() - records, steps);
    kernel.finish();
    return cost;
  }

  @Test
  void shouldCostNothingForInstancesThatDoNotListen() {
    EventCost alone = costBeside(0);

    assertEquals(100, alone.events());
    assertEquals(0, alone.records());
    assertEquals(alone, costBeside(1_000));
  }

  @Test
  void shouldLeaveEventsOutWhileNobodyListens() {
    for (int i = 0; i < 1_000; i++) {
      kernel.events.post("noted", "1");
    }
    kernel.settle();
    assertEquals(0, counters().events());
    kernel.events.save();
    assertEquals(0, kernel.events.log.size(), "nothing waits for them");
    assertEquals(1_000, kernel.events.log.dropped());

    InstanceId id = startAll(LOG, 1).getFirst();
    post("noted", "2");
    post("closed", "3");
    assertOutput("[2]", id);
  }

  @Test
  void shouldHearWhatCameWhileItsPartitionMoved() {
    InstanceId id = startAll(LOG, 1).getFirst();
    post("noted", "1");
    kernel.events.save();
    TakenSnapshot state = depart();
    post("noted", "2");
    post("closed", "3");
    arrive(state);
    assertOutput("[1,2]", id);
  }

  /** The cursor that the new owner begins at may be old. */
  @Test
  void shouldNotHearAgainWhatItHeardBeforeTheMove() {
    List<InstanceId> ids = startAll(LOG, 40);
    for (int i = 0; i < 40; i++) {
      kernel.events.post("noted", Integer.toString(i));
    }
    kernel.settle();
    TakenSnapshot state = depart();
    assertEquals(0, counters().listeners());
    post("noted", "40");
    arrive(state);
    post("closed", "41");
    for (InstanceId id : ids) {
      assertEquals(41, kernel.output(id).json().size());
      assertEquals(40, kernel.output(id).json().get(40).asInt());
    }
  }

  /** Instances arrive in slices, and the feed is faster. */
  @Test
  void shouldGoBackForThoseThatArriveLater() {
    List<InstanceId> ids = startAll(LOG, 2 * KernelPartitions.LOADED_PER_CYCLE);
    TakenSnapshot state = depart();
    post("noted", "1");
    kernel
        .kernel()
        .acquirePartitions(
            new PartitionAcquisition(
                partition(), state.entries, Recovery::of, () -> {}, ListenerFeedTest::fail));
    do {
      boolean _ = kernel.events.feed();
    } while (kernel.cycle() > 0);
    kernel.settle();
    post("closed", "41");
    for (InstanceId id : ids) {
      assertOutput("[1]", id);
    }
  }

  @Test
  void shouldTellHowFarItHasComeOnceThatIsDurable() {
    startAll(LOG, 1);
    kernel.events.save();
    kernel.journal.waitForForce();
    post("noted", "1");
    kernel.events.save();
    assertEquals(0, kernel.events.log.cursors()[0]);
    kernel.journal.forceAtOnce();
    kernel.settle();
    kernel.events.save();
    assertEquals(1, kernel.events.log.cursors()[0]);
  }

  @Test
  void shouldHaveLongConditionsEvaluatedElsewhere() {
    List<InstanceId> ids =
        startAll(
            listen("{one: {with: {type: noted, data: '${ ([range(.n)] | length) > 9000 }'}}}"), 3);
    post("noted", "{'n':9000}");
    assertEquals(1, kernel.evaluations.size(), "once for all");
    kernel.evaluate();
    assertEquals(List.of(), kernel.evaluations);
    kernel.events.post("noted", "{'n':9001}");
    post("noted", "{'n':10}");
    kernel.evaluate();
    for (InstanceId id : ids) {
      assertOutput("[{'n':9001}]", id);
    }
    assertEquals(2, counters().parts(), "not asked again when the answer is there");
  }

  @Test
  void shouldHaveLongConditionsOfInstancesEvaluatedElsewhere() {
    List<InstanceId> ids =
        startAll(
            listen(
                "{one: {with: {type: noted, data: "
                    + "'${ ([range(9001)] | length) > 9000 and .order == $input.order }'}}}"),
            3);
    post("noted", "{'order':'o-1'}");
    assertEquals(1, kernel.evaluations.size(), "one after the other");
    kernel.cancel(ids.getFirst());
    kernel.evaluate();
    kernel.evaluate();
    while (!kernel.evaluations.isEmpty()) {
      kernel.evaluate();
    }
    assertEquals(InstanceState.CANCELLED, kernel.state(ids.get(0)));
    assertOutput("[{'order':'o-1'}]", ids.get(1));
    assertEquals(InstanceState.WAITING, kernel.state(ids.get(2)));
  }

  @Test
  void shouldNotPassAFilterThatFails() {
    InstanceId id =
        startAll(listen("{one: {with: {type: noted, data: '${ .n / .m > 1 }'}}}"), 1).getFirst();
    post("noted", "{'n':1,'m':0}");
    assertEquals(1, counters().failures());
    assertEquals(InstanceState.WAITING, kernel.state(id));
    post("noted", "{'n':4,'m':2}");
    assertOutput("[{'n':4,'m':2}]", id);
  }

  @Test
  void shouldKeepListenersOfPackedInstances() {
    ProcessGraph graph =
        graph(
            "  - hear:\n      listen: {to: {one: {with: {type: noted, data: '${ .n == $input.n }'}}}}\n");
    InstanceId id =
        kernel.start(
            graph, PostedEvents.json("{'n':7,'text':'" + "long and dull ".repeat(5_000) + "'}"));
    kernel.advance(Duration.ofHours(1));
    post("noted", "{'n':6}");
    assertEquals(InstanceState.WAITING, kernel.state(id));
    post("noted", "{'n':7}");
    assertOutput("[{'n':7}]", id);
  }

  private TakenSnapshot depart() {
    TakenSnapshot state = TakenSnapshot.of(kernel.kernel());
    boolean[] gone = new boolean[1];
    kernel.kernel().releasePartitions(new PartitionRelease(partition(), () -> gone[0] = true));
    kernel.settle();
    assertTrue(gone[0]);
    return state;
  }

  private void arrive(TakenSnapshot state) {
    kernel
        .kernel()
        .acquirePartitions(
            new PartitionAcquisition(
                partition(), state.entries, Recovery::of, () -> {}, ListenerFeedTest::fail));
    kernel.settle();
  }

  private static void fail(RecoveryException reason) {
    throw new AssertionError(reason);
  }

  private static BitSet partition() {
    return BitSet.valueOf(new long[] {1});
  }
}
