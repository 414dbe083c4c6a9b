package dev.pinion.core.kernel;

import static dev.pinion.core.kernel.Tasks.attempt;
import static dev.pinion.core.kernel.Tasks.block;
import static dev.pinion.core.kernel.Tasks.call;
import static dev.pinion.core.kernel.Tasks.fork;
import static dev.pinion.core.kernel.Tasks.graph;
import static dev.pinion.core.kernel.Tasks.handler;
import static dev.pinion.core.kernel.Tasks.loop;
import static dev.pinion.core.kernel.Tasks.nothing;
import static dev.pinion.core.kernel.Tasks.parallel;
import static dev.pinion.core.kernel.Tasks.race;
import static dev.pinion.core.kernel.Tasks.raise;
import static dev.pinion.core.kernel.Tasks.set;
import static dev.pinion.core.kernel.Values.constant;
import static dev.pinion.core.kernel.Values.costing;
import static dev.pinion.core.kernel.Values.json;
import static dev.pinion.core.kernel.Values.numbers;
import static dev.pinion.core.kernel.Values.plus;
import static dev.pinion.core.kernel.Values.variable;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.graph.Compensation;
import dev.pinion.core.graph.FlowDirective;
import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.ExpressionException;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.core.model.call.CallOutcome;
import dev.pinion.core.model.call.HttpCall;
import dev.pinion.core.model.instance.CompensationStatus;
import dev.pinion.core.model.instance.InstanceState;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What is compensated, when, and with which values. */
class CompensationTest {
  @RegisterExtension final KernelHarness harness = new KernelHarness();

  /** A call that another one undoes. */
  static TaskSpec book(String name) {
    return call(name).compensate(call("undo-" + name));
  }

  /** A call whose body is a variable. */
  private static TaskSpec tell(String name, String variable) {
    return call(
        name,
        (input, scope, budget) ->
            new HttpCall(
                "POST",
                "http://service/" + name,
                List.of(),
                variable(variable).evaluate(input, scope, budget),
                HttpCall.Output.CONTENT,
                false));
  }

  private void answer(String... tasks) {
    for (String task : tasks) {
      harness.answer(task, Payload.of(task));
    }
  }

  private boolean isCalled(String task) {
    return harness.calls.stream().anyMatch(call -> HttpCalls.of(call).uri().endsWith("/" + task));
  }

  /** The calls under way are exactly these. */
  private void assertCalled(String... tasks) {
    assertEquals(
        List.of(tasks).stream().map(task -> "http://service/" + task).sorted().toList(),
        harness.calls.stream().map(call -> HttpCalls.of(call).uri()).sorted().toList());
  }

  private Payload body(String task) {
    return Objects.requireNonNull(harness.call(task).call().body());
  }

  private CompensationStatus status(InstanceId id) {
    return Objects.requireNonNull(harness.view(id).compensation());
  }

  private void assertFaulted(InstanceId id, int status, int compensated) {
    assertEquals(status, harness.error(id).status());
    assertEquals(new CompensationStatus(false, compensated, 0, 0, List.of()), status(id));
  }

  @Test
  void shouldUndoWhatCompletedInReverseOrderBeforeAnErrorEndsTheInstance() {
    InstanceId id = harness.start(graph(book("a"), nothing("n"), book("b"), call("c")));
    answer("a", "b");
    harness.fail("c", 503);

    assertEquals(InstanceState.RUNNING, harness.state(id));
    assertEquals(new CompensationStatus(true, 0, 2, 0, List.of()), status(id));
    assertCalled("undo-b");
    assertEquals(json("'b'"), body("undo-b"), "on the output of the task");
    answer("undo-b");
    assertCalled("undo-a");
    answer("undo-a");
    assertFaulted(id, 503, 2);
    assertEquals("/do/3/c", harness.error(id).instance());
    assertEquals("answered 503", harness.error(id).detail(), "as it was");
  }

