package dev.pinion.core.model.instance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class LifecycleEventTypeTest {
  private static final List<String> OF_THE_SPECIFICATION =
      List.of(
          "io.serverlessworkflow.workflow.started.v1",
          "io.serverlessworkflow.workflow.suspended.v1",
          "io.serverlessworkflow.workflow.resumed.v1",
          "io.serverlessworkflow.workflow.correlation-started.v1",
          "io.serverlessworkflow.workflow.correlation-completed.v1",
          "io.serverlessworkflow.workflow.cancelled.v1",
          "io.serverlessworkflow.workflow.faulted.v1",
          "io.serverlessworkflow.workflow.completed.v1",
          "io.serverlessworkflow.workflow.status-changed.v1",
          "io.serverlessworkflow.task.created.v1",
          "io.serverlessworkflow.task.started.v1",
          "io.serverlessworkflow.task.suspended.v1",
          "io.serverlessworkflow.task.resumed.v1",
          "io.serverlessworkflow.task.retried.v1",
          "io.serverlessworkflow.task.cancelled.v1",
          "io.serverlessworkflow.task.faulted.v1",
          "io.serverlessworkflow.task.completed.v1",
          "io.serverlessworkflow.task.status-changed.v1");

  @Test
  void shouldHaveTheNamesOfTheSpecification() {
    assertEquals(
        OF_THE_SPECIFICATION,
        Stream.of(LifecycleEventType.values()).map(LifecycleEventType::type).toList());
  }

  @Test
  void shouldKnowWhatItIsAbout() {
    assertTrue(LifecycleEventType.TASK_STATUS_CHANGED.isOfTask());
    assertFalse(LifecycleEventType.WORKFLOW_STATUS_CHANGED.isOfTask());
    assertEquals(
        List.of("workflow.status-changed", "task.status-changed"),
        Stream.of(LifecycleEventType.values())
            .filter(LifecycleEventType::isStatusChange)
            .map(LifecycleEventType::label)
            .toList());
  }

  @Test
  void shouldHaveThePhasesOfTheSpecification() {
    assertEquals(
        List.of("pending", "running", "waiting", "suspended", "cancelled", "faulted", "completed"),
        Stream.of(StatusPhase.values()).map(StatusPhase::label).toList());
  }
}
