package dev.pinion.core.kernel.step;

import static dev.pinion.core.kernel.Tasks.block;
import static dev.pinion.core.kernel.Tasks.graph;
import static dev.pinion.core.kernel.Tasks.loop;
import static dev.pinion.core.kernel.Tasks.parallel;
import static dev.pinion.core.kernel.Tasks.pause;
import static dev.pinion.core.kernel.Tasks.set;
import static dev.pinion.core.kernel.Values.constant;
import static dev.pinion.core.kernel.Values.json;
import static dev.pinion.core.kernel.Values.numbers;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.kernel.KernelHarness;
import dev.pinion.core.kernel.TaskSpec;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Field fault 1: the values of a large instance are not examined at the end of each task. */
class MemoryAccountCostTest {
  private static final int BOUND = 4 << 20;
  private static final int ITEMS = 500;

  /** A value larger than a sixteenth of the bound. */
  private static final Payload LARGE = json("[" + "{\"a\":1},".repeat(1_999) + "{\"a\":1}]");

  private final KernelHarness harness =
      new KernelHarness(Map.of("kernel.maxHeldBytes", BOUND, "instance.maxItems", ITEMS));

  static Stream<Arguments> shapes() {
    TaskSpec one = set("a", constant(LARGE));
    TaskSpec small = set("s", constant(json("1")));
    TaskSpec nested = block("b", small, block("d", one));
    TaskSpec toAndFro = block("b", one, small, set("d", constant(LARGE)));
    return Stream.of(
        Arguments.of("for", loop("l", numbers(ITEMS), one)),
        Arguments.of("for, nested", loop("l", numbers(ITEMS), nested)),
        Arguments.of("for, to and fro", loop("l", numbers(ITEMS), toAndFro)),
        Arguments.of("parallel", parallel("p", 1, numbers(ITEMS), block("b", one, one), small)),
        Arguments.of("parallel, many", parallel("p", 10, numbers(ITEMS), nested, small)));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("shapes")
  void shouldLookAtFewValuesForEachTask(String kind, TaskSpec task) {
    harness.journal.withoutComparison();
    Payload input = LARGE;
    long request =
        harness.offerStart(0, graph(task, pause("w", Duration.ofHours(1))), input, false);
    harness.settle();
    InstanceId id = harness.accepted(request);
    Instance instance = Objects.requireNonNull(harness.kernel().instances().running(id));

    long looks = harness.kernel().memoryAccount().looks();
    assertTrue(instance.roomChecks > ITEMS, "checks " + instance.roomChecks);
    assertTrue(looks > 0, "charged anew at times");
    assertTrue(
        looks < 3 * (64L * instance.roomChecks + ITEMS),
        kind + ": " + looks + " looks in " + instance.roomChecks + " checks");
  }

  /** Values charged more than once in the meantime are no reason to fault. */
  @Test
  void shouldChargeAnewBeforeAnInstanceFaults() {
    KernelHarness small = new KernelHarness(Map.of("kernel.maxHeldBytes", 3 * LARGE.heapBytes()));
    small.journal.withoutComparison();
    InstanceId id =
        small.start(
            graph(
                parallel(
                    "p",
                    20,
                    numbers(40),
                    block("b", pause("w", Duration.ofSeconds(1)), set("s", constant(json("1")))))),
            LARGE);
    small.advance(Duration.ofSeconds(4));

    assertEquals(40, small.output(id).json().size());
    small.finish();
  }
}
