package dev.pinion.core.kernel.step;

import dev.pinion.core.kernel.step.compensation.CompensationScope;
import dev.pinion.core.model.Payload;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * One thread of control of an instance: the main one, a branch of a fork, or one item of a parallel
 * loop.
 */
final class Branch {
  /** Parallel task that owns this branch; null for the main branch. */
  final @Nullable Activity owner;

  /** Position among the owner's branches. */
  final int index;

  private Payload item;

  /** Bytes charged for its current value. */
  long heldValue;

  /** Bytes charged for its context, where it has a separate one. */
  long heldContext;

  /** Bytes of the heap charged for its current value. */
  long heapValue;

  /** Bytes of the heap charged for its context. */
  long heapContext;

  private Payload context;
  private boolean exported;

  /** Scope of what completes in it, if it competes; null before something has. */
  private @Nullable CompensationScope scope;

  Branch(@Nullable Activity owner, int index, Payload item, Payload context) {
    this.owner = owner;
    this.index = index;
    this.item = item;
    this.context = context;
  }

  /** Scope of what has completed in it, if it competes; null for none. */
  @Nullable CompensationScope scope() {
    return scope;
  }

  /** Scope of what completes in it. */
  CompensationScope openScope() {
    CompensationScope open = scope == null ? new CompensationScope() : scope;
    scope = open;
    return open;
  }

  /** Item of a parallel loop; JSON null elsewhere. */
  Payload item() {
    return item;
  }

  /** Replaces its values. */
  void replace(UnaryOperator<Payload> each) {
    item = each.apply(item);
    context = each.apply(context);
  }

  /** Charges the heap in proportion to the charged weight. */
  void heap(double ratio) {
    heapValue = (long) (heldValue * ratio);
    heapContext = (long) (heldContext * ratio);
  }

  /** Present value of {@code $context} in this branch. */
  Payload context() {
    return context;
  }

  /** Restores a branch from serialized state. */
  Branch(@Nullable Activity owner, int index, Payload item, Payload context, boolean exported) {
    this(owner, index, item, context);
    this.exported = exported;
  }

  /** Sets the initial context. */
  void begin(Payload initial) {
    context = initial;
  }

  /** Replaces the context. */
  void export(Payload changed) {
    context = changed;
    exported = true;
  }

  /**
   * Whether the branch has a separate context. Derived from its history, not from a comparison: in
   * a replay an equal value may be another object.
   */
  boolean hasExported() {
    return exported;
  }
}