  @Test
  void shouldShowInputOutputErrorAndVariablesOfLoops() {
    TaskSpec booked =
        call("a")
            .from(plus(10))
            .as(constant(json("'ticket'")))
            .capturing("index")
            .compensate(
                tell("i", Compensation.INPUT),
                tell("o", Compensation.OUTPUT),
                tell("e", Compensation.ERROR),
                tell("x", "index"),
                tell("c", "context"));
    InstanceId id = harness.start(graph(loop("l", numbers(1), booked), call("z")), Payload.of(1));
    answer("a");
    harness.fail("z", 409);

    assertEquals(json("11"), body("i"));
    answer("i");
    assertEquals(json("'ticket'"), body("o"));
    answer("o");
    assertEquals("409", body("e").json().get("status").asText());
    answer("e");
    assertEquals(json("0"), body("x"));
    answer("x");
    assertEquals(json("1"), body("c"), "the context of the workflow");
    answer("c");
    assertFaulted(id, 409, 1);
  }

  @Test
  void shouldShowThemInsideOfWhatACompensationRuns() {
    harness.start(
        graph(
            set("a", 7)
                .compensate(
                    loop(
                        "l",
                        numbers(1),
                        block("d", tell("o", Compensation.OUTPUT), tell("e", Compensation.ERROR)))),
            raise("r", "urn:e", 418)));

    assertEquals(json("7"), body("o"));
    answer("o");
    assertEquals(418, body("e").json().get("status").asInt());
  }

  @Test
  void shouldEvaluateElsewhereInACompensation() {
    InstanceId id =
        harness.start(
            graph(
                set("a", 7)
                    .compensate(
                        set("s", costing(20_000, variable(Compensation.OUTPUT))), call("u")),
                raise("r", "urn:e", 418)));
    assertEquals(1, harness.evaluations.size());
    harness.evaluate();

    assertEquals(json("7"), body("u"));
    answer("u");
    assertFaulted(id, 418, 1);
  }

  @Test
  void shouldNotRegisterWhatCompletesInACompensation() {
    InstanceId id =
        harness.start(
            graph(
                set("a", 7).compensate(book("u")), // as a function may that is called there
                raise("r", "urn:e", 418)));
    answer("u");
    assertFaulted(id, 418, 1);
  }

  @Test
  void shouldUndoEachIterationOfALoop() {
    TaskSpec booked = call("a").capturing("index").compensate(tell("u", "index"));
    InstanceId id = harness.start(graph(loop("l", numbers(3), booked), call("z")));
    answer("a", "a", "a");
    harness.fail("z", 500);

    for (int i = 2; i >= 0; i--) {
      assertEquals(Payload.of(i), body("u"));
      answer("u");
    }
    assertFaulted(id, 500, 3);
  }

  @Test
  void shouldUndoBranchesInTheOrderOfTheirCompletion() {
    InstanceId id =
        harness.start(graph(fork("f", book("a"), block("x", book("b"), book("c"))), call("z")));
    answer("b", "a", "c");
    harness.fail("z", 500);

    for (String next : List.of("undo-c", "undo-a", "undo-b")) {
      assertCalled(next);
      answer(next);
    }
    assertFaulted(id, 500, 3);
  }

  @Test
  void shouldUndoWhatCompletedInBranchesThatAnErrorCancels() {
    InstanceId id = harness.start(graph(fork("f", block("x", book("a"), call("b")), call("c"))));
    answer("a");
    harness.fail("c", 500);

    assertTrue(isCalled("undo-a"));
    answer("undo-a");
    assertFaulted(id, 500, 1);
  }

  @Test
  void shouldUndoWhatCompletedForItemsOfAParallelLoop() {
    TaskSpec booked = call("a").capturing("item").compensate(tell("u", "item"));
    InstanceId id = harness.start(graph(parallel("p", 0, numbers(2), booked), call("z")));
    harness.answer(harness.calls.get(1), json("1"));
    harness.answer(harness.calls.get(0), json("0"));
    harness.fail("z", 500);

    assertEquals(json("0"), body("u"));
    answer("u");
    assertEquals(json("1"), body("u"));
    answer("u");
    assertFaulted(id, 500, 2);
  }

