package dev.pinion.core.model.instance;

import java.util.Locale;

/** The type of a lifecycle event (DSL, "Lifecycle Events"). */
public enum LifecycleEventType {
  /** A workflow has started. */
  WORKFLOW_STARTED("startedAt"),
  /** A workflow was suspended. */
  WORKFLOW_SUSPENDED("suspendedAt"),
  /** A workflow was resumed. */
  WORKFLOW_RESUMED("resumedAt"),
  /** A workflow begins to listen for events. */
  WORKFLOW_CORRELATION_STARTED("startedAt"),
  /** A workflow has the events that it listened for. */
  WORKFLOW_CORRELATION_COMPLETED("completedAt"),
  /** A workflow was cancelled. */
  WORKFLOW_CANCELLED("cancelledAt"),
  /** A workflow ended with an error. */
  WORKFLOW_FAULTED("faultedAt"),
  /** A workflow ran to its end. */
  WORKFLOW_COMPLETED("completedAt"),
  /** A workflow came into another phase. */
  WORKFLOW_STATUS_CHANGED("updatedAt"),
  /** A task was created. */
  TASK_CREATED("createdAt"),
  /** A task has started. */
  TASK_STARTED("startedAt"),
  /** A task was suspended. */
  TASK_SUSPENDED("suspendedAt"),
  /** A task was resumed. */
  TASK_RESUMED("resumedAt"),
  /** A task is tried again. */
  TASK_RETRIED("retriedAt"),
  /** A task was cancelled. */
  TASK_CANCELLED("cancelledAt"),
  /** A task ended with an error. */
  TASK_FAULTED("faultedAt"),
  /** A task ran to its end. */
  TASK_COMPLETED("completedAt"),
  /** A task came into another phase. */
  TASK_STATUS_CHANGED("updatedAt");

  private static final String PREFIX = "io.serverlessworkflow.";
  private static final String SUFFIX = ".v1";
  private static final String TASK = "task.";

  private final String time;
  private final String label;

  LifecycleEventType(String time) {
    this.time = time;
    this.label = name().toLowerCase(Locale.ROOT).replaceFirst("_", ".").replace('_', '-');
  }

  /** Its short name, such as {@code task.status-changed}. */
  public String label() {
    return label;
  }

  /** The type of the CloudEvent, such as {@code io.serverlessworkflow.task.status-changed.v1}. */
  public String type() {
    return PREFIX + label + SUFFIX;
  }

  /** Member of its data with the time of the event. */
  public String time() {
    return time;
  }

  /** Whether it is about a task; otherwise it is about a workflow. */
  public boolean isOfTask() {
    return label.startsWith(TASK);
  }

  /** Whether it tells a phase and nothing else; the specification has these events as optional. */
  public boolean isStatusChange() {
    return this == WORKFLOW_STATUS_CHANGED || this == TASK_STATUS_CHANGED;
  }
}
