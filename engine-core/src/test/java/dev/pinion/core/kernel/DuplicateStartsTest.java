package dev.pinion.core.kernel;

import static dev.pinion.core.kernel.Tasks.call;
import static dev.pinion.core.kernel.Tasks.graph;
import static dev.pinion.core.kernel.Tasks.set;
import static dev.pinion.core.kernel.Values.json;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.graph.ProcessGraph;
import dev.pinion.core.kernel.replay.RecoveredKernel;
import dev.pinion.core.message.Reply;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.instance.StartKey;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Replies to starts with a known key. */
class DuplicateStartsTest {
  @RegisterExtension
  final KernelHarness harness =
      new KernelHarness(
          Map.of("instance.maxWaiters", 2, "kernel.maxStartKeys", 3, "kernel.startKeyMinutes", 10));

  private final ProcessGraph calls = graph(call("c"));

  @Test
  void shouldTellTheEndAgain() {
    long first = start(calls, key("k", "b"), true, false);
    InstanceId id = harness.accepted(first);
    harness.answer("c", json("1"));

    long second = start(calls, key("k", "b"), true, false);

    assertEquals(harness.replies(first), harness.replies(second));
    assertEquals(id, harness.accepted(second));
    assertEquals(0, harness.calls.size(), "calls made by the repetition");
  }

  @Test
  void shouldTellWhoDoesNotWaitWhatItWasToldBefore() {
    long first = start(graph(set("s", 1)), key("k", "b"), false, false);
    long second = start(graph(set("s", 1)), key("k", "b"), false, false);

    assertEquals(harness.reply(first), harness.reply(second));
  }

  /** Field fault 18: a client that lost its 202 gets it again, not a conflict. */
  @Test
  void shouldTellWhoDoesNotWaitTheSameAgainBeforeAndAfterTheEnd() {
    long first = start(calls, key("k", "b"), false, false);
    long underWay = start(calls, key("k", "b"), false, false);
    harness.answer("c", json("1"));
    long ended = start(calls, key("k", "b"), false, false);

    assertEquals(harness.reply(first), harness.reply(underWay));
    assertEquals(harness.reply(first), harness.reply(ended));
  }

  @Test
  void shouldRefuseAnotherBodyUnderTheSameKey() {
    start(calls, key("k", "b"), true, false);
    long other = start(calls, key("k", "other"), true, true);

    assertEquals(new Reply.KeyReused(), harness.reply(other));
    assertEquals(1, harness.kernel().instances().size());
  }

  @Test
  void shouldSayThatTheInstanceIsUnderWay() {
    long first = start(calls, key("k", "b"), true, false);
    long second = start(calls, key("k", "b"), true, false);

    assertEquals(new Reply.StillRunning(harness.accepted(first)), harness.reply(second));
  }

  @Test
  void shouldJoinAnInstanceThatIsUnderWayUpToTheMostWaiters() {
    long first = start(calls, key("k", "b"), true, false);
    long joined = start(calls, key("k", "b"), true, true);
    long tooMany = start(calls, key("k", "b"), true, true);
    assertEquals(new Reply.StillRunning(harness.accepted(first)), harness.reply(tooMany));

    harness.answer("c", json("1"));
    assertEquals(harness.replies(first), harness.replies(joined));
    assertInstanceOf(Reply.Ended.class, harness.replies(joined).get(1));
  }

  @Test
  void shouldTellNobodyOfWhatIsNotOnDiskYet() {
    start(calls, key("k", "b"), true, false);
    harness.journal.waitForForce();
    long unforced = start(calls, key("k2", "b"), true, false);
    long repeated = start(calls, key("k2", "b"), true, true);
    assertEquals(List.of(), harness.replies(repeated));

    harness.journal.forceAtOnce();
    harness.settle();
    assertEquals(harness.replies(unforced), harness.replies(repeated));
  }

  @Test
  void shouldRefuseKeysForInstancesThatAreNotJournalled() {
    ProcessGraph inMemory = Tasks.inMemory(calls);
    long refused = start(inMemory, key("k", "b"), true, false);

    assertEquals(new Reply.NotDurable(), harness.reply(refused));
    assertEquals(0, harness.kernel().instances().size());
  }