  @Test
  void shouldUndoAContainerBeforeWhatIsInIt() {
    InstanceId id =
        harness.start(
            graph(block("d", book("a"), book("b")).compensate(call("undo-d")), call("z")));
    answer("a", "b");
    harness.fail("z", 500);
    for (String next : List.of("undo-d", "undo-b", "undo-a")) {
      assertCalled(next);
      answer(next);
    }
    assertFaulted(id, 500, 3);
  }

  @Test
  void shouldUndoNothingThatWasSkippedFailedOrNotReached() {
    InstanceId id = harness.start(graph(book("a").when(constant(false)), book("b"), book("c")));
    harness.fail("b", 500);

    assertEquals(500, harness.error(id).status());
    assertNull(harness.view(id).compensation());
  }

  @Test
  void shouldUndoNothingOfAnInstanceThatCompletes() {
    InstanceId id = harness.start(graph(book("a")));
    answer("a");

    assertEquals(json("'a'"), harness.output(id));
    assertNull(harness.view(id).compensation());
  }

  @Test
  void shouldUndoNothingWhenABranchEndsTheWorkflow() {
    InstanceId id =
        harness.start(
            graph(fork("f", block("x", book("a"), call("b")), call("c").then(FlowDirective.END))));
    answer("a", "c");

    assertEquals(json("'c'"), harness.output(id));
    assertNull(harness.view(id).compensation());
  }

  @Test
  void shouldUndoWhatCompletedInsideOfATryBeforeItsCatchRuns() {
    InstanceId id =
        harness.start(
            graph(
                book("before"),
                attempt("t", handler().run(call("h")), book("a"), book("b"), call("c")),
                call("z")));
    answer("before", "a", "b");
    harness.fail("c", 500);

    assertCalled("undo-b");
    answer("undo-b", "undo-a");
    assertCalled("h");
    answer("h");
    assertEquals(new CompensationStatus(false, 2, 1, 0, List.of()), status(id));
    answer("z");
    assertEquals(json("'z'"), harness.output(id));
    assertEquals(new CompensationStatus(false, 2, 0, 0, List.of()), status(id));
  }

  @Test
  void shouldUndoBeforeAnErrorIsSwallowed() {
    InstanceId id =
        harness.start(graph(attempt("t", handler(), book("a"), raise("r", "urn:e", 400))));
    answer("a");
    assertCalled("undo-a");
    answer("undo-a");
    assertEquals(Payload.NULL, harness.output(id));
  }

  @Test
  void shouldUndoEachAttemptBeforeTheNextOne() {
    InstanceId id =
        harness.start(graph(attempt("t", handler().retry(1), book("a"), call("b")), call("z")));
    answer("a");
    harness.fail("b", 500);
    assertCalled("undo-a");
    answer("undo-a");
    answer("a", "b");
    harness.fail("z", 500);

    assertCalled("undo-a");
    answer("undo-a");
    assertFaulted(id, 500, 2);
  }

  @Test
  void shouldLeaveWhatATryDoesNotCatchToTheScopeAround() {
    InstanceId id =
        harness.start(
            graph(
                attempt(
                    "outer",
                    handler().run(call("h")),
                    attempt("inner", handler().matching(constant(false)), book("a"), call("b")))));
    answer("a");
    harness.fail("b", 500);

    assertCalled("undo-a");
    answer("undo-a");
    assertCalled("h");
    answer("h");
    assertEquals(json("'h'"), harness.output(id));
  }

  @Test
  void shouldLeaveTheLastAttemptToTheScopeAroundWhenRetriesAreUsedUp() {
    InstanceId id = harness.start(graph(attempt("t", handler().retry(1), book("a"), call("b"))));
    answer("a");
    harness.fail("b", 500);
    answer("undo-a", "a");
    harness.fail("b", 500);

    assertCalled("undo-a");
    answer("undo-a");
    assertFaulted(id, 500, 2);
  }

