package dev.pinion.core.kernel.step;

import dev.pinion.core.graph.Compensation;
import dev.pinion.core.graph.Node;
import dev.pinion.core.model.Payload;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.ToLongFunction;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A completed task that can be compensated, with the values that its compensation sees. */
final class CompletedTask {
  /** Its number in the order of completion, from 1. */
  final int number;

  final Node task;
  final CompensationScope scope;

  /** Whether its compensation has begun, perhaps in vain. */
  boolean begun;

  /** Bytes charged for its values. */
  long heldBytes;

  /** Bytes of the heap charged for its values. */
  long heldHeapBytes;

  private Payload input;
  private Payload output;

  /** Values of {@link Compensation#variables}. */
  private final Payload[] variables;

  /**
   * A completed task.
   *
   * @param values its input, its output, and the values of {@link Compensation#variables}
   */
  CompletedTask(int number, Node task, CompensationScope scope, List<Payload> values) {
    this.number = number;
    this.task = task;
    this.scope = scope;
    this.input = values.get(0);
    this.output = values.get(1);
    this.variables = values.subList(2, values.size()).toArray(new Payload[0]);
  }

  /** How it is undone. */
  Compensation compensation() {
    return Objects.requireNonNull(task.attributes().compensation(), "a compensation");
  }

  /** JSON pointer of the task. */
  String pointer() {
    return task.attributes().pointer();
  }

  /** Input of the task. */
  Payload input() {
    return input;
  }

  /** Output of the task. */
  Payload output() {
    return output;
  }

  /** The value of a variable of loops and catches around the task, or null. */
  @Nullable Payload variable(String name) {
    int at = compensation().variables().indexOf(name);
    return at < 0 ? null : variables[at];
  }

  /** All values, as for the constructor. */
  List<Payload> values() {
    Payload[] values = new Payload[variables.length + 2];
    values[0] = input;
    values[1] = output;
    System.arraycopy(variables, 0, values, 2, variables.length);
    return Arrays.asList(values);
  }

  /** Replaces its values. */
  void replace(UnaryOperator<Payload> each) {
    input = each.apply(input);
    output = each.apply(output);
    for (int i = 0; i < variables.length; i++) {
      variables[i] = each.apply(variables[i]);
    }
  }

  /** Sums a measure of its values up. */
  long sum(ToLongFunction<Payload> measure) {
    long sum = measure.applyAsLong(input) + measure.applyAsLong(output);
    for (Payload value : variables) {
      sum += measure.applyAsLong(value);
    }
    return sum;
  }
}
