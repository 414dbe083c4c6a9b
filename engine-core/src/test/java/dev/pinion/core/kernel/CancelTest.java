package dev.pinion.core.kernel;

import static dev.pinion.core.kernel.Tasks.attempt;
import static dev.pinion.core.kernel.Tasks.call;
import static dev.pinion.core.kernel.Tasks.fork;
import static dev.pinion.core.kernel.Tasks.graph;
import static dev.pinion.core.kernel.Tasks.handler;
import static dev.pinion.core.kernel.Tasks.loop;
import static dev.pinion.core.kernel.Tasks.nothing;
import static dev.pinion.core.kernel.Tasks.parallel;
import static dev.pinion.core.kernel.Tasks.pause;
import static dev.pinion.core.kernel.Tasks.raise;
import static dev.pinion.core.kernel.Tasks.set;
import static dev.pinion.core.kernel.Values.costing;
import static dev.pinion.core.kernel.Values.json;
import static dev.pinion.core.kernel.Values.numbers;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.graph.Node.Backoff;
import dev.pinion.core.graph.ProcessGraph;
import dev.pinion.core.limits.KernelLimits;
import dev.pinion.core.message.Effect;
import dev.pinion.core.message.Event;
import dev.pinion.core.message.Reply;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.call.CallOutcome;
import dev.pinion.core.model.instance.InstanceState;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Cancellation, and completions that come late or twice. */
class CancelTest {
  @RegisterExtension final KernelHarness harness = new KernelHarness();