  @Test
  void shouldKeepWhatACompletedTryDidForTheScopeAround() {
    InstanceId id = harness.start(graph(attempt("t", handler(), book("a")), book("b"), call("z")));
    answer("a", "b");
    harness.fail("z", 500);
    answer("undo-b", "undo-a");
    assertFaulted(id, 500, 2);
  }

  @Test
  void shouldCountWhatACatchDidToTheScopeAround() {
    InstanceId id =
        harness.start(
            graph(attempt("t", handler().run(book("h"), call("x")), book("a"), call("b"))));
    answer("a");
    harness.fail("b", 500);
    answer("undo-a", "h");
    harness.fail("x", 404);

    assertCalled("undo-h");
    answer("undo-h");
    assertFaulted(id, 404, 2);
  }

  @Test
  void shouldUndoWhatTheLosersOfARaceDid() {
    InstanceId id =
        harness.start(
            graph(
                race("r", block("x", book("a"), call("b")), block("y", book("c"), call("d"))),
                call("z")));
    answer("a", "c");
    harness.fail("b", 500); // a loser that failed
    assertFalse(isCalled("undo-a"), "the race is open");
    answer("d");

    assertCalled("undo-a");
    answer("undo-a");
    assertEquals(json("'d'"), body("z"), "the output of the winner");
    harness.fail("z", 500);
    assertCalled("undo-c");
    answer("undo-c");
    assertFaulted(id, 500, 2);
  }

  @Test
  void shouldTellLosersThatTheyWereCancelled() {
    harness.start(
        graph(
            race(
                "r",
                block("x", set("s", 1).compensate(tell("u", "error")), call("b")),
                call("d"))));
    answer("d");

    assertEquals("https://pinion.dev/errors/cancelled", body("u").json().get("type").asText());
    assertEquals(499, body("u").json().get("status").asInt());
    assertEquals("/do/0/r", body("u").json().get("instance").asText());
  }

  @Test
  void shouldLeaveARaceThatNobodyWinsToTheScopeAround() {
    InstanceId id =
        harness.start(
            graph(race("r", block("x", book("a"), call("b")), block("y", book("c"), call("d")))));
    answer("a", "c");
    harness.fail("b", 500);
    harness.fail("d", 503);

    answer("undo-c", "undo-a");
    assertFaulted(id, 503, 2);
  }

  @Test
  void shouldUndoEverythingWhenTheInstanceTakesTooLong() {
    InstanceId id =
        harness.start(graph("late", null, null, Duration.ofSeconds(5), book("a"), call("b")));
    answer("a");
    harness.advance(Duration.ofSeconds(6));

    assertTrue(isCalled("undo-a"));
    harness.advance(Duration.ofDays(1)); // there is no time-out any more
    answer("undo-a");
    assertEquals(ErrorType.TIMEOUT.uri(), harness.error(id).type());
  }

  @Test
  void shouldUndoEverythingWhenTheOutputOfTheWorkflowFails() {
    InstanceId id =
        harness.start(
            graph(
                "bad",
                null,
                (input, scope, budget) -> {
                  throw new ExpressionException("no such thing");
                },
                null,
                book("a")));
    answer("a");
    assertCalled("undo-a");
    answer("undo-a");
    assertEquals(ErrorType.EXPRESSION.uri(), harness.error(id).type());
  }

  @Test
  void shouldRunTheOtherCompensationsWhenOneFails() {
    InstanceId id = harness.start(graph(book("a"), book("b"), call("c")));
    answer("a", "b");
    harness.fail("c", 503);
    harness.fail("undo-b", 500);
    answer("undo-a");

    WorkflowError error = harness.error(id);
    assertEquals(503, error.status(), "the first error");
    assertEquals("answered 503; not compensated: /do/1/b", error.detail());
    CompensationStatus status = status(id);
    assertEquals(new CompensationStatus(false, 1, 0, 1, status.failures()), status);
    assertEquals("/do/1/b", status.failures().getFirst().task());
    assertEquals(500, status.failures().getFirst().error().status());
    assertEquals(
        "/do/1/b/metadata/pinion/compensate/0/undo-b",
        status.failures().getFirst().error().instance());
  }

