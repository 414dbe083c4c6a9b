package dev.pinion.core.kernel.step;

import static dev.pinion.core.kernel.Tasks.graph;
import static dev.pinion.core.kernel.Tasks.pause;
import static dev.pinion.core.kernel.Tasks.set;
import static dev.pinion.core.kernel.Values.constant;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.codec.ByteWriter;
import dev.pinion.core.kernel.KernelHarness;
import dev.pinion.core.kernel.TaskSpec;
import dev.pinion.core.kernel.step.compensation.CompletedTask;
import dev.pinion.core.kernel.step.compensation.PendingEnd;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.call.HttpCall;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Values that are taken out of a waiting instance, and put back. */
class InstanceValuesTest {
  private static final Payload LARGE = Payload.of("x".repeat(1_000));
  private static final Payload SMALL = Payload.of("y");

  @RegisterExtension final KernelHarness harness = new KernelHarness();

  private Instance instance() {
    return Objects.requireNonNull(
        harness.kernel().instances().running(harness.kernel().instances().runningIds().getFirst()));
  }

  /**
   * Field fault 1: a recovery kept results of evaluations for instances that it had packed, which
   * filled the heap at every start.
   */
  @Test
  void shouldTakeOutWhatEvaluationsYieldedInAPhaseThatIsNotOver() {
    harness.start(graph(pause("sleep", Duration.ofDays(1))), SMALL);
    Instance instance = instance();
    List<Activity> activities = new ArrayList<>();
    instance.forEachActivity(activities::add);
    Activity activity = activities.getLast();
    HttpCall call =
        new HttpCall("POST", "http://s.test/", List.of(), LARGE, HttpCall.Output.CONTENT, false);
    activity.restoreMemo(1, LARGE, null);
    activity.restoreMemo(2, List.of(SMALL, LARGE), null);
    activity.restoreMemo(3, call, null);
    activity.restoreMemo(4, true, null);
    ByteWriter out = new ByteWriter();

    InstanceValues.takeOut(instance, out);

    byte[] written = out.toBytes();
    assertTrue(written.length > 1_000, "found " + written.length);
    assertEquals(Payload.NULL, activity.memoized(1));
    assertEquals(List.of(Payload.NULL, Payload.NULL), activity.memoized(2));
    assertEquals(call.withBody(Payload.NULL), activity.memoized(3));
    assertEquals(true, activity.memoized(4));

    InstanceValues.putBack(instance, written);

    assertEquals(SMALL, instance.rawInput);
    assertEquals(LARGE, activity.memoized(1));
    assertEquals(List.of(SMALL, LARGE), activity.memoized(2));
    assertEquals(call, activity.memoized(3));
    assertEquals(true, activity.memoized(4));
  }

  @Test
  void shouldTakeOutWhatCompensationsSee() {
    TaskSpec done = set("a", constant(LARGE)).compensate(pause("undo", Duration.ofDays(1)));
    InstanceId id = harness.start(graph(done, pause("sleep", Duration.ofDays(1))), SMALL);
    harness.cancel(id);
    Instance instance = instance();
    CompletedTask task = instance.openCompensations().tasks().iterator().next();
    PendingEnd end = Objects.requireNonNull(instance.pendingEnd());
    Payload error = end.error();
    ByteWriter out = new ByteWriter();

    InstanceValues.takeOut(instance, out);

    assertEquals(List.of(Payload.NULL, Payload.NULL), task.values());
    assertEquals(Payload.NULL, end.error());

    InstanceValues.putBack(instance, out.toBytes());

    assertEquals(List.of(SMALL, LARGE), task.values());
    assertEquals(error, end.error());
  }
}
