package dev.pinion.core.kernel.step.compensation;

import org.jspecify.annotations.Nullable;

/**
 * A part of an instance whose completed tasks are compensated together: the whole instance, the
 * present attempt of a {@code try}, or a branch that competes. One that ends without compensation
 * leaves its tasks to the one around it.
 */
public final class CompensationScope {
  /** The scope to which its tasks belong since it has ended; null before. */
  private @Nullable CompensationScope heir;

  /** The scope to which its tasks belong now. */
  public CompensationScope current() {
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
  public void leaveTo(CompensationScope other) {
    CompensationScope from = current();
    CompensationScope to = other.current();
    if (from != to) {
      from.heir = to;
    }
  }
}
