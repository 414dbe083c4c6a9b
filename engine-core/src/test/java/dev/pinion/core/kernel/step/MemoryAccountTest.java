package dev.pinion.core.kernel.step;

import static dev.pinion.core.kernel.Tasks.attempt;
import static dev.pinion.core.kernel.Tasks.block;
import static dev.pinion.core.kernel.Tasks.fork;
import static dev.pinion.core.kernel.Tasks.graph;
import static dev.pinion.core.kernel.Tasks.handler;
import static dev.pinion.core.kernel.Tasks.loop;
import static dev.pinion.core.kernel.Tasks.nothing;
import static dev.pinion.core.kernel.Tasks.parallel;
import static dev.pinion.core.kernel.Tasks.pause;
import static dev.pinion.core.kernel.Tasks.race;
import static dev.pinion.core.kernel.Tasks.raise;
import static dev.pinion.core.kernel.Tasks.set;
import static dev.pinion.core.kernel.Values.constant;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.kernel.KernelHarness;
import dev.pinion.core.kernel.TaskSpec;
import dev.pinion.core.model.Payload;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Charges of sleeping instances. */
class MemoryAccountTest {
  private static final Payload INPUT = text(100);
  private static final Payload LARGE = text(1_000);
  private static final Payload SMALL = text(10);

  @RegisterExtension final KernelHarness harness = new KernelHarness();

  private static Payload text(int weight) {
    return Payload.of("x".repeat(weight - 2));
  }

  private static TaskSpec sleep() {
    return pause("sleep", Duration.ofDays(1));
  }

  private void assertHeld(long expected, TaskSpec... tasks) {
    harness.start(graph(tasks), INPUT);
    assertEquals(1, harness.kernel().router().timers().size(), "asleep");
    Instance instance =
        Objects.requireNonNull(
            harness
                .kernel()
                .instances()
                .running(harness.kernel().instances().runningIds().getFirst()));
    assertEquals(expected, instance.heldBytes());
    // two bytes for a character, and objects around them
    assertTrue(instance.heapBytes > 2 * expected - 100, "" + instance.heapBytes);
    assertEquals(
        600 + 250 * instance.activities() + instance.heapBytes,
        harness.kernel().memoryAccount().heapBytes());
  }

  static Stream<Arguments> passed() {
    List<Payload> two = List.of(LARGE, LARGE);
    return Stream.of(
        Arguments.of("set", set("t", constant(LARGE))),
        Arguments.of("block", block("t", set("a", constant(LARGE)), set("b", constant(LARGE)))),
        Arguments.of("loop", loop("t", constant(two), set("a", constant(LARGE)))),
        Arguments.of("parallel", parallel("t", 1, constant(two), set("a", constant(LARGE)))),
        Arguments.of("fork", fork("t", set("a", constant(LARGE)), set("b", constant(LARGE)))),
        Arguments.of("race", race("t", set("a", constant(LARGE)), set("b", constant(LARGE)))),
        Arguments.of("input", nothing("t").from(constant(LARGE))),
        Arguments.of(
            "try",
            attempt("t", handler().retry(3), set("a", constant(LARGE)), raise("r", "urn:e", 400))
                .when(constant(true))));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("passed")
  void shouldGiveBackWhatATaskHeld(String kind, TaskSpec task) {
    TaskSpec guarded = kind.equals("try") ? attempt("guard", handler(), task) : task;

    assertHeld(110, block("b", guarded), set("s", constant(SMALL)), sleep());
  }

  @Test
  void shouldChargeInputAndCurrentValue() {
    assertHeld(100, sleep());
    harness.finish();
    assertHeld(1_100, set("s", constant(LARGE)), sleep());
  }

  /** Field fault 5: room for a snapshot is reserved ahead of it. */
  @Test
  void shouldSayWhatASnapshotWouldHaveOfInstancesUnderWayAndEndedOnes() {
    assertHeld(100, sleep());
    assertEquals(100, harness.kernel().counters().snapshotBytes());
    harness.finish();
    long ended = harness.kernel().counters().snapshotBytes();
    assertTrue(ended > 50 && ended < 500, "bytes: " + ended);
    assertHeld(1_100, set("s", constant(LARGE)), sleep());
    assertEquals(1_100 + ended, harness.kernel().counters().snapshotBytes());
  }

  @Test
  void shouldChargeWhatAContainerKeepsWhileItRuns() {
    // given a block that keeps a large input while its tasks continue with a small value
    assertHeld(1_110, set("a", constant(LARGE)), block("b", set("c", constant(SMALL)), sleep()));
  }

  @Test
  void shouldChargeNoValueTwiceForContainersInsideEachOther() {
    assertHeld(1_100, set("a", constant(LARGE)), block("b", block("c", block("d", sleep()))));
  }

  @Test
  void shouldChargeATransformedInput() {
    assertHeld(1_100, block("b", sleep()).from(constant(LARGE)));
  }

  @Test
  void shouldChargeAContextThatWasExported() {
    assertHeld(1_110, set("a", constant(SMALL)).export(constant(LARGE)), sleep());
  }

  @Test
  void shouldChargeTheItemsOfALoopOnce() {
    assertHeld(
        100 + 2_000 + 10,
        loop("l", constant(List.of(LARGE, LARGE)), set("a", constant(SMALL)), sleep()));
  }

  @Test
  void shouldChargeTheResultsOfBranches() {
    assertHeld(1_100, fork("f", set("a", constant(LARGE)), sleep()));
  }
}
