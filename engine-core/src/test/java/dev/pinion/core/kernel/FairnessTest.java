package dev.pinion.core.kernel;

import static dev.pinion.core.kernel.Tasks.call;
import static dev.pinion.core.kernel.Tasks.graph;
import static dev.pinion.core.kernel.Tasks.nothing;
import static dev.pinion.core.kernel.Tasks.pause;
import static dev.pinion.core.kernel.Tasks.set;
import static dev.pinion.core.kernel.Values.costing;
import static dev.pinion.core.kernel.Values.json;
import static dev.pinion.core.kernel.Values.plus;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.graph.ProcessGraph;
import dev.pinion.core.kernel.step.Instance;
import dev.pinion.core.message.Reply;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.call.CallOutcome;
import dev.pinion.core.model.instance.InstanceState;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** An endless instance delays neither others nor its own cancellation. */
class FairnessTest {
  private static final ProcessGraph ENDLESS =
      graph("endless", null, null, null, nothing("a"), nothing("b").then("a"));

  @RegisterExtension
  final KernelHarness harness =
      new KernelHarness(Map.of("instance.maxSteps", Integer.MAX_VALUE, "kernel.stepsPerTurn", 16));

  private InstanceId startEndless(ProcessGraph graph) {
    long request = harness.offerStart(0, graph, Payload.NULL, false);
    harness.cycle();
    return harness.accepted(request);
  }

  private Instance instance(InstanceId id) {
    return java.util.Objects.requireNonNull(harness.kernel().instances().running(id));
  }

  @Test
  void shouldRunOneTurnAtATime() {
    InstanceId id = startEndless(ENDLESS);

    for (int i = 0; i < 5; i++) {
      long before = instance(id).advances();
      harness.cycle();
      long ran = instance(id).advances() - before;
      assertTrue(ran > 0 && ran <= 16, "ran " + ran);
    }
    assertTrue(harness.kernel().hasWork());
    harness.offerCancel(id);
    harness.cycle();
  }

  @Test
  void shouldServeOthersBesideAnEndlessInstance() {
    InstanceId endless = startEndless(ENDLESS);
    long other = harness.offerStart(0, graph(call("c"), set("s", plus(1))), Payload.NULL, true);
    harness.cycle();
    harness.report(harness.call("c"), new CallOutcome.Succeeded(json("1")));
    harness.cycle();

    Reply.Ended ended = assertInstanceOf(Reply.Ended.class, harness.replies(other).get(1));
    assertEquals(json("2"), ended.instance().output());
    harness.offerCancel(endless);
    harness.cycle();
  }

  @Test
  void shouldCancelAnEndlessInstance() {
    InstanceId id = startEndless(ENDLESS);
    long cancel = harness.offerCancel(id);
    harness.cycle();

    assertInstanceOf(Reply.Controlled.class, harness.reply(cancel));
    assertEquals(0, harness.kernel().instances().size());
  }

  @Test
  void shouldTimeOutAnEndlessInstance() {
    InstanceId id =
        startEndless(
            graph("slow", null, null, Duration.ofSeconds(1), nothing("a"), nothing("b").then("a")));
    harness.jump(Duration.ofSeconds(2));
    harness.settle();

    assertEquals(408, harness.error(id).status());
  }

  @Test
  void shouldLookAtAnEndlessInstance() {
    InstanceId id = startEndless(ENDLESS);
    long get = harness.offerGet(id, false);
    harness.cycle();

    Reply.InstanceFound instanceFound =
        assertInstanceOf(Reply.InstanceFound.class, harness.reply(get));
    assertEquals(InstanceState.RUNNING, instanceFound.instance().state());
    harness.offerCancel(id);
    harness.cycle();
  }

  @Test
  void shouldShortenTurnsByWhatExpressionsCost() {
    int loopSteps = harness.limits.expression().loopSteps();
    InstanceId id =
        startEndless(
            graph(
                set("a", costing(loopSteps / 2, Values.INPUT)),
                set("b", costing(loopSteps / 2, Values.INPUT)).then("a")));
    long before = instance(id).advances();
    harness.cycle();

    assertTrue(instance(id).advances() - before <= 2, "no more than one evaluation may spend");
    harness.offerCancel(id);
    harness.cycle();
  }

  @Test
  void shouldBoundADutyCycleHoweverMuchThereIsToDo() {
    // given many instances that each take up a whole turn
    int loopSteps = harness.limits.expression().loopSteps();
    ProcessGraph heavy = graph(set("a", costing(loopSteps, Values.INPUT)).as(Values.INPUT));
    for (int i = 0; i < 100; i++) {
      harness.offerStart(0, heavy, Payload.NULL, false);
    }
    harness.cycle();

    assertTrue(
        harness.kernel().counters().started() <= 3,
        "started in one cycle: " + harness.kernel().counters().started());
    harness.settle();
    assertEquals(100, harness.kernel().counters().completed());
  }

  @Test
  void shouldGiveEveryKindOfWorkItsShareOfACycle() {
    // given more starts, timers and turns than one cycle can do
    int loopSteps = harness.limits.expression().loopSteps();
    ProcessGraph sleeping =
        graph(pause("w", Duration.ofSeconds(1)), set("s", costing(loopSteps, Values.INPUT)));
    for (int i = 0; i < 20; i++) {
      harness.offerStart(0, sleeping, Payload.NULL, false);
    }
    harness.settle();
    InstanceId endless = startEndless(ENDLESS);
    harness.jump(Duration.ofSeconds(2));
    long begun = instance(endless).advances();
    for (int i = 0; i < 20; i++) {
      harness.offerStart(0, graph(set("a", costing(loopSteps, Values.INPUT))), Payload.NULL, false);
    }
    long started = harness.kernel().counters().started();
    harness.cycle();

    assertTrue(harness.kernel().router().timers().size() < 20, "timers fired");
    assertTrue(harness.kernel().router().timers().size() > 0, "not all timers fired");
    assertTrue(harness.kernel().counters().started() > started, "starts taken");
    assertTrue(instance(endless).advances() > begun, "turns run");
    harness.offerCancel(endless);
    harness.settle();
  }
}
