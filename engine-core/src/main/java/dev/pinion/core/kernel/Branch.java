package dev.pinion.core.kernel;

import dev.pinion.core.model.Payload;
import java.util.function.UnaryOperator;
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

  private Payload item;

  /** Bytes that this branch is charged for its current value. */
  long heldValue;

  /** Bytes that this branch is charged for its context, where it has one of its own. */
  long heldContext;

  /** Bytes of the heap that this branch is charged for its current value. */
  long heapValue;

  /** Bytes of the heap that this branch is charged for its context. */
  long heapContext;

  private Payload context;
  private boolean exported;

  Branch(@Nullable Activity owner, int index, Payload item, Payload context) {
    this.owner = owner;
    this.index = index;
    this.item = item;
    this.context = context;
  }

  /** The item of a parallel loop; JSON null elsewhere. */
  Payload item() {
    return item;
  }

  /** Puts others in the place of its values. */
  void replace(UnaryOperator<Payload> each) {
    item = each.apply(item);
    context = each.apply(context);
  }

  /** Charges the heap by what is charged for the weight. */
  void heap(double ratio) {
    heapValue = (long) (heldValue * ratio);
    heapContext = (long) (heldContext * ratio);
  }

  /** What {@code $context} is in this branch now. */
  Payload context() {
    return context;
  }

  /** A branch as it was when its state was written down. */
  Branch(@Nullable Activity owner, int index, Payload item, Payload context, boolean exported) {
    this(owner, index, item, context);
    this.exported = exported;
  }

  /** Gives the branch the context it begins with. */
  void begin(Payload initial) {
    context = initial;
  }

  /** Replaces the context. */
  void export(Payload changed) {
    context = changed;
    exported = true;
  }

  /**
   * Whether the branch has a context of its own. Told by what happened and not by comparing: in a
   * replay an equal value may be another object.
   */
  boolean hasExported() {
    return exported;
  }
}