  @Test
  void shouldRefuseMoreKeysThanItRemembersAndForgetThemInTime() {
    for (int i = 0; i < 3; i++) {
      start(graph(set("s", 1)), key("k" + i, "b"), false, false);
    }
    long refused = start(calls, key("k3", "b"), true, false);
    assertEquals(new Reply.LimitReached("kernel.maxStartKeys"), harness.reply(refused));

    harness.advance(Duration.ofMinutes(10));
    long accepted = start(calls, key("k3", "b"), true, false);
    assertInstanceOf(Reply.Accepted.class, harness.reply(accepted));
  }

  @Test
  void shouldKnowKeysAgainAfterARecovery() {
    long first = start(calls, key("k", "b"), true, false);
    InstanceId running = harness.accepted(first);
    ProcessGraph sets = graph(set("s", 1));
    long second = start(sets, key("ended", "b"), false, false);
    InstanceId ended = harness.accepted(second);

    RecoveredKernel replayed = new RecoveredKernel(harness, harness.journal.entries(), 1);
    RecoveredKernel restored = replayed.again(harness);
    for (RecoveredKernel recovered : List.of(replayed, restored)) {
      assertEquals(
          new Reply.Accepted(running, calls.key()), recovered.start(calls, key("k", "b"), false));
      assertEquals(
          new Reply.Accepted(ended, sets.key()), recovered.start(calls, key("ended", "b"), false));
      assertEquals(new Reply.KeyReused(), recovered.start(calls, key("ended", "c"), false));
    }
  }

  @Test
  void shouldSayThatNothingIsKeptOfAnInstance() {
    KernelHarness forgetful =
        new KernelHarness(Map.of("kernel.maxEnded", 0, "kernel.startKeyMinutes", 10));
    long first = start(forgetful, graph(set("s", 1)), key("k", "b"), false, false);
    long second = start(forgetful, graph(set("s", 1)), key("k", "b"), true, true);

    assertEquals(new Reply.Evicted(forgetful.accepted(first), true), forgetful.reply(second));
    assertTrue(forgetful.calls.isEmpty());
  }

  /** Field fault 18: the reply needs nothing of the instance, so it is not looked up. */
  @Test
  void shouldTellWhoDoesNotWaitTheSameAgainOfAnInstanceThatIsForgotten() {
    KernelHarness forgetful =
        new KernelHarness(Map.of("kernel.maxEnded", 1, "kernel.startKeyMinutes", 10));
    ProcessGraph sets = graph(set("s", 1));
    long first = start(forgetful, sets, key("k", "b"), false, false);
    start(forgetful, sets, key("later", "b"), false, false);
    long again = start(forgetful, sets, key("k", "b"), false, false);
    long waiting = start(forgetful, sets, key("k", "b"), true, false);

    assertEquals(forgetful.reply(first), forgetful.reply(again));
    InstanceId id = forgetful.accepted(first);
    assertEquals(new Reply.Evicted(id, true), forgetful.reply(waiting));
    RecoveredKernel replayed = new RecoveredKernel(forgetful, forgetful.journal.entries(), 1);
    RecoveredKernel restored = replayed.again(forgetful);
    for (RecoveredKernel recovered : List.of(replayed, restored)) {
      assertEquals(forgetful.reply(first), recovered.start(sets, key("k", "b"), false));
    }
  }

  private long start(ProcessGraph graph, StartKey key, boolean awaitEnd, boolean join) {
    return start(harness, graph, key, awaitEnd, join);
  }

  private static long start(
      KernelHarness harness, ProcessGraph graph, StartKey key, boolean awaitEnd, boolean join) {
    long request = harness.offerStart(graph, key, awaitEnd, join);
    harness.settle();
    return request;
  }

  private static StartKey key(String key, String body) {
    return StartKey.of("route", key, ByteBuffer.wrap(body.getBytes(StandardCharsets.UTF_8)));
  }
}
