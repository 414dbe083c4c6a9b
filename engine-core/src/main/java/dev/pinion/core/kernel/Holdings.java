package dev.pinion.core.kernel;

import dev.pinion.core.model.EngineLimits;
import dev.pinion.core.model.ExpressionException;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;

/**
 * The account of payload bytes that instances hold on to: each branch's current value and context,
 * the items and results of loops, and each instance's input. An estimate by {@link Payload#weight};
 * what is shared is charged to everyone who holds it.
 */
final class Holdings {
  private long bound;
  private final EffectSink effects;
  private boolean replaying;
  private long total;

  /**
   * An empty account.
   *
   * @param bound total beyond which nothing may grow, in bytes
   * @param effects hears when an instance found no room: what the others held at that moment is not
   *     part of its events, so it is recorded
   */
  Holdings(long bound, EffectSink effects) {
    this.bound = bound;
    this.effects = effects;
  }

  /** From now on, or until now, instances find no room where the journal says so. */
  void replaying(boolean now) {
    replaying = now;
  }

  /** Sets another bound, which errors name. */
  void bound(long bytes) {
    bound = bytes;
  }

  /** The bound that goes with limits. */
  static long boundOf(EngineLimits limits) {
    return 2L * limits.kernel().maxHeldBytes();
  }

  long total() {
    return total;
  }

  /** Charges an instance, or gives back when negative. */
  void hold(Instance instance, long bytes) {
    instance.hold(bytes);
    total += bytes;
  }

  /**
   * Charges an activity for something it keeps.
   *
   * @throws ExpressionException when there is no room
   */
  void keep(Activity activity, long bytes) {
    activity.held += bytes;
    hold(activity.instance, bytes);
    if (isFull(activity.instance)) {
      throw new ExpressionException(full());
    }
  }

  private boolean isFull(Instance instance) {
    instance.roomChecks++;
    if (replaying) {
      return instance.roomChecks == instance.failingRoomCheck;
    }
    boolean full = total > bound;
    if (full) {
      effects.foundNoRoom(instance, instance.roomChecks);
    }
    return full;
  }

  /** The error of an instance that would need more than there is room for. */
  WorkflowError full() {
    return Bounds.exceeded("twice kernel.maxHeldBytes", bound);
  }

  /**
   * What a branch is charged for its current value, an activity's raw input, stays charged for as
   * long as the activity keeps that input.
   */
  void adopt(Activity activity) {
    activity.held += activity.branch.heldValue;
    activity.branch.heldValue = 0;
  }

  /**
   * Charges a branch for its new current value instead of the old one; returns whether there was
   * room.
   */
  boolean settle(Branch branch, Instance instance, Payload current) {
    long value = current.weight();
    long context = branch.hasExported() ? branch.context().weight() : 0;
    long growth = value + context - branch.heldValue - branch.heldContext;
    branch.heldValue = value;
    branch.heldContext = context;
    hold(instance, growth);
    return growth <= 0 || !isFull(instance);
  }

  /** Gives back what an activity and the branches it made are charged for. */
  void release(Activity activity) {
    long bytes = activity.held;
    activity.held = 0;
    for (Branch branch : activity.branches) {
      bytes += branch.heldValue + branch.heldContext;
      branch.heldValue = 0;
      branch.heldContext = 0;
    }
    if (bytes != 0) {
      hold(activity.instance, -bytes);
    }
  }
}
