package dev.pinion.core.kernel.step;

import static dev.pinion.core.kernel.Tasks.attempt;
import static dev.pinion.core.kernel.Tasks.block;
import static dev.pinion.core.kernel.Tasks.call;
import static dev.pinion.core.kernel.Tasks.fork;
import static dev.pinion.core.kernel.Tasks.graph;
import static dev.pinion.core.kernel.Tasks.handler;
import static dev.pinion.core.kernel.Tasks.nothing;
import static dev.pinion.core.kernel.Tasks.raise;
import static dev.pinion.core.kernel.Tasks.set;
import static dev.pinion.core.kernel.Values.json;
import static dev.pinion.core.kernel.Values.plus;
import static dev.pinion.core.kernel.Values.variable;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.pinion.core.graph.FlowDirective;
import dev.pinion.core.graph.ProcessGraph;
import dev.pinion.core.kernel.KernelHarness;
import dev.pinion.core.kernel.Values;
import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.ExpressionException;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** {@code try} and {@code catch}, without retries. */
class TryTaskTest {
  @RegisterExtension final KernelHarness harness = new KernelHarness();

  private static Expression<Boolean> status(int status) {
    return Values.test(error -> error.json().get("status").asInt() == status);
  }

  private static Expression<Boolean> caughtStatus(String variable, int status) {
    return (input, scope, budget) ->
        Objects.requireNonNull(scope.variable(variable)).json().get("status").asInt() == status;
  }

  @Test
  void shouldAnswerWithTheBodyWhenNothingFails() {
    assertEquals(
        json("3"), harness.run(graph(attempt("t", handler().run(set("h", -1)), set("a", 3)))));
  }

  @Test
  void shouldGoOnWithItsInputWhenThereIsNothingToDoAboutAnError() {
    ProcessGraph graph =
        graph(
            attempt("t", handler(), set("a", 3), raise("r", "urn:e", 400)).from(plus(1)),
            set("b", plus(10)));

    assertEquals(json("12"), harness.run(graph, json("1")));
  }

  @Test
  void shouldHandleTheErrorWithTheTransformedInput() {
    ProcessGraph graph =
        graph(
            attempt("t", handler().run(set("h", plus(100))), raise("r", "urn:e", 400))
                .from(plus(1))
                .as(plus(1000)));

    assertEquals(json("1102"), harness.run(graph, json("1")));
  }

  @Test
  void shouldShowTheErrorToItsHandler() {
    ProcessGraph graph =
        graph(attempt("t", handler().as("oops").run(set("h", variable("oops"))), call("c")));

    InstanceId id = harness.start(graph);
    harness.fail("c", 503);

    assertEquals(
        json(
            "{'type':'"
                + ErrorType.COMMUNICATION.uri()
                + "','status':503,"
                + "'title':'Communication Error','detail':'answered 503','instance':'/do/0/t/try/0/c'}"),
        harness.output(id));
  }

  @Test
  void shouldCatchErrorsOfExpressions() {
    Expression<Payload> failing =
        (input, scope, budget) -> {
          throw new ExpressionException("no such thing");
        };
    ProcessGraph graph =
        graph(attempt("t", handler().run(set("h", variable("error"))), set("a", failing)));

    Payload error = harness.run(graph);

    assertEquals(ErrorType.EXPRESSION.uri(), error.json().get("type").asText());
    assertEquals("/do/0/t/try/0/a", error.json().get("instance").asText());
  }

  @Test
  void shouldCatchOnlyWhatTheFilterMatches() {
    ProcessGraph graph =
        graph(
            attempt(
                "outer",
                handler().matching(status(500)).run(set("caughtOutside", 2)),
                attempt(
                    "inner",
                    handler().matching(status(400)).run(set("caughtInside", 1)),
                    call("c"))));

    InstanceId inside = harness.start(graph);
    harness.fail("c", 400);
    InstanceId outside = harness.start(graph);
    harness.fail("c", 500);
    InstanceId nowhere = harness.start(graph);
    harness.fail("c", 503);

    assertEquals(json("1"), harness.output(inside));
    assertEquals(json("2"), harness.output(outside));
    assertEquals(503, harness.error(nowhere).status());
  }

