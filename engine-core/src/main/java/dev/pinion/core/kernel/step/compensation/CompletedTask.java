package dev.pinion.core.kernel.step.compensation;

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
public final class CompletedTask {
  private final int number;
  private final Node task;
  private final CompensationScope scope;
  private boolean begun;
  private long heldBytes;
  private long heldHeapBytes;

  private Payload input;
  private Payload output;

  /** Values of {@link Compensation#variables}. */
  private final Payload[] variables;

  /**
   * A completed task.
   *
   * @param number its number in the order of completion, from 1
   * @param values its input, its output, and the values of {@link Compensation#variables}
   */
  public CompletedTask(int number, Node task, CompensationScope scope, List<Payload> values) {
    this.number = number;
    this.task = task;
    this.scope = scope;
    this.input = values.get(0);
    this.output = values.get(1);
    this.variables = values.subList(2, values.size()).toArray(new Payload[0]);
  }

  /** Its number in the order of completion, from 1. */
  public int number() {
    return number;
  }

  /** The task. */
  public Node task() {
    return task;
  }

  /** The scope in which it has completed. */
  public CompensationScope scope() {
    return scope;
  }

  /** Whether its compensation has begun, perhaps in vain. */
  public boolean isBegun() {
    return begun;
  }

  /** Records that its compensation begins. */
  public void begin() {
    begun = true;
  }

  /** Bytes charged for its values. */
  public long heldBytes() {
    return heldBytes;
  }

  /** Bytes of the heap charged for its values. */
  public long heldHeapBytes() {
    return heldHeapBytes;
  }

  /** Charges it for its values. */
  public void charge() {
    chargeWeight();
    heldHeapBytes = sum(Payload::heapBytes);
  }

  /** Charges it for the weight of its values, as it is in serialized state. */
  public void chargeWeight() {
    heldBytes = sum(Payload::weight);
  }

  /** Charges the heap in proportion to the charged weight. */
  public void heap(double ratio) {
    heldHeapBytes = (long) (heldBytes * ratio);
  }

  /** Ends its charge. */
  public void discharge() {
    heldBytes = 0;
    heldHeapBytes = 0;
  }

  /** How it is undone. */
  public Compensation compensation() {
    return Objects.requireNonNull(task.attributes().compensation(), "a compensation");
  }

  /** JSON pointer of the task. */
  String pointer() {
    return task.attributes().pointer();
  }

  /** Input of the task. */
  public Payload input() {
    return input;
  }

  /** Output of the task. */
  public Payload output() {
    return output;
  }

  /** The value of a variable of loops and catches around the task, or null. */
  public @Nullable Payload variable(String name) {
    int at = compensation().variables().indexOf(name);
    return at < 0 ? null : variables[at];
  }

  /** All values, as for the constructor. */
  public List<Payload> values() {
    Payload[] values = new Payload[variables.length + 2];
    values[0] = input;
    values[1] = output;
    System.arraycopy(variables, 0, values, 2, variables.length);
    return Arrays.asList(values);
  }

  /** Replaces its values. */
  public void replace(UnaryOperator<Payload> each) {
    input = each.apply(input);
    output = each.apply(output);
    for (int i = 0; i < variables.length; i++) {
      variables[i] = each.apply(variables[i]);
    }
  }

  private long sum(ToLongFunction<Payload> measure) {
    long sum = measure.applyAsLong(input) + measure.applyAsLong(output);
    for (Payload value : variables) {
      sum += measure.applyAsLong(value);
    }
    return sum;
  }
}
