package dev.pinion.core.kernel;

import static dev.pinion.core.kernel.Tasks.attempt;
import static dev.pinion.core.kernel.Tasks.block;
import static dev.pinion.core.kernel.Tasks.call;
import static dev.pinion.core.kernel.Tasks.fork;
import static dev.pinion.core.kernel.Tasks.graph;
import static dev.pinion.core.kernel.Tasks.handler;
import static dev.pinion.core.kernel.Tasks.loop;
import static dev.pinion.core.kernel.Tasks.nothing;
import static dev.pinion.core.kernel.Tasks.pause;
import static dev.pinion.core.kernel.Tasks.set;
import static dev.pinion.core.kernel.Values.json;
import static dev.pinion.core.kernel.Values.numbers;
import static dev.pinion.core.kernel.Values.variable;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.instance.InstanceState;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** {@code wait} and timeouts. */
class TimeTest {
  private static final Duration TICK = Duration.ofNanos(1 << 20);

  @RegisterExtension final KernelHarness harness = new KernelHarness();

  @Test
  void shouldWaitNoShorterAndAtMostATickLonger() {
    InstanceId id = harness.start(graph(pause("w", Duration.ofSeconds(5)), set("s", 1)));

    assertEquals(InstanceState.WAITING, harness.state(id));
    harness.advance(Duration.ofSeconds(5).minusNanos(1));
    assertEquals(InstanceState.WAITING, harness.state(id));
    harness.advance(TICK.plusNanos(1));
    assertEquals(json("1"), harness.output(id));
  }

  @Test
  void shouldPassItsInputOn() {
    InstanceId id = harness.start(graph(pause("w", Duration.ofHours(1))), json("'kept'"));
    harness.advance(Duration.ofHours(2));

    assertEquals(json("'kept'"), harness.output(id));
  }

  @Test
  void shouldNotWaitForNothing() {
    assertEquals(json("1"), harness.run(graph(pause("w", Duration.ZERO)), json("1")));
  }

  @Test
  void shouldRefuseToWaitLongerThanATimerMayLast() {
    InstanceId atEdge = harness.start(graph(pause("w", Duration.ofDays(3_660))));
    InstanceId beyond = harness.start(graph(pause("w", Duration.ofDays(3_660).plusNanos(1))));

    assertEquals(InstanceState.WAITING, harness.state(atEdge));
    assertEquals(ErrorType.RUNTIME.uri(), harness.error(beyond).type());
    assertTrue(
        Objects.requireNonNull(harness.error(beyond).detail()).contains("instance.maxTimerDays"));
  }

  @Test // Field fault 9: after a pause, answered calls faulted
  void shouldTakeAnswersBeforeItFiresTimersThatPassedInAPause() {
    TaskSpec limited = call("c").timeout(Duration.ofSeconds(30));
    InstanceId answered = harness.start(graph(limited));
    InstanceId silent = harness.start(graph(call("d").timeout(Duration.ofSeconds(30))));

    harness.jump(Duration.ofSeconds(36));
    long until = harness.nowNanos() + Duration.ofSeconds(1).toNanos();
    harness.kernel().onPause(until);
    harness.settle();
    assertEquals(InstanceState.RUNNING, harness.state(answered));
    assertEquals(until, harness.kernel().nextDeadlineNanos());

    harness.answer("c", json("1"));
    assertEquals(json("1"), harness.output(answered));
    harness.advance(Duration.ofSeconds(1));
    assertEquals(ErrorType.TIMEOUT.uri(), harness.error(silent).type());
  }

  @Test
  void shouldFaultATaskThatTakesTooLong() {
    InstanceId id = harness.start(graph(call("c").timeout(Duration.ofSeconds(1))));
    harness.advance(Duration.ofSeconds(1).plus(TICK));

    assertEquals(ErrorType.TIMEOUT.uri(), harness.error(id).type());
    assertEquals(408, harness.error(id).status());
    assertEquals("/do/0/c", harness.error(id).instance());
    assertEquals(1, harness.aborts.size());
  }

  @Test
  void shouldAbortEverythingInsideAContainerThatTakesTooLong() {
    InstanceId id =
        harness.start(
            graph(
                attempt(
                    "t",
                    handler().run(set("h", variable("error"))),
                    block(
                            "b",
                            fork(
                                "f",
                                call("c"),
                                loop("l", numbers(3), call("d")),
                                pause("w", Duration.ofDays(1))))
                        .timeout(Duration.ofSeconds(1)))));
    harness.advance(Duration.ofSeconds(2));

    assertEquals(2, harness.aborts.size());
    assertEquals(0, harness.kernel().router().timers().size());
    assertEquals("/do/0/t/try/0/b", harness.output(id).json().get("instance").asText());
  }

  @Test
  void shouldTakeBackTheTimeoutOfATaskThatEnds() {
    InstanceId id =
        harness.start(
            graph(call("c").timeout(Duration.ofSeconds(1)), pause("w", Duration.ofSeconds(9))));
    harness.answer("c", json("1"));

    assertEquals(1, harness.kernel().router().timers().size());
    harness.advance(Duration.ofSeconds(10));
    assertEquals(json("1"), harness.output(id));
  }

  @Test
  void shouldFaultAWorkflowThatTakesTooLong() {
    InstanceId id =
        harness.start(
            graph(
                "t",
                null,
                null,
                Duration.ofSeconds(1),
                attempt("t", handler().run(nothing("h")), fork("f", call("c"), call("d")))));
    harness.advance(Duration.ofSeconds(2));

    assertEquals(ErrorType.TIMEOUT.uri(), harness.error(id).type());
    assertEquals("/", harness.error(id).instance());
    assertEquals(2, harness.aborts.size());
  }

  @Test
  void shouldRestartTheTimeoutOfATaskThatIsEnteredAgain() {
    InstanceId id =
        harness.start(
            graph(
                loop(
                    "l",
                    numbers(3),
                    pause("w", Duration.ofSeconds(2)).timeout(Duration.ofSeconds(3)))));
    harness.advance(Duration.ofSeconds(7));

    assertEquals(InstanceState.COMPLETED, harness.state(id));
  }

  @Test
  void shouldTimeOutAtOnceWhenThereIsNoTimeAtAll() {
    InstanceId id = harness.start(graph(call("c").timeout(Duration.ZERO)));

    assertEquals(ErrorType.TIMEOUT.uri(), harness.error(id).type());
  }
}