  @Test
  void shouldRetryWithinACompensation() {
    InstanceId id =
        harness.start(
            graph(
                set("a", 1).compensate(attempt("t", handler().retry(1), call("u"))),
                raise("r", "urn:e", 418)));
    harness.fail("u", 503);
    answer("u");
    assertFaulted(id, 418, 1);
  }

  @Test
  void shouldEndACompensationEarly() {
    InstanceId id =
        harness.start(
            graph(
                set("a", 1).compensate(call("u").then(FlowDirective.END), call("never")),
                raise("r", "urn:e", 418)));
    answer("u");
    assertFaulted(id, 418, 1);
  }

  @Test
  void shouldNotCatchWhenATryCouldNotBeUndone() {
    InstanceId id =
        harness.start(
            graph(
                attempt(
                    "outer",
                    handler().run(call("h")),
                    attempt("inner", handler().run(call("never")), book("a"), call("b")))));
    answer("a");
    harness.fail("b", 503);
    harness.fail("undo-a", 500);

    assertCalled("h");
    answer("h");
    assertEquals(json("'h'"), harness.output(id), "what is around may take the error");
    assertEquals(1, status(id).failed(), "and clients are told all the same");
  }

  @Test
  void shouldFailARaceThatCouldNotUndoItsLosers() {
    InstanceId id = harness.start(graph(race("r", block("x", book("a"), call("b")), call("d"))));
    answer("a", "d");
    harness.fail("undo-a", 500);

    WorkflowError error = harness.error(id);
    assertEquals("https://pinion.dev/errors/cancelled", error.type());
    assertEquals(
        "another branch was the first to complete; not compensated:"
            + " /do/0/r/fork/branches/0/x/do/0/a",
        error.detail());
  }

  @Test
  void shouldBeginAnInterruptedCompensationOnceMoreUnderItsKey() {
    InstanceId id =
        harness.start(
            graph(
                attempt("t", handler(), book("a"), call("b")).timeout(Duration.ofSeconds(5)),
                call("z")));
    answer("a");
    harness.fail("b", 500);
    String key = header("undo-a", "Idempotency-Key");
    assertTrue(key.endsWith(".c1\""), key);
    assertEquals("1", header("undo-a", "Pinion-Attempt"));
    harness.advance(Duration.ofSeconds(6));

    harness.report(harness.call("undo-a"), CallOutcome.Aborted.INSTANCE);
    harness.settle();
    assertEquals(key, header("undo-a", "Idempotency-Key"));
    assertEquals("2", header("undo-a", "Pinion-Attempt"));
    answer("undo-a");
    assertEquals(ErrorType.TIMEOUT.uri(), harness.error(id).type());
    assertEquals(1, status(id).compensated());
  }

  @Test
  void shouldNameWhatIsDoneAnewByAnotherKey() {
    harness.start(graph(attempt("t", handler().retry(2), book("a"), call("b"))));
    String first = header("a", "Idempotency-Key");
    answer("a");
    harness.fail("b", 500);
    answer("undo-a");
    String second = header("a", "Idempotency-Key");

    assertFalse(first.equals(second), second);
    assertTrue(second.endsWith(".u1\""), second);
    harness.fail("a", 500); // nothing to undo, so the same run goes on
    assertEquals(second, header("a", "Idempotency-Key"));
  }

  private String header(String task, String name) {
    return HttpCalls.of(harness.call(task)).headers().stream()
        .filter(field -> field.name().equals(name))
        .map(HttpCall.HeaderField::value)
        .findFirst()
        .orElse("none");
  }
}