  @Test
  void shouldCatchOnlyWhenTheConditionsSayso() {
    ProcessGraph graph =
        graph(
            attempt(
                "t",
                handler()
                    .as("e")
                    .when(Values.test(input -> input.json().asInt() == 1))
                    .exceptWhen(caughtStatus("e", 404)),
                call("c")));

    InstanceId caught = harness.start(graph, json("1"));
    harness.fail("c", 500);
    InstanceId notWanted = harness.start(graph, json("2"));
    harness.fail("c", 500);
    InstanceId excepted = harness.start(graph, json("1"));
    harness.fail("c", 404);

    assertEquals(json("1"), harness.output(caught));
    assertEquals(500, harness.error(notWanted).status());
    assertEquals(404, harness.error(excepted).status());
  }

  @Test
  void shouldFollowTheDirectiveOfTheCatchOnlyAfterAnError() {
    ProcessGraph graph =
        graph(
            attempt("t", handler().run(set("h", plus(100))).then("c"), call("call")).then("b"),
            set("a", -1),
            set("b", plus(10)).then(FlowDirective.EXIT),
            set("c", plus(1)));

    InstanceId failed = harness.start(graph, json("0"));
    harness.fail("call", 500);
    InstanceId fine = harness.start(graph, json("0"));
    harness.answer("call", json("5"));

    assertEquals(json("101"), harness.output(failed));
    assertEquals(json("15"), harness.output(fine));
  }

  @Test
  void shouldFollowTheDirectiveOfACatchWithoutTasks() {
    ProcessGraph graph =
        graph(
            attempt("t", handler().then(FlowDirective.END), raise("r", "urn:e", 400)),
            set("never", -1));

    assertEquals(json("7"), harness.run(graph, json("7")));
  }

  @Test
  void shouldLetErrorsOfTheHandlerGoOutwards() {
    ProcessGraph graph =
        graph(
            attempt(
                "outer",
                handler().as("e").run(set("h", variable("e"))),
                attempt(
                    "inner",
                    handler().run(raise("again", "urn:second", 502)),
                    raise("r", "urn:first", 501))));

    Payload error = harness.run(graph);

    assertEquals("urn:second", error.json().get("type").asText());
    assertEquals("/do/0/outer/try/0/inner/catch/do/0/again", error.json().get("instance").asText());
  }

  @Test
  void shouldLetAFailingConditionGoOutwards() {
    Expression<Boolean> failing =
        (input, scope, budget) -> {
          throw new ExpressionException("cannot tell");
        };
    ProcessGraph graph = graph(attempt("t", handler().when(failing), raise("r", "urn:first", 501)));

    assertEquals("cannot tell", harness.error(harness.start(graph)).detail());
  }

  @Test
  void shouldNotCatchErrorsOfItsOwnInputAndOutput() {
    Expression<Payload> failing =
        (input, scope, budget) -> {
          throw new ExpressionException("not here");
        };
    ProcessGraph onInput = graph(attempt("t", handler(), nothing("a")).from(failing));
    ProcessGraph onOutput = graph(attempt("t", handler(), nothing("a")).as(failing));

    assertEquals("/do/0/t", harness.error(harness.start(onInput)).instance());
    assertEquals("/do/0/t", harness.error(harness.start(onOutput)).instance());
  }

  @Test
  void shouldAbortEverythingInsideBeforeItHandlesAnError() {
    ProcessGraph graph =
        graph(attempt("t", handler().run(call("h")), fork("f", call("a"), block("b", call("c")))));

    InstanceId id = harness.start(graph);
    harness.fail("c", 500);

    assertEquals(1, harness.aborts.size());
    harness.answer("h", json("'handled'"));
    assertEquals(json("'handled'"), harness.output(id));
  }

  @Test
  void shouldSeeTheOutermostErrorInsideAHandlerOfAnotherName() {
    ProcessGraph graph =
        graph(
            attempt(
                "outer",
                handler()
                    .as("e")
                    .run(
                        attempt(
                            "inner",
                            handler()
                                .as("f")
                                .run(
                                    set(
                                        "h",
                                        (input, scope, budget) ->
                                            Payload.array(
                                                List.of(
                                                    status(scope.variable("e")),
                                                    status(scope.variable("f")))))),
                            raise("second", "urn:2", 402))),
                raise("first", "urn:1", 401)));

    assertEquals(json("[401,402]"), harness.run(graph));
  }

  private static Payload status(@org.jspecify.annotations.Nullable Payload error) {
    return Payload.of(Objects.requireNonNull(error).json().get("status"));
  }

  @Test
  void shouldHideTheErrorOfAnEarlierAttemptFromTheBody() {
    ProcessGraph graph =
        graph(attempt("t", handler().retry(1), call("c"), set("s", variable("error"))));

    InstanceId id = harness.start(graph);
    harness.fail("c", 500);
    harness.answer("c", json("1"));

    assertEquals(json("null"), harness.output(id));
  }
}
