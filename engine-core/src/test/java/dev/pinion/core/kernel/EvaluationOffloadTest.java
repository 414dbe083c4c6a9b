package dev.pinion.core.kernel;

import static dev.pinion.core.kernel.Tasks.attempt;
import static dev.pinion.core.kernel.Tasks.block;
import static dev.pinion.core.kernel.Tasks.call;
import static dev.pinion.core.kernel.Tasks.choose;
import static dev.pinion.core.kernel.Tasks.fork;
import static dev.pinion.core.kernel.Tasks.graph;
import static dev.pinion.core.kernel.Tasks.handler;
import static dev.pinion.core.kernel.Tasks.loop;
import static dev.pinion.core.kernel.Tasks.nothing;
import static dev.pinion.core.kernel.Tasks.parallel;
import static dev.pinion.core.kernel.Tasks.pause;
import static dev.pinion.core.kernel.Tasks.raise;
import static dev.pinion.core.kernel.Tasks.set;
import static dev.pinion.core.kernel.Values.constant;
import static dev.pinion.core.kernel.Values.costing;
import static dev.pinion.core.kernel.Values.json;
import static dev.pinion.core.kernel.Values.numbers;
import static dev.pinion.core.kernel.Values.plus;
import static dev.pinion.core.kernel.Values.variable;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.graph.FlowDirective;
import dev.pinion.core.graph.ProcessGraph;
import dev.pinion.core.kernel.Tasks.Option;
import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.ExpressionException;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.instance.InstanceState;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Expressions beyond the budget of an event loop are handed over once, and their phase continues
 * with the result.
 */
class EvaluationOffloadTest {
  private static final long LONG = 50_000;

  @RegisterExtension
  final KernelHarness harness = new KernelHarness(Map.of("kernel.maxEvaluations", 2));

  private static <T> Expression<T> slow(Expression<T> expression) {
    return costing(LONG, expression);
  }

  private Payload runWithEvaluations(ProcessGraph graph, Payload input, int expected) {
    InstanceId id = harness.start(graph, input);
    int made = 0;
    while (harness.state(id) == InstanceState.RUNNING && made <= expected) {
      assertEquals(1, harness.evaluations.size(), "evaluation " + made);
      harness.evaluate();
      made++;
    }
    assertEquals(expected, made);
    return harness.output(id);
  }

  @Test
  void shouldHandOverWhatIsTooLong() {
    assertEquals(json("6"), runWithEvaluations(graph(set("s", slow(plus(1)))), json("5"), 1));
    assertEquals(1, harness.kernel().counters().handedOver());
  }

  @Test
  void shouldNotHandOverWhatFitsTheLoop() {
    int loopSteps = harness.limits.expression().loopSteps();

    assertEquals(json("6"), harness.run(graph(set("s", costing(loopSteps, plus(1)))), json("5")));
    assertEquals(0, harness.kernel().counters().handedOver());
    runWithEvaluations(graph(set("s", costing(loopSteps + 1, plus(1)))), json("5"), 1);
  }

  @Test
  void shouldHandOverEveryExpressionOfATaskOnce() {
    // given expressions that each make a new object whenever they are evaluated
    ProcessGraph graph =
        graph(
            nothing("t")
                .when(slow(constant(true)))
                .inputSchema(slow(Values.INPUT))
                .from(slow(plus(1)))
                .timeout(slow(constant(Duration.ofHours(1).toNanos())))
                .as(slow(plus(10)))
                .outputSchema(slow(Values.INPUT))
                .export(slow(plus(100)))
                .exportSchema(slow(Values.INPUT)),
            set(
                "s",
                (input, scope, budget) ->
                    Payload.of(input + " " + Objects.requireNonNull(scope.variable("context")))));

    assertEquals(json("'11 111'"), runWithEvaluations(graph, json("0"), 8));
  }

  @Test
  void shouldGoOnAfterASlowExpressionBehindAQuickOne() {
    // given a quick transformation that makes another object each time it is evaluated, before slow
    // expressions that work on it
    ProcessGraph graph =
        graph(
            set("t", plus(1))
                .from(plus(10))
                .timeout(slow(constant(Duration.ofHours(1).toNanos())))
                .as(plus(100))
                .outputSchema(slow(Values.INPUT))
                .export(slow(plus(1000))),
            set("s", variable("context")));

    assertEquals(json("1111"), runWithEvaluations(graph, json("0"), 3));
  }

  @Test
  void shouldSeeTheSameScopeWhenAPhaseIsRunAgain() {
    // given a condition that reads $input, which the same phase then transforms
    Expression<Boolean> inputIsFive =
        (input, scope, budget) -> Objects.requireNonNull(scope.variable("input")).equals(json("5"));
    ProcessGraph graph =
        graph(
            set("t", plus(1))
                .when(inputIsFive)
                .from(plus(10))
                .timeout(slow(constant(Duration.ofHours(1).toNanos()))));

    assertEquals(json("16"), runWithEvaluations(graph, json("5"), 1));
  }

