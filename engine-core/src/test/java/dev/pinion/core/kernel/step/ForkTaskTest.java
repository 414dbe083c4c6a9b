package dev.pinion.core.kernel.step;

import static dev.pinion.core.kernel.Tasks.attempt;
import static dev.pinion.core.kernel.Tasks.block;
import static dev.pinion.core.kernel.Tasks.call;
import static dev.pinion.core.kernel.Tasks.fork;
import static dev.pinion.core.kernel.Tasks.graph;
import static dev.pinion.core.kernel.Tasks.handler;
import static dev.pinion.core.kernel.Tasks.loop;
import static dev.pinion.core.kernel.Tasks.pause;
import static dev.pinion.core.kernel.Tasks.race;
import static dev.pinion.core.kernel.Tasks.raise;
import static dev.pinion.core.kernel.Tasks.set;
import static dev.pinion.core.kernel.Values.json;
import static dev.pinion.core.kernel.Values.numbers;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.kernel.KernelHarness;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.instance.InstanceState;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** {@code fork}, with and without {@code compete}. */
class ForkTaskTest {
  @RegisterExtension final KernelHarness harness = new KernelHarness();

  @Test
  void shouldRunBranchesSideBySideAndKeepTheirOrder() {
    InstanceId id = harness.start(graph(fork("f", call("a"), set("b", 2), call("c"))), json("7"));

    assertEquals(json("7"), harness.call("a").call().body());
    assertEquals(json("7"), harness.call("c").call().body());
    harness.answer("c", json("3"));
    harness.answer("a", json("1"));

    assertEquals(json("[1,2,3]"), harness.output(id));
  }

  @Test
  void shouldFaultAndAbortWhenABranchFails() {
    InstanceId id =
        harness.start(graph(fork("f", call("a"), call("b"), pause("c", Duration.ofDays(1)))));

    harness.fail("b", 500);

    assertEquals("/do/0/f/fork/branches/1/b", harness.error(id).instance());
    assertEquals(1, harness.aborts.size());
    assertEquals(0, harness.kernel().router().timers().size());
  }

  @Test
  void shouldTakeTheFirstToCompleteAndAbortTheOthers() {
    InstanceId id = harness.start(graph(race("r", call("a"), call("b"), call("c"))));

    harness.answer("b", json("'won'"));

    assertEquals(json("'won'"), harness.output(id));
    assertEquals(2, harness.aborts.size());
    assertEquals(
        3, harness.kernel().router().calls().used() + 1, "losers hold permits until reported");
  }

  @Test
  void shouldLoseOnlyTheCompetitorThatFails() {
    InstanceId id = harness.start(graph(race("r", call("a"), call("b"))));

    harness.fail("a", 500);
    assertEquals(InstanceState.RUNNING, harness.state(id));
    harness.answer("b", json("'won'"));

    assertEquals(json("'won'"), harness.output(id));
  }

  @Test
  void shouldFaultWithTheLastErrorWhenAllCompetitorsFail() {
    InstanceId id = harness.start(graph(race("r", call("a"), call("b"))));

    harness.fail("b", 501);
    harness.fail("a", 502);

    assertEquals(502, harness.error(id).status());
    assertEquals("/do/0/r/fork/branches/0/a", harness.error(id).instance());
  }

  @Test
  void shouldCatchWhatAllCompetitorsFailedWith() {
    var graph =
        graph(
            attempt(
                "t",
                handler().run(set("handled", 1)),
                race("r", raise("a", "urn:a", 400), raise("b", "urn:b", 400))));

    assertEquals(json("1"), harness.run(graph));
  }

  @Test
  void shouldLetTheFirstDeclaredWinWhenAllAreDoneAtOnce() {
    assertEquals(json("1"), harness.run(graph(race("r", set("a", 1), set("b", 2)))));
    assertEquals(
        json("2"), harness.run(graph(race("r", block("slower", set("a", 1)), set("b", 2)))));
  }

  @Test
  void shouldNestForks() {
    var graph =
        graph(fork("f", fork("g", set("a", 1), call("b")), race("h", call("c"), call("d"))));

    InstanceId id = harness.start(graph);
    harness.answer("d", json("4"));
    harness.answer("b", json("2"));

    assertEquals(json("[[1,2],4]"), harness.output(id));
  }

  @Test
  void shouldForkInEveryIterationOfALoop() {
    InstanceId id = harness.start(graph(loop("l", numbers(2), fork("f", call("a"), call("b")))));
    for (int i = 0; i < 2; i++) {
      harness.answer("a", Payload.of(i));
      harness.answer("b", Payload.of(10 + i));
    }

    assertEquals(json("[1,11]"), harness.output(id));
  }

  @Test
  void shouldAnswerAForkWithoutBranches() {
    assertEquals(json("[]"), harness.run(graph(fork("f")), json("1")));
    assertEquals(json("1"), harness.run(graph(race("r")), json("1")));
    assertTrue(harness.calls.isEmpty());
  }
}
