package dev.pinion.core.kernel;

import static dev.pinion.core.kernel.Tasks.call;
import static dev.pinion.core.kernel.Tasks.graph;
import static dev.pinion.core.kernel.Tasks.set;
import static dev.pinion.core.kernel.Values.costing;
import static dev.pinion.core.kernel.Values.json;
import static dev.pinion.core.kernel.Values.plus;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.graph.ProcessGraph;
import dev.pinion.core.kernel.replay.RecoveredKernel;
import dev.pinion.core.message.Command;
import dev.pinion.core.message.Reply;
import dev.pinion.core.message.ReplyAddress;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.instance.OrderingKey;
import dev.pinion.core.model.instance.StartKey;
import dev.pinion.core.model.instance.Tags;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Starts with one ordering key.
 *
 * <pre>
 *   first (its input is evaluated elsewhere) ──▶ call a
 *   second, same key ──── waits ─────────────────────────▶ call b
 *   third, another key ──▶ call c
 * </pre>
 */
class OrderedStartsTest {
  private static final int MOST = 3;
  private static final long LONG = 50_000;

  @RegisterExtension
  final KernelHarness harness = new KernelHarness(Map.of("kernel.maxOrderedStarts", MOST));

  private final ProcessGraph slow =
      graph("slow", costing(LONG, plus(1)), null, null, call("a"), call("late"));
  private final ProcessGraph quick = graph(call("b"));

  private long start(ProcessGraph graph, String key) {
    return start(graph, key, null);
  }

  private long start(ProcessGraph graph, String key, @Nullable StartKey repeatable) {
    return start(graph, key, repeatable, json("1"));
  }

  private long start(ProcessGraph graph, String key, @Nullable StartKey repeatable, Payload in) {
    return start(harness, graph, key, repeatable, in);
  }

  private static long start(
      KernelHarness at, ProcessGraph graph, String key, @Nullable StartKey repeatable, Payload in) {
    at.changeBack(graph);
    ReplyAddress<Reply.StartReply> to = at.newAddress();
    Tags tags = new Tags(null, Map.of(Tags.ORDERING_KEY, key));
    at.heap.beginTransfer(in);
    at.offer(0, new Command.Start(graph.key(), 0, in, to, false, repeatable, false, tags));
    at.settle();
    return to.request();
  }

  private List<String> called() {
    List<String> tasks = new ArrayList<>();
    harness.calls.forEach(
        call ->
            tasks.add(
                HttpCalls.of(call).uri().substring(HttpCalls.of(call).uri().lastIndexOf('/') + 1)));
    return tasks;
  }

  @Test
  void shouldWaitUntilTheEarlierOneHasBegun() {
    long first = start(slow, "k");
    long second = start(quick, "k");
    assertInstanceOf(Reply.Accepted.class, harness.reply(first));
    assertEquals(List.of(), harness.replies(second));
    assertEquals(List.of(), called());

    harness.evaluate();
    assertInstanceOf(Reply.Accepted.class, harness.reply(second));
    assertEquals(List.of("a", "b"), called());
    assertTrue(harness.accepted(first).compareTo(harness.accepted(second)) < 0, "ids in order");
  }

  @Test
  void shouldWaitForTheFirstTaskNotOnlyForTheInput() {
    long first = start(graph(set("s", costing(LONG, plus(1))), call("a")), "k");
    long second = start(quick, "k");
    assertInstanceOf(Reply.Accepted.class, harness.reply(first));
    assertEquals(List.of(), harness.replies(second));

    harness.evaluate();
    assertEquals(List.of("a", "b"), called());
  }

  @Test
  void shouldNotWaitForOtherKeysNorForWhatHasBegun() {
    start(slow, "k");
    long other = start(quick, "other");
    assertInstanceOf(Reply.Accepted.class, harness.reply(other));
    assertEquals(List.of("b"), called());

    long third = start(quick, "other"); // its first is running, and has begun
    assertInstanceOf(Reply.Accepted.class, harness.reply(third));
  }

  @Test
  void shouldKeepTheOrderOfManyThatWaitForEachOther() {
    List<Long> starts = new ArrayList<>();
    for (int i = 0; i <= MOST; i++) {
      starts.add(start(slow, "k", null, json(Integer.toString(i))));
    }
    for (int i = 0; i <= MOST; i++) {
      assertEquals(1, harness.evaluations.size(), "evaluations in progress");
      assertEquals(i, called().size());
      harness.evaluate();
    }
    for (int i = 1; i <= MOST; i++) {
      assertTrue(
          harness.accepted(starts.get(i - 1)).compareTo(harness.accepted(starts.get(i))) < 0);
    }
    assertFalse(harness.kernel().hasWork());
  }

  @Test
  void shouldRefuseMoreThanMayWaitAndGoOnBelow() {
    start(slow, "k");
    List<Long> waiting = new ArrayList<>();
    for (int i = 0; i < MOST; i++) {
      waiting.add(start(quick, "k"));
    }
    assertEquals(
        new Reply.LimitReached("kernel.maxOrderedStarts"), harness.reply(start(quick, "k")));
    assertEquals(List.of(), harness.replies(waiting.getLast()));

    harness.evaluate();
    assertInstanceOf(Reply.Accepted.class, harness.reply(waiting.getLast()));
    assertInstanceOf(Reply.Accepted.class, harness.reply(start(quick, "k")));
  }

