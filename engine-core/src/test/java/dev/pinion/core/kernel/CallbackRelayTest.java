package dev.pinion.core.kernel;

import static dev.pinion.core.kernel.Tasks.call;
import static dev.pinion.core.kernel.Tasks.graph;
import static dev.pinion.core.kernel.Values.json;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.pinion.core.kernel.step.Activity;
import dev.pinion.core.kernel.step.Instance;
import dev.pinion.core.message.Command;
import dev.pinion.core.message.Completion;
import dev.pinion.core.message.Effect;
import dev.pinion.core.message.Reply;
import dev.pinion.core.message.Reply.CallbackStatus;
import dev.pinion.core.message.ReplyAddress;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.call.CallbackResponse;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Answers that come later than their calls, on the kernel's side. */
class CallbackRelayTest {
  private static final CallbackResponse ANSWER = CallbackResponse.of(200, "", new byte[0]);

  @RegisterExtension
  final KernelHarness harness =
      new KernelHarness(
          Map.of("kernel.maxLateAnswers", 2, "kernel.maxCalls", 3, "kernel.maxHeldBytes", 1 << 20));

  /** Offers an answer to a call and returns the number of the request. */
  private ReplyAddress<Reply.CallbackReply> offer(InstanceId id, int activity, int attempt) {
    return offer(id, activity, attempt, ANSWER);
  }

  private ReplyAddress<Reply.CallbackReply> offer(
      InstanceId id, int activity, int attempt, CallbackResponse answer) {
    ReplyAddress<Reply.CallbackReply> to = harness.newAddress();
    harness.heap.beginTransfer(answer.bytes().length);
    harness.offer(0, new Command.AcceptCallback(id, activity, attempt, "sky", answer, to));
    harness.settle();
    return to;
  }

  private ReplyAddress<Reply.CallbackReply> offer(Effect.Invoke call) {
    return offer(call, ANSWER);
  }

  private ReplyAddress<Reply.CallbackReply> offer(Effect.Invoke call, CallbackResponse answer) {
    return offer(call.id(), call.activity(), call.attempt(), answer);
  }

  /** Lets the Invoker accept an answer. */
  private void heard(Effect.DeliverCallback deliverCallback, CallbackStatus callbackStatus) {
    harness.answers.remove(deliverCallback);
    harness.heap.endTransfer(deliverCallback.answer().bytes().length);
    harness.offerCompletion(
        deliverCallback.kernel(),
        new Completion.CallbackHandled(
            deliverCallback.id(), callbackStatus, deliverCallback.replyTo()));
    harness.settle();
  }

  private void assertReply(CallbackStatus expected, ReplyAddress<Reply.CallbackReply> to) {
    assertEquals(List.of(new Reply.CallbackResult(expected)), harness.replies(to.request()));
  }

  @Test
  void shouldHandAnAnswerToTheInvokerAndReplyBehindItsOutcome() {
    harness.start(graph(call("x", "http://sky/x")));
    Effect.Invoke call = harness.call("x");
    ReplyAddress<Reply.CallbackReply> to = offer(call);
    Effect.DeliverCallback handed = harness.answers.getFirst();
    assertEquals(
        new Effect.DeliverCallback(
            0, call.id(), call.activity(), call.attempt(), "sky", ANSWER, to),
        handed);
    assertEquals(List.of(), harness.replies(to.request()), "nothing has come of it yet");

    harness.journal.waitForForce();
    harness.answer(call, json("1"));
    heard(handed, CallbackStatus.TAKEN);
    assertEquals(List.of(), harness.replies(to.request()), "the outcome is not on disk");
    harness.journal.force();
    harness.settle();

    assertReply(CallbackStatus.TAKEN, to);
    assertEquals(json("1"), harness.output(call.id()));
    harness.journal.forceAtOnce();
  }

  @Test
  void shouldTellThatTheInvokerHadNoUseForAnAnswer() {
    harness.start(graph(call("x", "http://sky/x")));
    ReplyAddress<Reply.CallbackReply> to = offer(harness.call("x"));
    heard(harness.answers.getFirst(), CallbackStatus.NOT_AWAITED);

    assertReply(CallbackStatus.NOT_AWAITED, to);
  }

