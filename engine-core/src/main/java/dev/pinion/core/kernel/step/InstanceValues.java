package dev.pinion.core.kernel.step;

import dev.pinion.core.codec.ByteReader;
import dev.pinion.core.codec.ByteWriter;
import dev.pinion.core.kernel.step.attempt.TryState;
import dev.pinion.core.kernel.step.codec.ValueReader;
import dev.pinion.core.kernel.step.codec.ValueWriter;
import dev.pinion.core.kernel.step.compensation.Compensations;
import dev.pinion.core.kernel.step.compensation.PendingEnd;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.call.CallRequest;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * All values that an instance holds, in an order that depends only on the tree of its activities
 * and on its completed tasks: they are put back in the order in which they were taken out.
 */
final class InstanceValues {
  private final Instance instance;
  private final UnaryOperator<Payload> each;
  private final Set<Branch> seen = Collections.newSetFromMap(new IdentityHashMap<>(4));

  private InstanceValues(Instance instance, UnaryOperator<Payload> each) {
    this.instance = instance;
    this.each = each;
  }

  /** Writes every value and replaces it by JSON null. */
  static void takeOut(Instance instance, ByteWriter out) {
    ValueWriter values = new ValueWriter(out);
    replace(
        instance,
        value -> {
          values.put(value);
          return Payload.NULL;
        });
  }

  /** Restores the values that {@link #takeOut} wrote. */
  static void putBack(Instance instance, byte[] written) {
    ByteReader in = new ByteReader(written);
    ValueReader values = new ValueReader(in);
    replace(instance, nothing -> values.payload());
    in.expectEnd();
  }

  /** Replaces every value by JSON null. */
  static void clear(Instance instance) {
    replace(instance, value -> Payload.NULL);
  }

  /**
   * Visits every value that the instance is charged for by its weight: not errors, and not the
   * results of evaluations in an unfinished phase.
   */
  static void forEachWeighed(Instance instance, Consumer<Payload> look) {
    UnaryOperator<Payload> each =
        value -> {
          look.accept(value);
          return value;
        };
    new InstanceValues(instance, each).weighed();
  }

  /** Ratio of the heap bytes of these values to their weight; 1 without a weight. */
  static double heapRatio(Instance instance) {
    long[] sums = new long[2];
    forEachWeighed(
        instance,
        value -> {
          sums[0] += value.weight();
          sums[1] += value.heapBytes();
        });
    return sums[0] == 0 ? 1 : (double) sums[1] / sums[0];
  }

  private static void replace(Instance instance, UnaryOperator<Payload> each) {
    InstanceValues values = new InstanceValues(instance, each);
    values.weighed();
    instance.forEachActivity(values::unweighed);
    PendingEnd pendingEnd = instance.pendingEnd();
    if (pendingEnd != null) {
      pendingEnd.replace(each);
    }
  }

  private void unweighed(Activity activity) {
    TryState tryState = activity.tryState;
    if (tryState != null) {
      tryState.replace(each);
    }
    activity.replaceMemos(this::remembered);
  }

  /** Result of an expression: a value, the items of a loop, a call, or something small. */
  private @Nullable Object remembered(@Nullable Object yielded) {
    return switch (yielded) {
      case Payload value -> each.apply(value);
      case CallRequest call -> call.withValues(each);
      case List<?> items -> items.stream().map(this::remembered).toList();
      case null, default -> yielded;
    };
  }

  private void weighed() {
    instance.rawInput = each.apply(instance.rawInput);
    instance.forEachActivity(this::values);
    Compensations compensations = instance.compensations;
    if (compensations != null) {
      compensations.tasks().forEach(task -> task.replace(each));
    }
  }

  private void values(Activity activity) {
    activity.rawInput = each.apply(activity.rawInput);
    activity.input = each.apply(activity.input);
    activity.output = each.apply(activity.output);
    activity.rawOutput = optional(activity.rawOutput);
    activity.evaluationInput = optional(activity.evaluationInput);
    if (activity.call != null) {
      activity.call = activity.call.withValues(each);
    }
    if (!activity.items.isEmpty()) {
      activity.items = activity.items.stream().map(each).toList();
    }
    activity.results = results(activity.results);
    if (activity.listening != null) {
      activity.listening.replace(each);
    }
    if (activity.matches != null) {
      activity.matches.replace(each);
    }
    branch(activity.branch);
    for (Branch branch : activity.branches) {
      branch(branch);
    }
  }

  private @Nullable Payload optional(@Nullable Payload value) {
    return value == null ? null : each.apply(value);
  }

  private Payload[] results(Payload[] results) {
    for (int i = 0; i < results.length; i++) {
      results[i] = each.apply(results[i]);
    }
    return results;
  }

  private void branch(Branch branch) {
    if (seen.add(branch)) {
      branch.replace(each);
    }
  }
}
