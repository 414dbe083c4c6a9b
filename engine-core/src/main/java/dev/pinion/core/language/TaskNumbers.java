package dev.pinion.core.language;

import dev.pinion.core.document.DocumentValue;
import dev.pinion.core.language.field.Diagnostics;

/** Numbers of the tasks of a graph, inlined ones included, up to {@code definition.maxTasks}. */
final class TaskNumbers {
  private final int most;
  private int count;
  private boolean reported;

  TaskNumbers(int most) {
    this.most = most;
  }

  /** Number of tasks so far. */
  int count() {
    return count;
  }

  /** The number of another task. */
  int next() {
    return count++;
  }

  /** Whether there are too many tasks; the first that is too many has then been reported. */
  boolean areUsedUp(DocumentValue task, Diagnostics diagnostics) {
    if (count > most && !reported) {
      reported = true;
      diagnostics.key(
          task, "expected at most " + most + " tasks (definition.maxTasks), found more");
    }
    return count > most;
  }

  /** Compiles tasks that will be no part of the graph. */
  void without(Runnable checks) {
    int before = count;
    checks.run();
    count = before;
  }
}
