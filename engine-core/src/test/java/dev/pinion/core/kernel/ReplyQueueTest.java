package dev.pinion.core.kernel;

import static dev.pinion.core.kernel.Tasks.call;
import static dev.pinion.core.kernel.Tasks.graph;
import static dev.pinion.core.kernel.Tasks.nothing;
import static dev.pinion.core.kernel.Tasks.pause;
import static dev.pinion.core.kernel.Tasks.set;
import static dev.pinion.core.kernel.Values.json;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.graph.ProcessGraph;
import dev.pinion.core.message.Command;
import dev.pinion.core.message.Query;
import dev.pinion.core.message.Reply;
import dev.pinion.core.message.ReplyAddress;
import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.call.CallOutcome;
import dev.pinion.core.model.instance.InstanceState;
import dev.pinion.core.model.instance.InstanceView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Receivers of replies, and replies that find no room. */
class ReplyQueueTest {
  private static final int HELD_BYTES = 4 << 20;
  private static final int INBOX = 128;

  @RegisterExtension
  final KernelHarness harness =
      new KernelHarness(
          Map.of(
              "instance.maxWaiters",
              2,
              "kernel.maxHeldBytes",
              HELD_BYTES,
              "kernel.inboxCapacity",
              INBOX),
          2);

  @Test
  void shouldAcceptFirstAndTellTheEndLater() {
    long request = harness.offerStart(0, graph(call("c")), Payload.NULL, true);
    harness.settle();
    InstanceId id = harness.accepted(request);
    harness.answer("c", json("1"));

    assertEquals(2, harness.replies(request).size());
    Reply.Ended ended = assertInstanceOf(Reply.Ended.class, harness.replies(request).get(1));
    assertEquals(id, ended.instance().id());
  }

  @Test
  void shouldTellNothingMoreToWhoDoesNotWait() {
    long request = harness.offerStart(0, graph(set("s", 1)), Payload.NULL, false);
    harness.settle();

    assertInstanceOf(Reply.Accepted.class, harness.reply(request));
  }

  @Test
  void shouldRefuseADefinitionThatIsNotKnown() {
    DefinitionKey unknown = new DefinitionKey("no", "such", "1.0.0");
    ReplyAddress<Reply.StartReply> to = harness.newAddress();
    harness.offer(0, new Command.Start(unknown, 0, Payload.NULL, to, true));
    harness.settle();

    assertEquals(new Reply.UnknownDefinition(unknown), harness.reply(to.request()));
  }

  @Test
  void shouldStartForNobody() {
    ProcessGraph graph = graph(call("c"));
    harness.start(graph);
    harness.offer(0, new Command.Start(graph.key(), 0, Payload.NULL, null, true));
    harness.settle();

    assertEquals(2, harness.kernel().instances().size());
  }

  @Test
  void shouldNameThePartitionInTheId() {
    long request = harness.offerStart(1, graph(set("s", 1)), Payload.NULL, false);
    harness.settle();

    assertEquals(1, harness.accepted(request).partition());
    assertEquals(1, harness.kernel(1).counters().completed());
    assertEquals(0, harness.kernel(0).counters().started());
  }

  @Test
  void shouldLetAWaiterGoThatAsksAgainWithoutWaiting() {
    InstanceId id = harness.start(graph(call("c")));
    ReplyAddress<Reply.InstanceReply> impatient = harness.newAddress();
    for (int i = 0; i < 5; i++) {
      harness.offer(0, new Query.GetInstance(id, true, impatient));
      harness.settle();
      assertEquals(i, harness.replies(impatient.request()).size(), "waits");
      harness.offer(0, new Query.GetInstance(id, false, impatient));
      harness.settle();
    }
    harness.answer("c", json("1"));

    assertEquals(5, harness.replies(impatient.request()).size(), "not notified of the end");
  }