  @Test
  void shouldRefuseAnswersThatNoCallWaitsFor() {
    InstanceId id = harness.start(graph(call("x", "http://sky/x")));
    Effect.Invoke call = harness.call("x");
    int records = harness.journal.entries().size();

    assertReply(CallbackStatus.NOT_AWAITED, offer(id, call.activity(), call.attempt() + 1));
    assertReply(CallbackStatus.NOT_AWAITED, offer(id, call.activity() + 1, call.attempt()));
    InstanceId other = InstanceId.next(KernelHarness.FIRST_EPOCH_MILLIS + 1, 0, id);
    assertReply(CallbackStatus.NOT_AWAITED, offer(other, call.activity(), call.attempt()));
    harness.answer(call, json("1"));
    int ended = harness.journal.entries().size();
    assertReply(CallbackStatus.NOT_AWAITED, offer(call));

    assertEquals(List.of(), harness.answers);
    assertEquals(records + 1, ended);
    assertEquals(ended, harness.journal.entries().size(), "nothing is recorded of them");
  }

  @Test
  void shouldAskForPatienceUntilTheCallIsMade() {
    harness.journal.withoutComparison(); // a replay has no permits
    for (int i = 0; i < 3; i++) {
      harness.start(graph(call("x", "http://sky/x")));
    }
    InstanceId waiting = harness.start(graph(call("y", "http://sky/y")));
    Activity activity = null;
    Instance instance = harness.kernel().instances().running(waiting);
    for (int slot = 0; instance != null && slot < instance.usedSlots(); slot++) {
      Activity each = instance.activity(slot);
      activity = each != null && each.awaiting() != 0 ? each : activity;
    }
    if (activity == null) {
      throw new AssertionError("expected a call that waits for a permit, found none");
    }

    assertReply(CallbackStatus.NOT_YET, offer(waiting, activity.slot(), activity.awaiting()));
  }

  @Test
  void shouldHaveNoMoreThanTheLimitUnderWay() {
    for (int i = 0; i < 3; i++) {
      harness.start(graph(call("x", "http://sky/x")));
    }
    List<Effect.Invoke> calls = List.copyOf(harness.calls);
    offer(calls.get(0));
    offer(calls.get(1));
    assertReply(CallbackStatus.FULL, offer(calls.get(2)));
    assertEquals(2, harness.answers.size());

    heard(harness.answers.getFirst(), CallbackStatus.TAKEN);
    offer(calls.get(2));
    assertEquals(2, harness.answers.size());
    heard(harness.answers.getFirst(), CallbackStatus.TAKEN);
    heard(harness.answers.getFirst(), CallbackStatus.TAKEN);
  }

  /** Field fault 1: the bytes of answers wait for the Invoker within the room on the heap. */
  @Test
  void shouldRefuseAnswersWhileTheHeapHasNoRoom() {
    CallbackResponse large = CallbackResponse.of(200, "", new byte[700_000]);
    harness.start(graph(call("x", "http://sky/x")));
    harness.start(graph(call("x", "http://sky/x")));
    Effect.Invoke other = harness.calls.getLast();
    offer(harness.calls.getFirst(), large);
    assertReply(CallbackStatus.NO_ROOM, offer(other, large));
    assertReply(CallbackStatus.NO_ROOM, offer(other, ANSWER));
    assertEquals(700_000, harness.heap.carriedBytes());

    heard(harness.answers.getFirst(), CallbackStatus.TAKEN);
    offer(other, large);
    heard(harness.answers.getFirst(), CallbackStatus.TAKEN);
    assertEquals(0, harness.heap.carriedBytes());
  }

  @Test
  void shouldTellWhenTheInstanceHasLeftMeanwhile() {
    harness.journal.withoutComparison();
    harness.start(graph(call("x", "http://sky/x")));
    Effect.Invoke call = harness.call("x");
    ReplyAddress<Reply.CallbackReply> before = offer(call);
    Effect.DeliverCallback handed = harness.answers.getFirst();
    BitSet all = new BitSet();
    all.set(0);
    harness.kernel().releasePartitions(new PartitionRelease(all, () -> {}));
    harness.settle();
    heard(handed, CallbackStatus.TAKEN);
    ReplyAddress<Reply.CallbackReply> after = offer(call);

    assertEquals(List.of(new Reply.NotOwner()), harness.replies(before.request()));
    assertEquals(List.of(new Reply.NotOwner()), harness.replies(after.request()));
  }
}
