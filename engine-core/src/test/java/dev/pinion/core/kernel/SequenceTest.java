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
import static dev.pinion.core.kernel.Tasks.set;
import static dev.pinion.core.kernel.Values.json;
import static dev.pinion.core.kernel.Values.numbers;
import static dev.pinion.core.kernel.Values.plus;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.graph.FlowDirective;
import dev.pinion.core.graph.ProcessGraph;
import dev.pinion.core.kernel.Tasks.Option;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.instance.InstanceState;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code do}, {@code set}, {@code call}, {@code switch} and flow directives. */
class SequenceTest {
  @RegisterExtension final KernelHarness harness = new KernelHarness();

  @Test
  void shouldGiveEachTaskTheOutputOfTheOneBefore() {
    ProcessGraph graph =
        graph(set("a", plus(1)), block("b", set("c", plus(10)), set("d", plus(100))));

    assertEquals(json("111"), harness.run(graph, json("0")));
    assertEquals(List.of("a", "b", "c", "d"), harness.entered);
  }

  @Test
  void shouldCallWithTheInputAndGoOnWithTheAnswer() {
    ProcessGraph graph = graph(set("a", 7), call("pets"), set("b", plus(1)));

    InstanceId id = harness.start(graph);

    assertEquals(json("7"), harness.call("pets").call().body());
    assertEquals(InstanceState.RUNNING, harness.state(id));
    harness.answer("pets", json("41"));
    assertEquals(json("42"), harness.output(id));
  }

  @ParameterizedTest
  @CsvSource({"1, 100", "2, 200", "3, 300", "4, 300"})
  void shouldTakeTheFirstCaseThatMatches(long input, long expected) {
    // given a default that is declared last, and two cases that both match 2
    ProcessGraph graph =
        graph(
            choose(
                "which",
                Option.when(Values.test(value -> value.json().asInt() == 1), "one"),
                Option.when(Values.test(value -> value.json().asInt() == 2), "two"),
                Option.when(Values.test(value -> value.json().asInt() <= 2), "one"),
                Option.otherwise("many")),
            set("one", 100).then(FlowDirective.EXIT),
            set("two", 200).then(FlowDirective.EXIT),
            set("many", 300).then(FlowDirective.EXIT));

    assertEquals(Payload.of(expected), harness.run(graph, Payload.of(input)));
  }

  @Test
  void shouldGoOnBehindASwitchWithoutAMatch() {
    ProcessGraph graph =
        graph(
            choose("which", Option.when(Values.constant(false), "never")),
            set("next", plus(1)).then(FlowDirective.EXIT),
            set("never", -1));

    assertEquals(json("6"), harness.run(graph, json("5")));
  }

  @Test
  void shouldFollowADirectiveOfASwitch() {
    ProcessGraph graph =
        graph(
            block(
                "inner", choose("which", Option.otherwise(FlowDirective.EXIT)), set("skipped", -1)),
            choose("end", Option.otherwise(FlowDirective.END)),
            set("never", -2));

    assertEquals(json("5"), harness.run(graph, json("5")));
    assertEquals(List.of("inner", "which", "end"), harness.entered);
  }

  @Test
  void shouldJumpForwardsAndBackwards() {
    ProcessGraph graph =
        graph(
            set("a", plus(1)).then("c"),
            set("b", plus(1000)).then(FlowDirective.EXIT),
            set("c", plus(10)),
            choose(
                "d",
                Option.when(Values.test(value -> value.json().asInt() < 30), "a"),
                Option.otherwise("b")));

    assertEquals(json("1033"), harness.run(graph, json("0")));
  }

  @Test
  void shouldLeaveOnlyItsOwnBlockOnExit() {
    ProcessGraph graph =
        graph(
            block(
                "outer",
                block("inner", set("a", 1).then(FlowDirective.EXIT), set("b", 2)),
                set("c", plus(10))),
            set("d", plus(100)));

    assertEquals(json("111"), harness.run(graph));
  }

  @Test
  void shouldEndTheIterationOnExitFromALoop() {
    ProcessGraph graph =
        graph(
            loop(
                "loop",
                numbers(3),
                set("a", plus(1)).then(FlowDirective.EXIT),
                set("b", plus(1000))));

    assertEquals(json("3"), harness.run(graph, json("0")));
  }

  @Test
  void shouldEndTheWorkflowFromDeepInside() {
    ProcessGraph graph =
        graph(
            "test",
            null,
            Values.map(output -> Payload.array(List.of(output))),
            null,
            loop(
                "loop",
                numbers(3),
                attempt("try", handler(), block("inner", set("a", 5).then(FlowDirective.END)))),
            set("never", -1));

    assertEquals(json("[5]"), harness.run(graph));
  }

  @Test
  void shouldAbortTheOtherBranchesWhenOneEndsTheWorkflow() {
    ProcessGraph graph =
        graph(
            fork("fork", call("slow"), set("quick", 5).then(FlowDirective.END)), set("never", -1));

    InstanceId id = harness.start(graph);

    assertEquals(json("5"), harness.output(id));
    assertEquals(1, harness.aborts.size());
    assertEquals(harness.call("slow").attempt(), harness.aborts.get(0).attempt());
  }

  @Test
  void shouldPassTheRawInputOfASkippedTaskOn() {
    ProcessGraph graph =
        graph(
            set("a", 5),
            call("skipped")
                .when(Values.test(input -> input.json().asInt() != 5))
                .from(Values.constant(json("-1")))
                .as(Values.constant(json("-2"))),
            set("b", plus(1)));

    assertEquals(json("6"), harness.run(graph));
    assertTrue(harness.calls.isEmpty());
  }

  @Test
  void shouldGoOnBehindASkippedTaskWhateverItsDirective() {
    ProcessGraph graph =
        graph(nothing("a").when(Values.constant(false)).then(FlowDirective.END), set("b", 1));

    assertEquals(json("1"), harness.run(graph));
  }

  @Test
  void shouldTellHowManyEventsAnInstanceSaw() {
    InstanceId id = harness.start(graph(call("a"), call("b")));
    harness.answer("a", json("1"));

    assertEquals(1, harness.view(id).sequence());
    harness.answer("b", json("2"));
    assertEquals(2, harness.view(id).sequence());
  }
}
