package dev.pinion.bootstrap.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.model.instance.LifecycleEventType;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The text of sinks of lifecycle events. */
class LifecycleSinkSpecTest {
  private static final Set<LifecycleEventType> STATUS =
      EnumSet.of(
          LifecycleEventType.WORKFLOW_STATUS_CHANGED, LifecycleEventType.TASK_STATUS_CHANGED);

  private static Set<LifecycleEventType> types(String text) {
    return LifecycleSinkSpec.parse(text).getFirst().types();
  }

  @Test
  void shouldReadSinks() {
    List<LifecycleSinkSpec> specs =
        LifecycleSinkSpec.parse("audit, orders:workflow.completed@Shop-1,orders@other");

    assertEquals(3, specs.size());
    assertEquals("audit", specs.get(0).name());
    assertEquals(null, specs.get(0).namespace());
    assertEquals(
        new LifecycleSinkSpec("orders", Set.of(LifecycleEventType.WORKFLOW_COMPLETED), "Shop-1"),
        specs.get(1));
    assertEquals("orders@Shop-1", specs.get(1).name());
    assertEquals("orders@other", specs.get(2).name());
    assertEquals(List.of(), LifecycleSinkSpec.parse(" "));
  }

  @Test
  void shouldKnowGroupsOfTypes() {
    assertEquals(EnumSet.complementOf(EnumSet.copyOf(STATUS)), types("a"));
    assertEquals(types("a"), types("a:task+workflow"));
    assertEquals(8, types("a:workflow").size());
    assertTrue(types("a:workflow").stream().noneMatch(LifecycleEventType::isOfTask));
    assertEquals(8, types("a:task").size());
    assertTrue(types("a:task").stream().allMatch(LifecycleEventType::isOfTask));
    assertEquals(STATUS, types("a:status"));
    assertEquals(9, types("a:workflow+task.status-changed").size());
    assertEquals(
        EnumSet.of(
            LifecycleEventType.WORKFLOW_CORRELATION_STARTED, LifecycleEventType.TASK_RETRIED),
        types("a:workflow.correlation-started+task.retried"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          Audit             | expected the name of a sink
          a-                | expected the name of a sink
          a:                | expected the name of a sink
          a@                | expected the name of a sink
          a@-n              | expected the name of a sink
          a@n m             | expected the name of a sink
          a,                | expected the name of a sink
          a:tasks           | did you mean "task"?
          a:task.skipped    | expected types of lifecycle events
          a:workflow++task  | expected types of lifecycle events
          a,a               | found "a" again
          a@n,a:task@n      | found "a@n" again
          a,a@n             | found both
          """)
  void shouldRefuseOtherTexts(String text, String says) {
    IllegalArgumentException refusal =
        assertThrows(IllegalArgumentException.class, () -> LifecycleSinkSpec.parse(text));
    String message = Objects.requireNonNull(refusal.getMessage());
    assertTrue(message.contains(says), message);
  }
}
