package dev.pinion.core.kernel.step;

import static dev.pinion.core.kernel.Tasks.block;
import static dev.pinion.core.kernel.Tasks.call;
import static dev.pinion.core.kernel.Tasks.fork;
import static dev.pinion.core.kernel.Tasks.graph;
import static dev.pinion.core.kernel.Tasks.loop;
import static dev.pinion.core.kernel.Tasks.nothing;
import static dev.pinion.core.kernel.Tasks.parallel;
import static dev.pinion.core.kernel.Tasks.race;
import static dev.pinion.core.kernel.Tasks.set;
import static dev.pinion.core.kernel.Values.constant;
import static dev.pinion.core.kernel.Values.elements;
import static dev.pinion.core.kernel.Values.json;
import static dev.pinion.core.kernel.Values.map;
import static dev.pinion.core.kernel.Values.numbers;
import static dev.pinion.core.kernel.Values.plus;
import static dev.pinion.core.kernel.Values.variable;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.pinion.core.graph.ProcessGraph;
import dev.pinion.core.kernel.KernelHarness;
import dev.pinion.core.kernel.Tasks;
import dev.pinion.core.kernel.Values;
import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.ExpressionException;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Input, output, export, context, variables and the pointers of errors. */
class DataFlowTest {
  @RegisterExtension final KernelHarness harness = new KernelHarness();

  /** The context with one more member. */
  private static Expression<Payload> withMember(String name, Payload value) {
    return (input, scope, budget) -> {
      Map<String, Payload> members = new LinkedHashMap<>();
      Payload context = Objects.requireNonNull(scope.variable("context"));
      context
          .json()
          .properties()
          .forEach(old -> members.put(old.getKey(), Payload.of(old.getValue())));
      members.put(name, value);
      return Payload.object(members);
    };
  }

  private static <T> Expression<T> failing(String detail) {
    return (input, scope, budget) -> {
      throw new ExpressionException(detail);
    };
  }

  @Test
  void shouldTransformInputAndOutputOfATask() {
    ProcessGraph graph = graph(set("a", plus(10)).from(plus(1)).as(plus(100)));

    assertEquals(json("111"), harness.run(graph, json("0")));
  }

  @Test
  void shouldTransformInputAndOutputOfTheWorkflow() {
    ProcessGraph graph = graph("test", plus(1), plus(100), null, set("a", plus(10)));

    assertEquals(json("111"), harness.run(graph, json("0")));
  }

  @Test
  void shouldBeginWithTheTransformedWorkflowInputAsContext() {
    ProcessGraph graph =
        graph(
            "test",
            constant(json("{'a':1}")),
            null,
            null,
            set("b", 2),
            set("c", variable("context")));

    assertEquals(json("{'a':1}"), harness.run(graph));
  }

  @Test
  void shouldExportTheTransformedOutputAndSeeIt() {
    ProcessGraph graph =
        graph(
            set("a", 1).as(plus(1)).export(map(output -> Payload.array(List.of(output)))),
            block("b", set("c", variable("context"))));

    assertEquals(json("[2]"), harness.run(graph));
  }

  @Test
  void shouldShowTheTransformedInputAndOutputInScope() {
    ProcessGraph graph =
        graph(
            set("a", 5)
                .from(constant(json("4")))
                .as(variable("input"))
                .export((input, scope, budget) -> Objects.requireNonNull(scope.variable("output"))),
            set("b", variable("context")));

    assertEquals(json("4"), harness.run(graph));
  }

  @Test
  void shouldDescribeTaskAndWorkflow() {
    ProcessGraph graph =
        graph(block("outer", set("a", variable("task")).from(constant(json("9")))));

    InstanceId id = harness.start(graph, json("{'x':1}"));

    var task = harness.output(id).json();
    assertEquals("a", task.get("name").asText());
    assertEquals("/do/0/outer/do/0/a", task.get("reference").asText());
    assertEquals(json("{'x':1}").json(), task.get("input"));
    assertEquals("2023-11-14T22:13:20Z", task.get("startedAt").get("iso8601").asText());
    var workflow = harness.run(graph(set("b", variable("workflow"))), json("3")).json();
    assertEquals(3, workflow.get("input").asInt());
    assertEquals(
        1_700_000_000_000L, workflow.get("startedAt").get("epoch").get("milliseconds").asLong());
  }

  @Test
  void shouldCheckSchemasWithoutChangingValues() {
    ProcessGraph graph =
        graph(
            set("a", 1)
                .inputSchema(constant(json("-1")))
                .outputSchema(constant(json("-2")))
                .export(Values.INPUT)
                .exportSchema(constant(json("-3"))),
            set("b", variable("context")));

    assertEquals(json("1"), harness.run(graph));
  }

  @Test
  void shouldNotExportWhatItsSchemaRefuses() {
    WorkflowError error =
        harness.error(
            harness.start(
                graph(
                    block("a", set("b", 1).export(Values.INPUT).exportSchema(failing("not so"))))));

    assertEquals(ErrorType.EXPRESSION.uri(), error.type());
    assertEquals("not so", error.detail());
    assertEquals("/do/0/a/do/0/b", error.instance());
  }

  @Test
  void shouldCheckTheContextThatATaskWithoutExportLeaves() {
    Expression<Payload> check =
        (input, scope, budget) -> {
          throw new ExpressionException("refused " + input);
        };
    ProcessGraph graph =
        graph("test", constant(json("{'a':1}")), null, null, set("b", 2).exportSchema(check));

    WorkflowError error = harness.error(harness.start(graph));

    assertEquals("refused " + json("{'a':1}"), error.detail());
    assertEquals("/do/0/b", error.instance());
  }

