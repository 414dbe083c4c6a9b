package dev.pinion.core.kernel.step;

import dev.pinion.core.graph.Node;
import org.jspecify.annotations.Nullable;

/**
 * A part of an instance whose completed tasks are compensated together: the whole instance, the
 * present attempt of a {@code try}, or a branch that competes. One that ends without compensation
 * leaves its tasks to the one around it.
 */
final class CompensationScope {
  /** The scope to which its tasks belong since it has ended; null before. */
  private @Nullable CompensationScope heir;

  /** The scope in which a task completes. */
  static CompensationScope around(Activity task) {
    Activity at = task;
    for (Activity parent = at.parent; parent != null; parent = at.parent) {
      CompensationScope inside = inside(parent, at);
      if (inside != null) {
        return inside;
      }
      at = parent;
    }
    return at.instance.openCompensations().whole();
  }

  /** The scope that a task is for one of its children, or null. */
  private static @Nullable CompensationScope inside(Activity parent, Activity child) {
    TryState tryState = parent.tryState;
    if (tryState != null && tryState.tryMode == TryState.TryMode.TRYING) {
      return tryState.openScope();
    }
    return parent.node instanceof Node.Fork fork && fork.compete() && parent.unwinding == null
        ? child.branch.openScope()
        : null;
  }

  /** Leaves the tasks of all scopes that a task is to the one around it. */
  static void leave(Activity task) {
    Unwinding unwinding = task.unwinding;
    if (unwinding != null && task.parent != null) {
      unwinding.scope.leaveTo(around(task));
    }
    task.unwinding = null;
    TryState tryState = task.tryState;
    if (tryState != null && tryState.scope() != null) {
      tryState.openScope().leaveTo(around(task));
    }
    for (Branch branch : task.branches) {
      if (branch.scope() != null) {
        branch.openScope().leaveTo(around(task));
      }
    }
  }

  /** The scope to which its tasks belong now. */
  CompensationScope current() {
    CompensationScope last = this;
    for (CompensationScope next = heir; next != null; next = last.heir) {
      last = next;
    }
    CompensationScope at = this;
    for (CompensationScope next = heir; next != null; next = at.heir) { // shortens the way
      at.heir = last;
      at = next;
    }
    return last;
  }

  /** Leaves its tasks to another scope. */
  void leaveTo(CompensationScope other) {
    CompensationScope from = current();
    CompensationScope to = other.current();
    if (from != to) {
      from.heir = to;
    }
  }
}
