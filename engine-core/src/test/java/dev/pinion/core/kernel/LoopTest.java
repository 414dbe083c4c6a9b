package dev.pinion.core.kernel;

import static dev.pinion.core.kernel.Tasks.call;
import static dev.pinion.core.kernel.Tasks.graph;
import static dev.pinion.core.kernel.Tasks.loop;
import static dev.pinion.core.kernel.Tasks.parallel;
import static dev.pinion.core.kernel.Tasks.set;
import static dev.pinion.core.kernel.Values.elements;
import static dev.pinion.core.kernel.Values.json;
import static dev.pinion.core.kernel.Values.numbers;
import static dev.pinion.core.kernel.Values.plus;
import static dev.pinion.core.kernel.Values.variable;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.graph.ProcessGraph;
import dev.pinion.core.message.Effect;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The {@code for} task and the parallel loop. */
class LoopTest {
  @RegisterExtension final KernelHarness harness = new KernelHarness();

  private static final Expression<Payload> ADD_ITEM =
      (input, scope, budget) ->
          Payload.of(
              input.json().asLong()
                  + Objects.requireNonNull(scope.variable("item")).json().asLong());

  @Test
  void shouldFoldOverItems() {
    ProcessGraph graph =
        graph(loop("l", Values.constant(Values.elementsOf(json("[1,2,3]"))), set("s", ADD_ITEM)));

    assertEquals(json("106"), harness.run(graph, json("100")));
  }

  @Test
  void shouldAnswerWithItsInputWhenThereAreNoItems() {
    assertEquals(json("[]"), harness.run(graph(loop("l", elements(), set("s", -1))), json("[]")));
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "3, 3", "9, 5"})
  void shouldGoOnWhileTheConditionHolds(int bound, long expected) {
    ProcessGraph graph =
        graph(
            loop(
                "l",
                "item",
                "index",
                numbers(5),
                Values.test(value -> value.json().asInt() < bound),
                set("s", plus(1))));

    assertEquals(Payload.of(expected), harness.run(graph, json("0")));
  }

  @Test
  void shouldSeeTheItemInTheCondition() {
    ProcessGraph graph =
        graph(
            loop(
                "l",
                "pet",
                "at",
                numbers(5),
                (input, scope, budget) ->
                    Objects.requireNonNull(scope.variable("pet")).json().asInt() < 2,
                set("s", variable("at"))));

    assertEquals(json("1"), harness.run(graph));
  }

  @Test
  void shouldRunIterationsOneAfterAnother() {
    InstanceId id = harness.start(graph(loop("l", numbers(2), call("c"))), json("'first'"));

    assertEquals(1, harness.calls.size());
    harness.answer("c", json("'second'"));
    assertEquals(json("'second'"), harness.call("c").call().body());
    harness.answer("c", json("'third'"));
    assertEquals(json("'third'"), harness.output(id));
  }

  @Test
  void shouldKeepTheOrderOfItemsWhateverTheOrderOfAnswers() {
    ProcessGraph graph = graph(parallel("p", 0, elements(), call("c")));

    InstanceId id = harness.start(graph, json("[10,20,30]"));
    List<Effect.Invoke> calls = List.copyOf(harness.calls);
    assertEquals(3, calls.size());
    harness.answer(calls.get(2), json("'c'"));
    harness.answer(calls.get(0), json("'a'"));
    harness.answer(calls.get(1), json("'b'"));

    assertEquals(json("['a','b','c']"), harness.output(id));
  }

  @Test
  void shouldGiveEveryItemTheSameInput() {
    ProcessGraph graph =
        graph(parallel("p", 1, numbers(3), set("s", ADD_ITEM)).from(Values.constant(json("10"))));

    assertEquals(json("[10,11,12]"), harness.run(graph));
  }

  @Test
  void shouldRunNoMoreItemsAtATimeThanAllowed() {
    InstanceId id = harness.start(graph(parallel("p", 2, numbers(5), call("c"))));

    int calls = 0;
    while (!harness.calls.isEmpty()) {
      assertTrue(harness.calls.size() <= 2, "two at a time");
      assertEquals(Math.min(2, 5 - calls), harness.calls.size());
      harness.answer(harness.calls.get(0), Payload.of(calls++));
    }

    assertEquals(json("[0,1,2,3,4]"), harness.output(id));
  }

  @Test
  void shouldAnswerWithAnEmptyArrayWhenNothingIsParallel() {
    assertEquals(
        json("[]"), harness.run(graph(parallel("p", 3, elements(), call("c"))), json("[]")));
  }

  @Test
  void shouldAbortTheOtherItemsWhenOneFails() {
    InstanceId id = harness.start(graph(parallel("p", 0, numbers(3), call("c"))));

    harness.fail(harness.calls.get(1), 500);

    assertEquals("/do/0/p/with/do/0/c", harness.error(id).instance());
    assertEquals(2, harness.aborts.size());
  }
}
