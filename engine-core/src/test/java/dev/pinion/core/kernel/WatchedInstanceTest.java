package dev.pinion.core.kernel;

import static dev.pinion.core.kernel.Tasks.call;
import static dev.pinion.core.kernel.Tasks.graph;
import static dev.pinion.core.kernel.Tasks.pause;
import static dev.pinion.core.kernel.Values.json;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import dev.pinion.core.graph.ProcessGraph;
import dev.pinion.core.message.Query;
import dev.pinion.core.message.Reply;
import dev.pinion.core.message.ReplyAddress;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.instance.InstanceState;
import dev.pinion.core.model.instance.InstanceView;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Field fault 18: a client that watches an instance is notified of every change, not of the end
 * only.
 */
class WatchedInstanceTest {
  @RegisterExtension
  final KernelHarness harness = new KernelHarness(Map.of("instance.maxWaiters", 2));

  private final ProcessGraph steps =
      graph(call("a"), pause("nap", Duration.ofSeconds(5)), call("b"));

  private long watch(InstanceView known) {
    ReplyAddress<Reply.InstanceReply> to = harness.newAddress();
    harness.offer(0, new Query.WatchInstance(known.id(), known.sequence(), known.state(), to));
    harness.settle();
    return to.request();
  }

  private InstanceView seen(long watch) {
    return Objects.requireNonNull(KernelHarness.viewIn(harness.reply(watch)));
  }

  @Test
  void shouldAnswerAtEveryChange() {
    InstanceView started = harness.view(harness.start(steps));
    long first = watch(started);
    assertEquals(List.of(), harness.replies(first));

    harness.answer("a", json("1"));
    InstanceView called = seen(first);
    assertNotEquals(started.sequence(), called.sequence());
    assertEquals(InstanceState.WAITING, called.state());

    long second = watch(called);
    assertEquals(List.of(), harness.replies(second));
    harness.advance(Duration.ofSeconds(6));
    InstanceView woken = seen(second);

    long third = watch(woken);
    harness.answer("b", json("2"));
    assertEquals(InstanceState.COMPLETED, seen(third).state());
  }

  @Test
  void shouldAnswerAtOnceWhatIsKnownNoMoreOrHasEnded() {
    InstanceId id = harness.start(graph(call("a")));
    InstanceView started = harness.view(id);
    harness.answer("a", json("1"));

    assertEquals(InstanceState.COMPLETED, seen(watch(started)).state());
    assertEquals(InstanceState.COMPLETED, seen(watch(harness.view(id))).state());
  }

  @Test
  void shouldAnswerAfterASuspension() {
    InstanceId id = harness.start(steps);
    long watch = watch(harness.view(id));
    harness.offerSuspendOrResume(id);
    harness.settle();

    assertEquals(InstanceState.SUSPENDED, seen(watch).state());
  }

  @Test
  void shouldEndAWaitWithALookAtIt() {
    InstanceView started = harness.view(harness.start(steps));
    long watch = watch(started);
    harness.offer(0, new Query.GetInstance(started.id(), false, new ReplyAddress<>(0, watch)));
    harness.settle();
    assertEquals(started, seen(watch));

    harness.answer("a", json("1"));
    assertEquals(1, harness.replies(watch).size());
  }

  @Test
  void shouldAnswerAtOnceWhoIsTooMuch() {
    InstanceView started = harness.view(harness.start(graph(call("a"), call("b")))); // one waits
    long first = watch(started);
    long second = watch(started);

    assertEquals(List.of(), harness.replies(first));
    assertEquals(started, seen(second));
  }

  @Test
  void shouldTellOnlyWhatIsOnDisk() {
    InstanceView started = harness.view(harness.start(steps));
    long watch = watch(started);
    harness.journal.waitForForce();
    harness.answer("a", json("1"));
    assertEquals(List.of(), harness.replies(watch));

    harness.journal.forceAtOnce();
    harness.settle();
    assertNotEquals(started.sequence(), seen(watch).sequence());
  }
}