  static Stream<Arguments> states() {
    return Stream.of(
        Arguments.of("call", graph(call("c"))),
        Arguments.of("wait", graph(pause("w", Duration.ofDays(1)))),
        Arguments.of("loop", graph(loop("l", numbers(3), call("c")))),
        Arguments.of("fork", graph(fork("f", call("c"), pause("w", Duration.ofDays(1))))),
        Arguments.of("parallel", graph(parallel("p", 2, numbers(9), call("c")))),
        Arguments.of(
            "retry delay",
            graph(
                attempt(
                    "t",
                    handler().retry(1).delay(Backoff.CONSTANT, Duration.ofDays(1)),
                    raise("r", "urn:e", 400)))),
        Arguments.of(
            "handler", graph(attempt("t", handler().run(call("h")), raise("r", "urn:e", 400)))),
        Arguments.of("evaluation", graph(set("s", costing(1_000_000, Values.INPUT)))),
        Arguments.of("timeout", graph(call("c").timeout(Duration.ofDays(1)))),
        Arguments.of("then loop", graph(nothing("a"), nothing("b").then("a"))));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("states")
  void shouldCancelInEveryState(String state, ProcessGraph graph) {
    // given an instance that has begun and another that waits for its end
    long start = harness.offerStart(0, graph, json("[1]"), true);
    harness.cycle();
    InstanceId id = harness.accepted(start);
    long waiter = harness.offerGet(id, true);
    harness.cycle();

    long cancel = harness.offerCancel(id);
    harness.cycle();

    assertInstanceOf(Reply.Controlled.class, harness.reply(cancel), state);
    Reply.Ended ended = assertInstanceOf(Reply.Ended.class, harness.reply(waiter));
    assertEquals(InstanceState.CANCELLED, ended.instance().state());
    assertEquals(2, harness.replies(start).size());
    assertEquals(0, harness.kernel().router().timers().size());
    assertEquals(0, harness.kernel().memoryAccount().heapBytes());
    assertEquals(harness.calls.size(), harness.aborts.size());
  }

  @Test
  void shouldTellThatItHadEnded() {
    InstanceId id = harness.start(graph(set("s", 1)));

    Reply.AlreadyEnded reply = assertInstanceOf(Reply.AlreadyEnded.class, harness.cancel(id));

    assertEquals(InstanceState.COMPLETED, reply.instance().state());
    assertNull(reply.instance().output(), "not requested"); // Field fault 1
  }

  @Test
  void shouldTellThatThereIsNoSuchInstance() {
    assertInstanceOf(Reply.NotFound.class, harness.cancel(InstanceId.next(1, 0, null)));
  }

  @Test
  void shouldCancelOnce() {
    InstanceId id = harness.start(graph(call("c")));
    long first = harness.offerCancel(id);
    long second = harness.offerCancel(id);
    harness.settle();

    assertInstanceOf(Reply.Controlled.class, harness.reply(first));
    assertInstanceOf(Reply.AlreadyEnded.class, harness.reply(second));
  }

  @Test
  void shouldDropTheOutcomeOfACallThatWasAborted() {
    InstanceId id =
        harness.start(
            graph(attempt("t", handler(), call("c").timeout(Duration.ofSeconds(1))), call("d")));
    Effect.Invoke aborted = harness.call("c");
    harness.advance(Duration.ofSeconds(2));

    harness.answer(aborted, json("'late'"));

    assertEquals(1, harness.kernel().counters().stale());
    assertEquals(InstanceState.RUNNING, harness.state(id));
    harness.answer("d", json("'in time'"));
    assertEquals(json("'in time'"), harness.output(id));
  }

  @Test
  void shouldDropTheOutcomeOfAnEarlierAttemptInTheSameSlot() {
    InstanceId id =
        harness.start(
            graph(
                attempt("t", handler().retry(1).attemptTimeout(Duration.ofSeconds(1)), call("c"))));
    Effect.Invoke first = harness.call("c");
    harness.advance(Duration.ofMillis(1_500));
    Effect.Invoke second = harness.calls.get(1);
    assertEquals(first.activity(), second.activity());

    harness.answer(first, json("'late'"));
    harness.answer(second, json("'in time'"));

    assertEquals(json("'in time'"), harness.output(id));
  }

  @Test
  void shouldDropWhatComesAfterTheEnd() {
    InstanceId id = harness.start(graph(call("c")));
    harness.cancel(id);
    harness.answer("c", json("1"));

    assertEquals(InstanceState.CANCELLED, harness.state(id));
    assertEquals(1, harness.kernel().counters().stale());
  }

  @Test
  void shouldReportACompletionThatWasReportedTwice() {
    harness.start(graph(call("c"), call("d")));
    Effect.Invoke call = harness.call("c");
    Event.CallCompleted done =
        new Event.CallCompleted(
            call.id(), call.activity(), call.attempt(), new CallOutcome.Succeeded(Payload.NULL));
    harness.answer(call, Payload.NULL);
    harness.answer("d", Payload.NULL);
    harness.offerCompletion(0, done);

    IllegalStateException e = assertThrows(IllegalStateException.class, harness::cycle);

    assertTrue(String.valueOf(e.getMessage()).contains("reported twice"));
    assertEquals(0, harness.kernel().router().calls().used());
  }

  @Test
  void shouldNeedNoMoreRoomForInvocationsThanTheLimitsSay() {
    // given one permit, a call that was read and answered, and its abort, which was not read yet
    KernelHarness narrow = new KernelHarness(Map.of("kernel.maxCalls", 1));
    narrow.journal.withoutComparison();
    ProcessGraph graph = graph(call("c"));
    InstanceId first = narrow.start(graph);
    InstanceId second = narrow.start(graph);
    Effect.Invoke read = narrow.calls.get(0);
    narrow.cancel(first);
    int unread = narrow.aborts.size();

    // when its permit goes to the next call, which is aborted too
    narrow.answer(read, Payload.NULL);
    unread += narrow.calls.size();
    narrow.cancel(second);
    unread += 1;

    assertEquals(2, narrow.aborts.size());
    KernelLimits limits = narrow.limits.kernel();
    assertEquals(limits.maxInvocations() - limits.maxLateAnswers(), unread);
    narrow.finish();
  }
}