  @Test
  void shouldKeepRepliesInOrderUntilThereIsRoom() {
    harness.replyRoom(0);
    long first = harness.offerStart(0, graph(set("s", 1)), Payload.NULL, true);
    harness.cycle();
    long second = harness.offerStart(0, graph(set("s", 2)), Payload.NULL, true);
    harness.cycle();

    assertEquals(1, harness.kernel().counters().started(), "no further request is taken");
    assertTrue(harness.kernel().hasWork());
    harness.replyRoom(1);
    harness.cycle();
    assertInstanceOf(Reply.Accepted.class, harness.reply(first));
    assertEquals(1, harness.kernel().counters().started());
    harness.replyRoom(Integer.MAX_VALUE);
    harness.settle();
    assertInstanceOf(Reply.Ended.class, harness.replies(first).get(1));
    assertEquals(2, harness.replies(second).size());
    assertFalse(harness.kernel().hasWork());
  }

  @Test
  void shouldGoOnWithCompletionsAndTimersWhileThereIsNoRoomForReplies() {
    InstanceId id = harness.start(graph(call("c"), pause("w", Duration.ofSeconds(1)), set("s", 3)));
    harness.replyRoom(0);
    long stuck = harness.offerGet(id, false);
    harness.cycle();
    harness.report(harness.call("c"), new CallOutcome.Succeeded(Payload.NULL));
    harness.cycle();
    harness.jump(Duration.ofSeconds(2));
    harness.cycle();

    assertEquals(1, harness.kernel().counters().completed());
    harness.replyRoom(Integer.MAX_VALUE);
    harness.settle();
    assertInstanceOf(Reply.InstanceFound.class, harness.reply(stuck));
  }

  @Test
  void shouldListTheNewestFirstWithinTheFilter() {
    ProcessGraph sleeping = graph("sleeping", null, null, null, pause("w", Duration.ofDays(1)));
    ProcessGraph calling = graph("calling", null, null, null, call("c"));
    ProcessGraph done = graph("done", null, null, null, set("s", 1));
    InstanceId a = harness.start(sleeping);
    InstanceId b = harness.start(done);
    InstanceId c = harness.start(calling);
    InstanceId d = harness.start(done);

    assertEquals(List.of(d, c, b, a), list(null, null, null, null, 10));
    assertEquals(List.of(d, c), list(null, null, null, null, 2));
    assertEquals(List.of(b, a), list(null, null, null, c, 2));
    assertEquals(List.of(d, b), list(null, done.key().name(), null, null, 10));
    assertEquals(List.of(d), list("tests", done.key().name(), InstanceState.COMPLETED, null, 1));
    assertEquals(List.of(a), list(null, null, InstanceState.WAITING, null, 10));
    assertEquals(List.of(c), list(null, null, InstanceState.RUNNING, null, 10));
    assertEquals(List.of(), list("elsewhere", null, null, null, 10));
    assertEquals(
        List.of(c, a),
        newest(null, null, Set.of(InstanceState.WAITING, InstanceState.RUNNING), null, 10));
  }

  /** Field fault 1: a list of many large results makes no values of them. */
  @Test
  void shouldListWithoutOutputs() {
    ProcessGraph echo = graph(nothing("n"));
    for (int i = 0; i < 50; i++) {
      harness.start(echo, smallObjects(100));
    }
    ReplyAddress<Reply.Page> to = harness.newAddress();
    harness.offer(0, new Query.ListInstances(null, null, null, Set.of(), null, 100, to));
    harness.settle();
    Reply.Page page = assertInstanceOf(Reply.Page.class, harness.reply(to.request()));

    assertEquals(50, page.instances().size());
    for (InstanceView view : page.instances()) {
      assertEquals(view, harness.view(view.id()).brief());
      assertNull(view.output());
    }
  }

