package dev.pinion.core.model.instance;

import dev.pinion.core.model.InstanceId;

/**
 * Tie of an instance to the task that started it.
 *
 * @param task the task and its instance
 * @param activity slot of the activity that started it
 * @param attempt number under which the activity waits; no other start of the parent has it
 * @param depth number of instances above it, from 1
 * @param awaited whether its end is reported to the parent
 * @param progress events and advances of the parent when it was started: they number the entry in
 *     the parent's history
 */
public record ParentLink(
    ParentTask task, int activity, int attempt, int depth, boolean awaited, long progress) {
  /** The parent. */
  public InstanceId id() {
    return task.id();
  }

  /** The tie of an instance whose end nobody waits for. */
  public ParentLink detached() {
    return awaited ? new ParentLink(task, activity, attempt, depth, false, progress) : this;
  }
}
