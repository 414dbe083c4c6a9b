package dev.pinion.core.kernel.step;

import dev.pinion.core.codec.ByteReader;
import dev.pinion.core.codec.ByteWriter;
import dev.pinion.core.kernel.step.attempt.TryState;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;

/**
 * Codec of the names and attempts of an instance's calls: the last part of its state. States of
 * older engines lack it.
 */
final class CallStateCodec {
  private static final int[] NONE = {};

  private CallStateCodec() {}

  /** Writes the part. */
  static void write(Instance instance, ByteWriter out) {
    out.putCount(instance.mostAttempts);
    List<Activity> numbered = select(instance, each -> isCalling(each) && each.namedByNumber);
    out.putCount(numbered.size());
    numbered.forEach(each -> out.putCount(each.slot));

    List<Activity> restarted = select(instance, each -> each.earlierAttempts > 0);
    out.putCount(restarted.size());
    for (Activity activity : restarted) {
      out.putCount(activity.slot);
      out.putCount(activity.earlierAttempts);
    }

    List<Activity> repeating = select(instance, each -> each.runs.length > 0);
    out.putCount(repeating.size());
    for (Activity activity : repeating) {
      out.putCount(activity.slot);
      put(activity.runs, out);
    }

    List<Activity> tries = select(instance, each -> calls(each).length > 0);
    out.putCount(tries.size());
    for (Activity activity : tries) {
      out.putCount(activity.slot);
      put(calls(activity), out);
    }
  }

  private static int[] calls(Activity activity) {
    TryState tryState = activity.tryState;
    return tryState == null ? NONE : tryState.calls().entries();
  }

  private static void put(int[] counts, ByteWriter out) {
    out.putCount(counts.length);
    for (int count : counts) {
      out.putCount(count);
    }
  }

  /** Reads what {@link #write} wrote into an instance that is read as far as its activities. */
  static void read(Instance instance, ByteReader in) {
    instance.mostAttempts = in.getCount();
    for (int left = in.getSize(); left > 0; left--) {
      activity(instance, in).namedByNumber = true;
    }
    for (int left = in.getSize(); left > 0; left--) {
      activity(instance, in).earlierAttempts = in.getCount();
    }
    for (int left = in.getSize(); left > 0; left--) {
      Activity activity = activity(instance, in);
      int[] runs = counts(in);
      if (runs.length != activity.runs.length) {
        throw misfit(activity, "counts of runs");
      }
      System.arraycopy(runs, 0, activity.runs, 0, runs.length);
    }
    for (int left = in.getSize(); left > 0; left--) {
      Activity activity = activity(instance, in);
      int[] calls = counts(in);
      TryState tryState = activity.tryState;
      if (tryState == null || !tryState.calls().restore(calls)) {
        throw misfit(activity, "attempts");
      }
    }
  }

  /** Marks the calls of a state that was written by an engine that named calls by their numbers. */
  static void restoreNumberedCalls(Instance instance) {
    select(instance, CallStateCodec::isCalling).forEach(each -> each.namedByNumber = true);
  }

  private static boolean isCalling(Activity activity) {
    return activity.awaiting != 0 && activity.evaluating == 0 && !activity.awaitsChild();
  }

  private static List<Activity> select(Instance instance, Predicate<Activity> wanted) {
    List<Activity> found = new ArrayList<>();
    instance.forEachActivity(
        each -> {
          if (wanted.test(each)) {
            found.add(each);
          }
        });
    return found;
  }

  private static Activity activity(Instance instance, ByteReader in) {
    int slot = in.getCount();
    Activity activity = instance.activity(slot);
    if (activity == null) {
      throw new IllegalArgumentException("expected an activity in slot " + slot + ", found none");
    }
    return activity;
  }

  private static int[] counts(ByteReader in) {
    int[] counts = new int[in.getSize()];
    Arrays.setAll(counts, i -> in.getCount());
    return counts;
  }

  private static IllegalArgumentException misfit(Activity activity, String what) {
    return new IllegalArgumentException(
        "expected " + what + " of " + activity.node.attributes().pointer() + ", found others");
  }
}
