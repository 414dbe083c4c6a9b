package dev.pinion.core.kernel.step;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The running activities of an instance, by slots, which name them in events: which are ready, and
 * how many wait for something outside.
 */
public abstract sealed class ActivitySlots permits InstanceEntry {
  private static final int FIRST_SLOTS = 4;
  private static final int FIRST_READY = 4;

  /** Activities that can run now, in the order in which they became ready. */
  final Deque<Activity> ready = new ArrayDeque<>(FIRST_READY);

  /** Activity of the workflow itself; null before the start and after the end. */
  @Nullable Activity root;

  private @Nullable Activity[] slots = new Activity[FIRST_SLOTS];
  private int[] freeSlots = new int[FIRST_SLOTS];
  private int freeCount;
  private int usedSlots;
  private int activities;
  private int lastAttempt;
  private int pending;

  /** Assigns an activity its slot, by which events name it, and makes it a child of its parent. */
  void add(Activity activity) {
    int slot = freeCount > 0 ? freeSlots[--freeCount] : usedSlots++;
    if (slot == slots.length) {
      slots = Arrays.copyOf(slots, slots.length * 2);
    }
    put(activity, slot);
  }

  private void put(Activity activity, int slot) {
    slots[slot] = activity;
    activity.slot = slot;
    activities++;
    if (activity.parent != null) {
      link(activity.parent, activity);
    }
  }

  private static void link(Activity parent, Activity child) {
    Activity first = parent.firstChild;
    child.nextSibling = first;
    if (first != null) {
      first.previousSibling = child;
    }
    parent.firstChild = child;
  }

  private static void unlink(Activity parent, Activity child) {
    if (child.previousSibling != null) {
      child.previousSibling.nextSibling = child.nextSibling;
    } else {
      parent.firstChild = child.nextSibling;
    }
    if (child.nextSibling != null) {
      child.nextSibling.previousSibling = child.previousSibling;
    }
    child.previousSibling = null;
    child.nextSibling = null;
  }

  /** Removes an activity; a later one gets its slot. */
  void remove(Activity activity) {
    if (activity.parent != null) {
      unlink(activity.parent, activity);
    }
    slots[activity.slot] = null;
    if (freeCount == freeSlots.length) {
      freeSlots = Arrays.copyOf(freeSlots, freeSlots.length * 2);
    }
    freeSlots[freeCount++] = activity.slot;
    activities--;
  }

  /** The activity in a slot, or null. */
  public @Nullable Activity activity(int slot) {
    return slot >= 0 && slot < usedSlots ? slots[slot] : null;
  }

  /** Visits every running activity, by slots. */
  public void forEachActivity(Consumer<Activity> look) {
    for (int slot = 0; slot < usedSlots; slot++) {
      Activity activity = slots[slot];
      if (activity != null) {
        look.accept(activity);
      }
    }
  }

  /** Number of running activities. */
  public int activities() {
    return activities;
  }

  /** Number of slots that were ever assigned: the next new one. */
  public int usedSlots() {
    return usedSlots;
  }

  /** Freed slots, the next one to assign last. */
  int[] freeSlots() {
    return Arrays.copyOf(freeSlots, freeCount);
  }

  /** Restores the slots from serialized state, all of them empty. */
  private void restoreSlots(int used, int[] free) {
    usedSlots = used;
    slots = new Activity[Math.max(FIRST_SLOTS, used)];
    freeCount = free.length;
    freeSlots = Arrays.copyOf(free, Math.max(FIRST_SLOTS, free.length));
  }

  /** Restores an activity into its slot from serialized state; the root has no parent. */
  void restore(Activity activity, int slot) {
    if (slot >= usedSlots || slots[slot] != null) {
      throw new IllegalArgumentException(
          "expected a slot of " + usedSlots + " that is free, found " + slot);
    }
    put(activity, slot);
    if (activity.parent == null) {
      root = activity;
    }
  }

  /** Whether none of its activities can run now. */
  public boolean isIdle() {
    return ready.isEmpty();
  }

  /** Returns a number that no earlier call or evaluation of this instance had; from 1. */
  int nextAttempt() {
    return ++lastAttempt;
  }

  /** The last of these numbers. */
  int lastAttempt() {
    return lastAttempt;
  }

  /** Number of calls and evaluations in progress. */
  int pending() {
    return pending;
  }

  /** Restores slots and counts from serialized state. */
  void restore(int used, int[] free, int attempts, int underWay) {
    restoreSlots(used, free);
    lastAttempt = attempts;
    pending = underWay;
  }

  /**
   * Adjusts the number of calls and evaluations in progress: an instance without any, and with
   * nothing ready, is waiting for a timer.
   */
  void pending(int change) {
    pending += change;
  }

  /** Activity of the workflow itself; null before the start and after the end. */
  public @Nullable Activity root() {
    return root;
  }

  /** Whether one of its expressions is being evaluated elsewhere. */
  public boolean evaluates() {
    for (int slot = 0; slot < usedSlots; slot++) {
      Activity activity = slots[slot];
      if (activity != null && activity.evaluating != 0) {
        return true;
      }
    }
    return false;
  }
}