  @Test
  void shouldPointAtTheTaskThatFailed() {
    ProcessGraph graph =
        graph(set("a", 1), fork("f", set("x", 1), block("y", loop("l", numbers(2), call("c")))));

    InstanceId id = harness.start(graph);
    harness.fail("c", 404);

    WorkflowError error = harness.error(id);
    assertEquals("/do/1/f/fork/branches/1/y/do/0/l/do/0/c", error.instance());
    assertEquals(404, error.status());
  }

  @Test
  void shouldPointAtTheRootWhenTheWorkflowItselfFails() {
    assertEquals(
        "/",
        harness
            .error(harness.start(graph("t", failing("x"), null, null, nothing("a"))))
            .instance());
    assertEquals(
        "/",
        harness
            .error(harness.start(graph("u", null, failing("x"), null, nothing("a"))))
            .instance());
  }

  @Test
  void shouldKeepTheInstanceThatARaisedErrorNames() {
    WorkflowError named = new WorkflowError("urn:e", 418, null, null, "/elsewhere");

    assertEquals(named, harness.error(harness.start(graph(Tasks.raise("r", constant(named))))));
  }

  @Test
  void shouldGiveEachBranchItsOwnContextAndMergeThemInOrder() {
    ProcessGraph graph =
        graph(
            nothing("begin").export(constant(json("{'kept':1,'gone':2}"))),
            fork(
                "f",
                block(
                    "one",
                    nothing("a").export(withMember("x", json("1"))),
                    set("seen", variable("context"))),
                block(
                    "two",
                    nothing("b").export(constant(json("{'kept':1,'x':2,'y':2}"))),
                    set("seen2", variable("context")))),
            set("branches", Values.INPUT).export(Values.INPUT).export(withMember("z", json("3"))),
            set(
                "end",
                (input, scope, budget) ->
                    Payload.array(
                        List.of(input, Objects.requireNonNull(scope.variable("context"))))));

    assertEquals(
        json("[[{'kept':1,'gone':2,'x':1},{'kept':1,'x':2,'y':2}],{'kept':1,'x':2,'y':2,'z':3}]"),
        harness.run(graph));
  }

  @Test
  void shouldTakeTheContextOfTheWinner() {
    ProcessGraph graph =
        graph(
            nothing("begin").export(constant(json("{'a':1}"))),
            race(
                "r",
                block("lost", nothing("l").export(constant(json("{'lost':1}"))), call("slow")),
                block("won", call("quick"), nothing("w").export(withMember("won", json("1"))))),
            set("end", variable("context")));

    InstanceId id = harness.start(graph);
    harness.answer("quick", json("1"));

    assertEquals(json("{'a':1,'won':1}"), harness.output(id));
  }

  @Test
  void shouldMergeContextsOfParallelItems() {
    Expression<Payload> export =
        (input, scope, budget) ->
            withMember(
                    "m" + scope.variable("index"), Objects.requireNonNull(scope.variable("item")))
                .evaluate(input, scope, budget);
    ProcessGraph graph =
        graph(
            nothing("begin").export(constant(json("{}"))),
            parallel("p", 2, elements(), nothing("a").export(export)),
            set("end", variable("context")));

    assertEquals(json("{'m0':7,'m1':8,'m2':9}"), harness.run(graph, json("[7,8,9]")));
  }

  @Test
  void shouldSeeTheInnermostLoopVariable() {
    Expression<Payload> seen =
        (input, scope, budget) ->
            Payload.array(
                List.of(
                    Objects.requireNonNull(scope.variable("item")),
                    Objects.requireNonNull(scope.variable("index")),
                    Objects.requireNonNull(scope.variable("outer"))));
    ProcessGraph graph =
        graph(
            Tasks.loop(
                "l",
                "outer",
                "index",
                elements(),
                null,
                parallel(
                    "p",
                    1,
                    constant(List.of(json("'x'"))),
                    block(
                        "b",
                        loop("m", constant(List.of(json("'y'"))), nothing("n")),
                        set("s", seen)))));

    assertEquals(json("[['x',0,2]]"), harness.run(graph, json("[1,2]")));
  }

  @Test
  void shouldEvaluateTheItemsOfALoopOutsideIt() {
    // given an inner loop of the same variable, whose items are made from the outer one
    Expression<List<Payload>> twice =
        (input, scope, budget) -> {
          Payload outer = Objects.requireNonNull(scope.variable("item"));
          return List.of(outer, outer);
        };
    ProcessGraph graph =
        graph(
            loop(
                "l",
                constant(List.of(json("1"), json("20"))),
                loop(
                    "m",
                    twice,
                    set(
                        "s",
                        (input, scope, budget) ->
                            Payload.of(
                                input.json().asInt()
                                    + Objects.requireNonNull(scope.variable("item"))
                                        .json()
                                        .asInt())))));

    assertEquals(json("42"), harness.run(graph, json("0")));
  }

  @Test
  void shouldForgetLoopVariablesBehindTheLoop() {
    ProcessGraph graph =
        graph(
            loop("l", numbers(2), nothing("n")).as(variable("item")).export(variable("index")),
            set(
                "s",
                (input, scope, budget) ->
                    Payload.array(
                        List.of(input, Objects.requireNonNull(scope.variable("context"))))));

    assertEquals(json("[null,null]"), harness.run(graph));
  }
}