  @Test
  void shouldSeeTheSameTimeWhenAPhaseIsRunAgain() {
    Payload before = Payload.of(KernelHarness.FIRST_EPOCH_MILLIS / 1000.0);
    Expression<Boolean> nowIsBefore =
        (input, scope, budget) -> before.equals(Objects.requireNonNull(scope.variable("now")));
    InstanceId id =
        harness.start(graph(set("t", 7).when(nowIsBefore).from(slow(Values.INPUT))), json("5"));
    harness.advance(Duration.ofSeconds(1));
    harness.evaluate();

    assertEquals(json("7"), harness.output(id));
  }

  @Test
  void shouldHandOverItemsAndConditionOfALoop() {
    ProcessGraph graph =
        graph(
            loop("l", "item", "index", slow(numbers(2)), slow(constant(true)), set("s", plus(1))));

    assertEquals(json("2"), runWithEvaluations(graph, json("0"), 3));
  }

  @Test
  void shouldHandOverItemsOfAParallelLoop() {
    assertEquals(
        json("[1,1]"),
        runWithEvaluations(graph(parallel("p", 0, slow(numbers(2)), set("s", 1))), json("0"), 1));
  }

  @Test
  void shouldHandOverTheCasesOfASwitchOneByOne() {
    ProcessGraph graph =
        graph(
            choose(
                "c",
                Option.when(slow(constant(false)), "never"),
                Option.when(constant(false), "never"),
                Option.when(slow(constant(true)), "taken")),
            set("never", -1),
            set("taken", 5));

    assertEquals(json("5"), runWithEvaluations(graph, json("0"), 2));
  }

  @Test
  void shouldHandOverEverythingThatDecidesAboutAnError() {
    CatchSpec policy =
        handler()
            .matching(slow(constant(true)))
            .when(slow(constant(true)))
            .exceptWhen(slow(constant(false)))
            .retry(1)
            .retryWhen(slow(constant(true)))
            .retryExceptWhen(slow(constant(false)))
            .run(set("h", 5));

    ProcessGraph graph = graph(attempt("t", policy, raise("r", "urn:e", 400)));

    // five for the first error; the second has no retry left and needs three
    assertEquals(json("5"), runWithEvaluations(graph, json("0"), 8));
  }

  @Test
  void shouldHandOverErrorsDurationsAndCalls() {
    ProcessGraph graph =
        graph(
            attempt("t", handler(), raise("r", slow(constant(KernelHarness.communication(400))))),
            pause("w", slow(constant(0L))),
            attempt("u", handler().retry(0).attemptTimeout(Duration.ofSeconds(1)), nothing("n")));

    assertEquals(json("0"), runWithEvaluations(graph, json("0"), 2));
  }

  @Test
  void shouldFaultTheTaskWhenTheEvaluationFails() {
    Expression<Payload> failing =
        slow(
            (input, scope, budget) -> {
              throw new ExpressionException("no such thing");
            });
    InstanceId id = harness.start(graph(block("b", set("s", failing))));
    harness.evaluate();

    assertEquals(ErrorType.EXPRESSION.uri(), harness.error(id).type());
    assertEquals("no such thing", harness.error(id).detail());
    assertEquals("/do/0/b/do/0/s", harness.error(id).instance());
  }

  @Test
  void shouldWaitForAPermit() {
    InstanceId id =
        harness.start(
            graph(
                fork(
                    "f",
                    set("a", slow(plus(1))),
                    set("b", slow(plus(2))),
                    set("c", slow(plus(3))))),
            json("0"));
    assertEquals(2, harness.evaluations.size());
    assertEquals(2, harness.kernel().router().evaluations().used());

    harness.evaluate();
    assertEquals(2, harness.evaluations.size());
    harness.evaluate();
    harness.evaluate();

    assertEquals(json("[1,2,3]"), harness.output(id));
  }

  @Test
  void shouldKeepThePermitOfACancelledEvaluationUntilItIsReported() {
    InstanceId id = harness.start(graph(set("s", slow(plus(1)))));
    harness.cancel(id);
    assertEquals(1, harness.kernel().router().evaluations().used());

    harness.evaluate();

    assertEquals(0, harness.kernel().router().evaluations().used());
    assertEquals(1, harness.kernel().counters().stale());
    assertTrue(harness.aborts.isEmpty());
  }

  @Test
  void shouldTimeOutWhileAnEvaluationIsUnderWay() {
    InstanceId id =
        harness.start(
            graph(
                attempt("t", handler(), set("s", slow(plus(1))).timeout(Duration.ofSeconds(1))),
                call("c")),
            json("3"));
    harness.advance(Duration.ofSeconds(2));
    harness.evaluate();
    assertEquals(json("3"), harness.call("c").call().body());
    harness.answer("c", json("4"));

    assertEquals(json("4"), harness.output(id));
  }

  @Test
  void shouldEndTheWorkflowWhileAnEvaluationIsUnderWay() {
    InstanceId id =
        harness.start(
            graph(fork("f", set("s", slow(plus(1))), set("e", 2).then(FlowDirective.END))));

    assertEquals(json("2"), harness.output(id));
  }
}
