package dev.pinion.core.kernel;

import dev.pinion.core.graph.Block;
import dev.pinion.core.graph.Compensation;
import dev.pinion.core.graph.DataTransform;
import dev.pinion.core.graph.FlowDirective;
import dev.pinion.core.graph.Node;
import dev.pinion.core.graph.TaskAttributes;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.Payload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Specification of a task, to become a {@link Node}; made by {@link Tasks}. */
public final class TaskSpec {
  final String name;
  private final Kind kind;
  private @Nullable Expression<Boolean> condition;
  private @Nullable Expression<Payload> inputSchema;
  private @Nullable Expression<Payload> inputFrom;
  private @Nullable Expression<Payload> outputAs;
  private @Nullable Expression<Payload> outputSchema;
  private @Nullable Expression<Payload> exportAs;
  private @Nullable Expression<Payload> exportSchema;
  private @Nullable Expression<Long> timeout;
  private int directive = FlowDirective.CONTINUE;
  private @Nullable String target;
  private @Nullable List<TaskSpec> compensation;
  private List<String> captured = List.of();

  /** Factory of the node of one kind of task. */
  @FunctionalInterface
  interface Kind {
    Node node(Numbering numbering, TaskAttributes common, Names names);
  }

  /** Finder of tasks in the same block. */
  @FunctionalInterface
  interface Names {
    int indexOf(String name);
  }

  /** Numbering of tasks in document order. */
  static final class Numbering {
    private int next;

    int count() {
      return next;
    }

    Block block(String pointer, List<TaskSpec> specs) {
      List<Node> nodes = new ArrayList<>();
      for (int i = 0; i < specs.size(); i++) {
        nodes.add(node(pointer + "/" + i, specs, i));
      }
      return new Block(nodes);
    }

    Node node(String pointer, List<TaskSpec> block, int index) {
      return block.get(index).build(this, pointer, name -> indexOf(block, name));
    }

    private static int indexOf(List<TaskSpec> block, String name) {
      for (int i = 0; i < block.size(); i++) {
        if (block.get(i).name.equals(name)) {
          return i;
        }
      }
      throw new IllegalArgumentException("expected a task \"" + name + "\" in the block");
    }
  }

  TaskSpec(String name, Kind kind) {
    this.name = name;
    this.kind = kind;
  }

  private Node build(Numbering numbering, String pointer, Names names) {
    TaskAttributes.TaskIdentity identity = identity(numbering, name, pointer + "/" + name);
    TaskAttributes common =
        new TaskAttributes(
            identity,
            condition,
            new DataTransform(inputSchema, inputFrom),
            new DataTransform(outputSchema, outputAs),
            new DataTransform(exportSchema, exportAs),
            timeout,
            target == null ? directive : names.indexOf(target),
            compensation == null ? null : compensation(numbering, identity, compensation));
    return kind.node(numbering, common, names);
  }

  private static TaskAttributes.TaskIdentity identity(
      Numbering numbering, String name, String pointer) {
    return new TaskAttributes.TaskIdentity(numbering.next++, name, pointer, Payload.EMPTY_OBJECT);
  }

  private Compensation compensation(
      Numbering numbering, TaskAttributes.TaskIdentity of, List<TaskSpec> tasks) {
    String pointer = of.pointer() + "/metadata/pinion/compensate";
    TaskAttributes common =
        new TaskAttributes(
            identity(numbering, "compensate", pointer),
            null,
            DataTransform.NONE,
            DataTransform.NONE,
            DataTransform.NONE,
            null,
            FlowDirective.CONTINUE);
    return new Compensation(new Node.Do(common, numbering.block(pointer, tasks)), captured);
  }

  public TaskSpec when(Expression<Boolean> value) {
    condition = value;
    return this;
  }

  /** Sets the tasks that compensate it. */
  public TaskSpec compensate(TaskSpec... tasks) {
    compensation = List.of(tasks);
    return this;
  }

  /** Sets which variables of loops and catches its compensation sees. */
  public TaskSpec capturing(String... names) {
    captured = List.of(names);
    return this;
  }

  public TaskSpec inputSchema(Expression<Payload> value) {
    inputSchema = value;
    return this;
  }

  public TaskSpec from(Expression<Payload> value) {
    inputFrom = value;
    return this;
  }

  public TaskSpec as(Expression<Payload> value) {
    outputAs = value;
    return this;
  }

  public TaskSpec outputSchema(Expression<Payload> value) {
    outputSchema = value;
    return this;
  }

  public TaskSpec export(Expression<Payload> value) {
    exportAs = value;
    return this;
  }

  public TaskSpec exportSchema(Expression<Payload> value) {
    exportSchema = value;
    return this;
  }

  public TaskSpec timeout(Duration value) {
    return timeout((input, scope, budget) -> value.toNanos());
  }

  TaskSpec timeout(Expression<Long> value) {
    timeout = value;
    return this;
  }

  /** Sets the next task of the same block. */
  public TaskSpec then(String task) {
    target = task;
    return this;
  }

  /** Sets the next task by a {@link FlowDirective} constant. */
  public TaskSpec then(int flow) {
    directive = flow;
    return this;
  }
}