  @Test
  void shouldCountWhatThoseThatWaitHold() {
    KernelHarness small = new KernelHarness(Map.of("kernel.maxHeldBytes", 10_000));
    start(small, slow, "k", null, json("1"));
    long fits = start(small, quick, "k", null, Payload.of("x".repeat(5_000)));
    long beyond = start(small, quick, "k", null, json("1"));
    assertEquals(List.of(), small.replies(fits));
    assertEquals(new Reply.LimitReached("kernel.maxHeldBytes"), small.reply(beyond));
    small.evaluate();
    small.finish();
  }

  /** Field fault 1: tags are no values, but take heap like them. */
  @Test
  void shouldCountTagsOfThoseThatWait() {
    KernelHarness small = new KernelHarness(Map.of("kernel.maxHeldBytes", 10_000));
    start(small, slow, "k", null, json("1"));
    Tags tags = new Tags("b".repeat(5_000), Map.of(Tags.ORDERING_KEY, "k"));
    ReplyAddress<Reply.StartReply> to = small.newAddress();
    small.offer(0, new Command.Start(slow.key(), 0, json("1"), to, false, null, false, tags));
    small.settle();
    long beyond = start(small, quick, "k", null, json("1"));
    assertEquals(List.of(), small.replies(to.request()));
    assertEquals(new Reply.LimitReached("kernel.maxHeldBytes"), small.reply(beyond));
    small.evaluate();
    small.finish();
  }

  @Test
  void shouldGoOnWhenTheEarlierOneIsCancelled() {
    long first = start(slow, "k");
    long second = start(quick, "k");

    harness.cancel(harness.accepted(first));
    assertInstanceOf(Reply.Accepted.class, harness.reply(second));
    assertEquals(List.of("b"), called());
  }

  @Test
  void shouldGoOnBehindAStartThatIsRefused() {
    start(slow, "k");
    ProcessGraph unknown = graph(call("u"));
    ReplyAddress<Reply.StartReply> to = harness.newAddress();
    Tags tags = new Tags(null, Map.of(Tags.ORDERING_KEY, "k"));
    harness.offer(
        0, new Command.Start(unknown.key(), 0, Payload.NULL, to, false, null, false, tags));
    long third = start(quick, "k");

    harness.evaluate();
    assertEquals(new Reply.UnknownDefinition(unknown.key()), harness.reply(to.request()));
    assertInstanceOf(Reply.Accepted.class, harness.reply(third));
  }

  @Test
  void shouldBeginOneInstanceForAStartThatIsRepeatedWhileItWaits() {
    StartKey key = StartKey.of("r", "once", ByteBuffer.allocate(0)).withPartition(0);
    start(slow, "k");
    long second = start(quick, "k", key);
    long repeated = start(quick, "k", key);

    harness.evaluate();
    assertEquals(harness.reply(second), harness.reply(repeated));
    assertEquals(List.of("a", "b"), called());
  }

  @Test
  void shouldWaitForAnInstanceThatWasRecoveredBeforeItBegan() {
    start(slow, "k");
    harness.changeBack(quick);
    RecoveredKernel replayed = new RecoveredKernel(harness, harness.journal.entries(), 1);
    for (RecoveredKernel recovered : List.of(replayed, replayed.again(harness))) {
      List<Reply> replies = recovered.startInOrder(quick, "k");
      assertEquals(List.of(), replies);
      assertInstanceOf(Reply.Accepted.class, recovered.startInOrder(quick, "other").getFirst());
    }
  }

  @Test
  void shouldRefuseThoseThatWaitWhenTheirPartitionLeaves() {
    String key = keyOfPartitionZero();
    start(slow, key);
    long second = start(quick, key);
    BitSet partition = new BitSet();
    partition.set(0);
    boolean[] gone = {false};
    harness.kernel().releasePartitions(new PartitionRelease(partition, () -> gone[0] = true));
    harness.settle();

    assertTrue(gone[0], "gone");
    assertEquals(new Reply.LimitReached("partitions that move"), harness.reply(second));
  }

  private static String keyOfPartitionZero() {
    for (int i = 0; ; i++) {
      if (new OrderingKey("tests", "k" + i).partition() == 0) {
        return "k" + i;
      }
    }
  }

  @Test
  void shouldSpreadKeysOverPartitions() {
    BitSet partitions = new BitSet();
    for (int i = 0; i < 10_000; i++) {
      int partition = new OrderingKey("tests", "account-" + i).partition();
      assertTrue(partition >= 0 && partition < 1_024, "partition " + partition);
      partitions.set(partition);
    }
    assertTrue(partitions.cardinality() > 1_000, "partitions: " + partitions.cardinality());
    StartKey key = StartKey.of("r", "k", ByteBuffer.allocate(0));
    assertEquals(7, key.withPartition(7).partition());
    assertFalse(
        key.withPartition(7).hasSameKey(key.withPartition(8)), "keys in different partitions");
  }
}