  /** Field fault 1: values of results for many clients at once. */
  @Test
  void shouldMakeValuesOfResultsWithinWhatTheHeapHasRoomFor() {
    Payload large = smallObjects(2_000);
    InstanceId id = harness.start(graph(nothing("n")), large);
    harness.recordedEffects.writesAtOnce = false;
    List<Long> requests = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      requests.add(harness.offerGet(id, i % 2 == 0));
    }
    for (int written = 0; written < 100; written++) {
      for (int i = 0; i < 3; i++) {
        harness.cycle();
      }
      long bytes = (long) large.heapBytes() * harness.recordedEffects.unwritten.size();
      assertTrue(bytes > 0 && bytes < HELD_BYTES, "bytes " + bytes);
      assertEquals(bytes, harness.heap.carriedBytes());
      harness.recordedEffects.write();
    }
    harness.settle();

    assertEquals(0, harness.heap.carriedBytes());
    for (long request : requests) {
      Reply reply = harness.reply(request);
      InstanceView view =
          reply instanceof Reply.Ended ended
              ? ended.instance()
              : Objects.requireNonNull(KernelHarness.viewIn(reply));
      assertEquals(large, view.output());
    }
  }

  /** Field fault 1: an output that many clients wait for is counted once until they have it. */
  @Test
  void shouldCountAnOutputOnItsWay() {
    long request = harness.offerStart(0, graph(call("c")), Payload.NULL, true);
    harness.settle();
    InstanceId id = harness.accepted(request);
    long other = harness.offerGet(id, true);
    harness.settle();
    harness.recordedEffects.writesAtOnce = false;
    Payload large = smallObjects(100);
    harness.answer("c", large);

    assertEquals(2, harness.recordedEffects.unwritten.size());
    assertEquals(large.heapBytes(), harness.heap.carriedBytes());
    harness.recordedEffects.write();
    harness.recordedEffects.write();
    assertEquals(0, harness.heap.carriedBytes());
    assertInstanceOf(Reply.Ended.class, harness.reply(other));
  }

  /** Field fault 1: waiting queries are bounded. */
  @Test
  void shouldRefuseQuestionsBeyondTheInbox() {
    InstanceId id = harness.start(graph(nothing("n")), smallObjects(100));
    long counted = harness.heap.beginTransfer(HELD_BYTES / 2);
    for (int i = 0; i < INBOX; i++) {
      assertEquals(List.of(), harness.replies(ask(id)));
    }

    assertEquals(List.of(new Reply.LimitReached("kernel.inboxCapacity")), harness.replies(ask(id)));
    long next = harness.kernel().nextDeadlineNanos();
    assertTrue(next - harness.nowNanos() <= 1_000_000, "others make room");
    harness.heap.endTransfer(counted);
    assertTrue(harness.kernel().hasWork());
    harness.settle();
    assertFalse(harness.kernel().hasWork());
  }

  private long ask(InstanceId id) {
    long request = harness.offerGet(id, false);
    harness.settle();
    return request;
  }

  /** A value that takes far more heap than as text. */
  private static Payload smallObjects(int count) {
    return json("[" + "{'a': 1},".repeat(count - 1) + "{'a': 1}]");
  }

  private List<InstanceId> list(
      @org.jspecify.annotations.Nullable String namespace,
      @org.jspecify.annotations.Nullable String name,
      @org.jspecify.annotations.Nullable InstanceState state,
      @org.jspecify.annotations.Nullable InstanceId before,
      int limit) {
    return newest(namespace, name, state == null ? Set.of() : Set.of(state), before, limit);
  }

  private List<InstanceId> newest(
      @org.jspecify.annotations.Nullable String namespace,
      @org.jspecify.annotations.Nullable String name,
      Set<InstanceState> states,
      @org.jspecify.annotations.Nullable InstanceId before,
      int limit) {
    ReplyAddress<Reply.Page> to = harness.newAddress();
    harness.offer(0, new Query.ListInstances(namespace, name, null, states, before, limit, to));
    harness.settle();
    Reply.Page page = assertInstanceOf(Reply.Page.class, harness.reply(to.request()));
    return page.instances().stream().map(InstanceView::id).toList();
  }
}
