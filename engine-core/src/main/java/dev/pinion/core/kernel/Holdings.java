package dev.pinion.core.kernel;

import dev.pinion.core.model.Payload;

/**
 * The account of payload bytes that instances hold on to: each branch's current value and context,
 * the items and results of loops, and each instance's input. An estimate by {@link Payload#weight};
 * what is shared is charged to everyone who holds it.
 */
final class Holdings {
  private final long bound;
  private long total;

  /**
   * An empty account.
   *
   * @param bound total beyond which nothing may grow, in bytes
   */
  Holdings(long bound) {
    this.bound = bound;
  }

  long total() {
    return total;
  }

  /** Charges an instance, or gives back when negative. */
  void hold(Instance instance, long bytes) {
    instance.hold(bytes);
    total += bytes;
  }

  /** Charges an activity for items or results it keeps; returns whether there was room. */
  boolean keep(Activity activity, long bytes) {
    activity.held = (int) Math.min(Integer.MAX_VALUE, activity.held + bytes);
    hold(activity.instance, bytes);
    return total <= bound;
  }

  /**
   * Charges a branch for its new current value instead of the old one; returns whether there was
   * room.
   */
  boolean settle(Branch branch, Instance instance, Payload current) {
    int held = current.weight();
    if (branch.changedContext()) {
      held += branch.context.weight();
    }
    int growth = held - branch.held;
    branch.held = held;
    hold(instance, growth);
    return growth <= 0 || total <= bound;
  }

  /** Gives back what an activity and the branches it made are charged for. */
  void release(Activity activity) {
    long bytes = activity.held;
    activity.held = 0;
    for (Branch branch : activity.branches) {
      bytes += branch.held;
      branch.held = 0;
    }
    if (bytes != 0) {
      hold(activity.instance, -bytes);
    }
  }
}
