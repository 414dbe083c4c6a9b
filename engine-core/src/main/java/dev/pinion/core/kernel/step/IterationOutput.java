package dev.pinion.core.kernel.step;

import dev.pinion.core.graph.EventIteration;
import dev.pinion.core.kernel.step.memory.InstanceQuota;
import dev.pinion.core.model.Payload;
import org.jspecify.annotations.Nullable;

/**
 * What the tasks for one event or message leave (DSL, "Subscription Iterator").
 *
 * @param output their output, transformed and checked
 * @param context the new context, checked; null when it stays
 */
record IterationOutput(Payload output, @Nullable Payload context) {
  /**
   * Transforms and checks the output of these tasks.
   *
   * @param raw the output before
   */
  static IterationOutput of(
      Activity activity,
      EventIteration iteration,
      Payload raw,
      ExpressionEvaluator expressionEvaluator,
      InstanceQuota instanceQuota) {
    Payload output = raw;
    if (iteration.output().transformation() != null) {
      output =
          instanceQuota.checked(
              expressionEvaluator.evaluate(activity, iteration.output().transformation(), raw));
    }
    expressionEvaluator.transform(activity, iteration.output().schema(), output);
    Payload context = null;
    if (iteration.export().transformation() != null) {
      activity.output = output; // also when the phase is run again
      context =
          instanceQuota.checked(
              expressionEvaluator.evaluate(activity, iteration.export().transformation(), output));
      expressionEvaluator.transform(activity, iteration.export().schema(), context);
    } else if (iteration.export().schema() != null) {
      expressionEvaluator.transform(
          activity, iteration.export().schema(), activity.branch.context());
    }
    return new IterationOutput(output, context);
  }
}
