package dev.pinion.core.kernel;

import static dev.pinion.core.kernel.Tasks.attempt;
import static dev.pinion.core.kernel.Tasks.call;
import static dev.pinion.core.kernel.Tasks.graph;
import static dev.pinion.core.kernel.Tasks.handler;
import static dev.pinion.core.kernel.Tasks.pause;
import static dev.pinion.core.kernel.Tasks.raise;
import static dev.pinion.core.kernel.Tasks.set;
import static dev.pinion.core.kernel.Values.json;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.graph.Node.Backoff;
import dev.pinion.core.graph.ProcessGraph;
import dev.pinion.core.kernel.step.Activity;
import dev.pinion.core.kernel.step.TimerWheel;
import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.instance.InstanceState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The retry policies of {@code try}. */
class RetryTest {
  private static final Duration TICK = Duration.ofNanos(1 << 20);

  @RegisterExtension
  final KernelHarness harness = new KernelHarness(Map.of("instance.maxTimerDays", 1));

  private static ProcessGraph retrying(CatchSpec handler) {
    return graph(attempt("t", handler, call("c")));
  }

  /** Fails every call and returns the times between the attempts, in milliseconds, in order. */
  private List<Long> delaysOf(CatchSpec handler, int attempts) {
    harness.start(retrying(handler));
    List<Long> delays = new ArrayList<>();
    for (int i = 1; i < attempts; i++) {
      harness.fail("c", 503);
      long before = harness.nowNanos();
      while (harness.calls.isEmpty()) {
        harness.advance(Duration.ofMillis(1));
      }
      delays.add(Math.round((harness.nowNanos() - before) / 1e6));
    }
    return delays;
  }

  private static void assertNear(List<Long> expected, List<Long> found) {
    assertEquals(expected.size(), found.size());
    for (int i = 0; i < expected.size(); i++) {
      long late = found.get(i) - expected.get(i);
      assertTrue(late >= 0 && late <= 3, "expected about " + expected + ", found " + found);
    }
  }

  @Test
  void shouldRetryAtOnceWithoutADelay() {
    InstanceId id = harness.start(retrying(handler().retry(2)), json("5"));
    harness.fail("c", 500);
    harness.fail("c", 500);
    assertEquals(json("5"), harness.call("c").call().body());
    harness.answer("c", json("'third'"));

    assertEquals(json("'third'"), harness.output(id));
  }

  @ParameterizedTest
  @CsvSource({"0, 1", "1, 2", "3, 4"})
  void shouldGiveUpAfterSoManyRetries(int maxRetries, int attempts) {
    InstanceId id = harness.start(retrying(handler().retry(maxRetries)));
    for (int i = 0; i < attempts; i++) {
      assertEquals(InstanceState.RUNNING, harness.state(id));
      harness.fail("c", 500 + i);
    }

    assertEquals(499 + attempts, harness.error(id).status());
    assertEquals("/do/0/t/try/0/c", harness.error(id).instance());
  }

  @Test
  void shouldRunTheHandlerWhenRetriesAreUsedUp() {
    InstanceId id = harness.start(retrying(handler().retry(1).run(set("h", 9))));
    harness.fail("c", 500);
    harness.fail("c", 500);

    assertEquals(json("9"), harness.output(id));
  }

  @Test
  void shouldDelayByAConstant() {
    assertNear(
        List.of(100L, 100L, 100L),
        delaysOf(handler().retry(9).delay(Backoff.CONSTANT, Duration.ofMillis(100)), 4));
  }

  @Test
  void shouldDelayLinearly() {
    assertNear(
        List.of(100L, 200L, 300L),
        delaysOf(handler().retry(9).delay(Backoff.LINEAR, Duration.ofMillis(100)), 4));
  }

  @Test
  void shouldDelayExponentially() {
    assertNear(
        List.of(100L, 200L, 400L, 800L),
        delaysOf(handler().retry(9).delay(Backoff.EXPONENTIAL, Duration.ofMillis(100)), 5));
  }

  @Test
  void shouldNeverDelayLongerThanATimerMayLast() {
    // given a delay that grows beyond any number
    InstanceId id =
        harness.start(
            retrying(handler().retry(999).delay(Backoff.EXPONENTIAL, Duration.ofHours(1))));
    for (int i = 0; i < 100; i++) {
      harness.fail("c", 500);
      harness.advance(Duration.ofDays(1).plus(TICK));
      assertEquals(1, harness.calls.size(), "retry " + i);
    }
    assertEquals(InstanceState.RUNNING, harness.state(id));
  }

  @Test
  void shouldAddJitterWithinItsBoundsAndDifferentFromRetryToRetry() {
    CatchSpec policy =
        handler()
            .retry(99)
            .delay(Backoff.CONSTANT, Duration.ofMillis(100))
            .jitter(Duration.ofMillis(50), Duration.ofMillis(250));

    List<Long> delays = delaysOf(policy, 30);

    for (long delay : delays) {
      assertTrue(delay >= 150 && delay <= 353, "delays: " + delays);
    }
    assertTrue(delays.stream().distinct().count() > 10, "delays: " + delays);
  }

