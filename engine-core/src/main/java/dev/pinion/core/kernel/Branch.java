package dev.pinion.core.kernel;

import dev.pinion.core.model.Payload;
import org.jspecify.annotations.Nullable;

/**
 * One thread of control of an instance: the main one, a branch of a fork, or one item of a parallel
 * loop.
 */
final class Branch {
  /** The parallel task that this is a branch of; null for the main branch. */
  final @Nullable Activity owner;

  /** Position among the owner's branches. */
  final int index;

  /** The item of a parallel loop; JSON null elsewhere. */
  final Payload item;

  /** The context at the start of the branch, to tell what it changed. */
  final Payload contextBefore;

  /** What {@code $context} is in this branch now. */
  Payload context;

  /** Bytes that this branch is charged for its current value. */
  long heldValue;

  /** Bytes that this branch is charged for its context, where it changed it. */
  long heldContext;

  Branch(@Nullable Activity owner, int index, Payload item, Payload context) {
    this.owner = owner;
    this.index = index;
    this.item = item;
    this.contextBefore = context;
    this.context = context;
  }

  /** Whether the branch has exported a context of its own. */
  @SuppressWarnings("ReferenceEquality") // an export makes another payload, whatever its value
  boolean changedContext() {
    return context != contextBefore;
  }
}
