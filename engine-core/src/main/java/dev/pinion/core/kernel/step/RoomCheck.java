package dev.pinion.core.kernel.step;

import dev.pinion.core.kernel.step.compensation.Compensations;
import dev.pinion.core.kernel.step.compensation.CompletedTask;
import dev.pinion.core.model.DistinctHeap;
import dev.pinion.core.model.HeapAccount;

/**
 * Checks whether instances find room for what they hold, and charges large ones anew: once for what
 * their parts share. The account of which they are part explains both.
 */
final class RoomCheck {
  /**
   * Parts of the heap bound: an instance is charged anew when its charge has changed by one part.
   */
  private static final int PARTS_OF_CHANGE = 16;

  /** Values examined for each room check, on average: about a microsecond. */
  private static final int LOOKS_PER_CHECK = 64;

  private final HeapAccount heap;
  private final HeapAccount.Share share;
  private final ValuePacking valuePacking;
  private final MemoryAccount.NoRoomListener noRoomListener;
  private boolean replaying;
  private long looks;

  RoomCheck(
      HeapAccount heap,
      HeapAccount.Share share,
      ValuePacking valuePacking,
      MemoryAccount.NoRoomListener noRoomListener) {
    this.heap = heap;
    this.share = share;
    this.valuePacking = valuePacking;
    this.noRoomListener = noRoomListener;
  }

  /** Turns replay on or off; in a replay instances find no room where the journal says so. */
  void replaying(boolean now) {
    replaying = now;
  }

  /** Whether events are replayed. */
  boolean isReplaying() {
    return replaying;
  }

  /** Values examined so far to charge instances anew. */
  long looks() {
    return looks;
  }

  /**
   * Charges an instance anew before it is used, if its charge has changed much or was made within a
   * step, and enough room checks pay for that.
   */
  void wake(Instance instance) {
    if (isPaid(instance) && (instance.chargedWithinStep || hasChanged(instance))) {
      chargeAnew(instance);
    }
  }

  /** Charges an instance anew that may hold more than its charge, before it waits. */
  void rest(Instance instance) {
    if (instance.packedValues == null
        && instance.heapBytes < instance.chargedAnew
        && hasChanged(instance)) {
      chargeAnew(instance);
    }
  }

  /** Whether enough room checks were made to examine the instance again. */
  private static boolean isPaid(Instance instance) {
    return instance.roomChecks >= instance.chargeableFrom;
  }

  /** Whether the charge of an instance has changed much since it was last made anew. */
  private boolean hasChanged(Instance instance) {
    long change = Math.abs(instance.heapBytes - instance.chargedAnew);
    return change >= heap.bound() / PARTS_OF_CHANGE;
  }

  /**
   * Charges an instance once for what its parts share. Its values must be unpacked; while another
   * thread reads them, the charge stays as it is.
   */
  private void chargeAnew(Instance instance) {
    if (instance.evaluations > 0 || instance.hasEnded()) {
      return;
    }
    DistinctHeap values = new DistinctHeap();
    long before = looks;
    InstanceValues.forEachWeighed(
        instance,
        value -> {
          looks++;
          values.add(value);
        });
    instance.chargeableFrom = (int) (instance.roomChecks + (looks - before) / LOOKS_PER_CHECK);
    long heapBytes = values.bytes();
    long held = instance.heldBytes();
    shareOut(instance, held == 0 ? 0 : (double) heapBytes / held);
    long charge = heapBytes + callsOf(instance) + instance.errorBytes;
    share.add(charge - instance.heapBytes);
    instance.heapBytes = charge;
    instance.chargedAnew = charge;
    instance.chargedWithinStep = false;
  }

  private static long callsOf(Instance instance) {
    long[] sum = new long[1];
    instance.forEachActivity(activity -> sum[0] += activity.callHeap);
    return sum[0];
  }

  /** Shares out the heap bytes of an instance's values over its parts by their charged weight. */
  static void shareOut(Instance instance, double ratio) {
    instance.forEachActivity(
        activity -> {
          activity.heldHeapBytes = (long) (activity.heldBytes * ratio);
          activity.branch.heap(ratio);
          for (Branch branch : activity.branches) {
            branch.heap(ratio);
          }
        });
    Compensations compensations = instance.compensations;
    if (compensations != null) {
      for (CompletedTask task : compensations.tasks()) {
        task.heap(ratio);
      }
    }
  }

  /**
   * Whether an instance finds no room: it alone is too large, or all are together although waiting
   * ones were packed. What others hold for the length of a turn or an evaluation is no reason.
   */
  boolean isFull(Instance instance) {
    instance.roomChecks++;
    boolean anew = isPaid(instance) && hasChanged(instance);
    if (anew) {
      chargeWithinStep(instance);
    }
    if (replaying) {
      return instance.roomChecks == instance.failingRoomCheck;
    }
    if (heap.isCrowded()) {
      valuePacking.makeRoom(0);
    }
    boolean full = isBeyond(instance);
    if (full && !anew && (hasChanged(instance) || instance.chargedWithinStep)) {
      chargeWithinStep(instance);
      full = isBeyond(instance);
    }
    if (full) {
      noRoomListener.foundNoRoom(instance, instance.roomChecks);
    }
    return full;
  }

  private boolean isBeyond(Instance instance) {
    return heap.isExhausted() || !heap.canHold(instance.heapBytes);
  }

  /**
   * Charges an instance anew within a step, which may still release counted values: it is charged
   * again before a later step.
   */
  private void chargeWithinStep(Instance instance) {
    chargeAnew(instance);
    instance.chargedWithinStep = true;
  }
}
