package dev.pinion.core.model.instance;

import dev.pinion.core.model.InstanceId;

/**
 * The task that started an instance.
 *
 * @param id the instance of the task: the parent
 * @param pointer JSON pointer of the task
 */
public record ParentTask(InstanceId id, String pointer) {}
