package dev.pinion.core.kernel;

import static dev.pinion.core.kernel.Tasks.call;
import static dev.pinion.core.kernel.Tasks.graph;
import static dev.pinion.core.kernel.Tasks.pause;
import static dev.pinion.core.kernel.Tasks.set;
import static dev.pinion.core.kernel.Values.json;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.graph.ProcessGraph;
import dev.pinion.core.kernel.replay.RecoveredKernel;
import dev.pinion.core.message.Command;
import dev.pinion.core.message.Reply;
import dev.pinion.core.message.ReplyAddress;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.instance.InstanceState;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Instances that a client suspends and resumes. */
class SuspendTest {
  @RegisterExtension final KernelHarness harness = new KernelHarness();

  private final ProcessGraph two = graph(call("a"), call("b"));

  @Test
  void shouldBeginNothingAfterACallUntilItIsResumed() {
    InstanceId id = harness.start(two);
    assertEquals(InstanceState.SUSPENDED, suspend(id));

    harness.answer("a", json("1"));
    assertEquals(List.of(), harness.calls);
    assertEquals(InstanceState.SUSPENDED, harness.state(id));

    assertEquals(InstanceState.RUNNING, resume(id));
    harness.answer("b", json("2"));
    assertEquals(json("2"), harness.output(id));
  }

  @Test
  void shouldBeginNothingAfterATimerUntilItIsResumed() {
    InstanceId id = harness.start(graph(pause("p", Duration.ofSeconds(1)), set("s", 1)));
    suspend(id);
    harness.advance(Duration.ofSeconds(5));
    assertEquals(InstanceState.SUSPENDED, harness.state(id));

    resume(id);
    assertEquals(InstanceState.COMPLETED, harness.state(id));
  }

  @Test
  void shouldSayTheSameAgainAndRecordNothing() {
    InstanceId id = harness.start(two);
    assertEquals(InstanceState.RUNNING, resume(id), "was not suspended");
    suspend(id);
    int records = harness.journal.entries().size();

    assertEquals(InstanceState.SUSPENDED, suspend(id));
    assertEquals(records, harness.journal.entries().size());
  }

  @Test
  void shouldCancelWhatIsSuspended() {
    InstanceId id = harness.start(two);
    suspend(id);

    assertInstanceOf(Reply.Controlled.class, harness.cancel(id));
    assertEquals(InstanceState.CANCELLED, harness.state(id));
    assertInstanceOf(Reply.AlreadyEnded.class, reply(new Command.Resume(id, to())));
    assertInstanceOf(Reply.AlreadyEnded.class, reply(new Command.Suspend(id, to())));
  }

  @Test
  void shouldKnowNoOther() {
    InstanceId none = new InstanceId(4_711L << 10);

    assertInstanceOf(Reply.NotFound.class, reply(new Command.Suspend(none, to())));
  }

  @Test
  void shouldStaySuspendedAfterARecovery() {
    InstanceId id = harness.start(two);
    suspend(id);
    harness.answer("a", json("1"));

    RecoveredKernel replayed = new RecoveredKernel(harness, harness.journal.entries(), 1);
    for (RecoveredKernel recovered : List.of(replayed, replayed.again(harness))) {
      assertEquals(InstanceState.SUSPENDED, recovered.view(id).state());
      assertTrue(recovered.calls().isEmpty(), "calls: " + recovered.calls());
      recovered.assertLike(harness);
      recovered.resume(id);
      assertEquals(1, recovered.calls().size());
      recovered.answer(recovered.calls().getFirst(), json("2"));
      assertEquals(InstanceState.COMPLETED, recovered.view(id).state());
    }
  }

  private InstanceState suspend(InstanceId id) {
    return state(new Command.Suspend(id, to()));
  }

  private InstanceState resume(InstanceId id) {
    return state(new Command.Resume(id, to()));
  }

  private InstanceState state(Command.InstanceControl wish) {
    return assertInstanceOf(Reply.Controlled.class, reply(wish)).instance().state();
  }

  private Reply reply(Command.InstanceControl wish) {
    harness.offer(0, wish);
    harness.settle();
    ReplyAddress<Reply.ControlReply> to = wish.replyTo();
    return harness.reply(to == null ? 0 : to.request());
  }

  private ReplyAddress<Reply.ControlReply> to() {
    return harness.newAddress();
  }
}