  @Test
  void shouldJitterTheSameWhenReplayedAndDifferentlyByInstance() {
    CatchSpec policy = handler().retry(9).jitter(Duration.ofSeconds(0), Duration.ofSeconds(60));
    ProcessGraph graph = retrying(policy);
    List<Long> first = deadlines(harness, graph, 3);
    List<Long> again = deadlines(new KernelHarness(), graph, 3);

    assertEquals(first, again);
    assertNotEquals(first.get(0), first.get(1));
  }

  /** Times at which each of some instances, one after another, would try again. */
  private static List<Long> deadlines(KernelHarness harness, ProcessGraph graph, int count) {
    List<Long> deadlines = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      InstanceId id = harness.start(graph);
      harness.fail("c", 500);
      long begin = harness.nowNanos();
      Activity root =
          Objects.requireNonNull(
              Objects.requireNonNull(harness.kernel().instances().running(id)).root());
      TimerWheel.Timer timer =
          Objects.requireNonNull(Objects.requireNonNull(root.firstChild()).timer(Activity.DELAY));
      deadlines.add((timer.deadlineTick << 20) - begin);
      harness.cancel(id);
    }
    return deadlines;
  }

  @Test
  void shouldRetryOnlyWhenTheConditionsSaySo() {
    CatchSpec policy =
        handler()
            .retry(9)
            .retryWhen(
                (input, scope, budget) ->
                    Objects.requireNonNull(scope.variable("error")).json().get("status").asInt()
                        >= 500)
            .retryExceptWhen(
                (input, scope, budget) ->
                    Objects.requireNonNull(scope.variable("error")).json().get("status").asInt()
                        == 501);
    InstanceId id = harness.start(retrying(policy));
    harness.fail("c", 500);
    harness.fail("c", 503);
    harness.fail("c", 501);
    assertEquals(501, harness.error(id).status());

    InstanceId other = harness.start(retrying(policy));
    harness.fail("c", 404);
    assertEquals(404, harness.error(other).status());
  }

  @Test
  void shouldEndAnAttemptThatTakesTooLong() {
    InstanceId id =
        harness.start(retrying(handler().retry(1).attemptTimeout(Duration.ofSeconds(2))));
    harness.advance(Duration.ofSeconds(2).plus(TICK));

    assertEquals(1, harness.aborts.size());
    assertEquals(2, harness.calls.size(), "the one that is aborted, and the next");
    harness.advance(Duration.ofSeconds(3));
    assertEquals(ErrorType.TIMEOUT.uri(), harness.error(id).type());
    assertEquals("/do/0/t", harness.error(id).instance());
  }

  @Test
  void shouldNotCountTheTimeOfAHandlerAsAnAttempt() {
    CatchSpec policy =
        handler()
            .retry(0)
            .attemptTimeout(Duration.ofSeconds(2))
            .run(pause("h", Duration.ofSeconds(10)));
    InstanceId id = harness.start(graph(attempt("t", policy, raise("r", "urn:e", 400))), json("1"));
    harness.advance(Duration.ofSeconds(9));
    assertEquals(InstanceState.WAITING, harness.state(id));
    harness.advance(Duration.ofSeconds(2));

    assertEquals(json("1"), harness.output(id));
  }

  @Test
  void shouldGiveUpWhenTheNextAttemptWouldBeginTooLate() {
    CatchSpec policy =
        handler()
            .retry(99)
            .delay(Backoff.CONSTANT, Duration.ofSeconds(1))
            .duration(Duration.ofSeconds(3));
    InstanceId id = harness.start(retrying(policy));
    int attempts = 0;
    while (harness.state(id) != InstanceState.FAULTED) {
      if (!harness.calls.isEmpty()) {
        attempts++;
        harness.fail("c", 503);
      }
      harness.advance(Duration.ofMillis(100));
    }

    assertEquals(3, attempts, "at 0, 1 and 2 seconds and a little; the next would be late");
  }

  @Test
  void shouldRefuseAnAttemptTimeoutBeyondTheLimit() {
    InstanceId id = harness.start(retrying(handler().retry(1).attemptTimeout(Duration.ofDays(2))));

    assertTrue(
        Objects.requireNonNull(harness.error(id).detail()).contains("instance.maxTimerDays"));
  }

  @Test
  void shouldWaitForARetryAsWaiting() {
    InstanceId id =
        harness.start(retrying(handler().retry(1).delay(Backoff.CONSTANT, Duration.ofHours(1))));
    harness.fail("c", 500);

    assertEquals(InstanceState.WAITING, harness.state(id));
    assertEquals(1, harness.kernel().router().timers().size());
  }
}
