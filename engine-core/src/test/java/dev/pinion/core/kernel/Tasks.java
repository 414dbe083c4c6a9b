package dev.pinion.core.kernel;

import dev.pinion.core.graph.DataTransform;
import dev.pinion.core.graph.Node;
import dev.pinion.core.graph.ProcessGraph;
import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.Durability;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.core.model.call.ChildStart;
import dev.pinion.core.model.call.HttpCall;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Builds process graphs from tasks whose expressions are lambdas. */
public final class Tasks {
  private static final AtomicInteger GRAPHS = new AtomicInteger();

  private Tasks() {}

  /** A case of a switch: a condition, or null for the default, and the task it leads to. */
  public record Option(@Nullable Expression<Boolean> when, @Nullable String task, int flow) {
    public static Option when(Expression<Boolean> condition, String task) {
      return new Option(condition, task, 0);
    }

    public static Option otherwise(String task) {
      return new Option(null, task, 0);
    }

    static Option otherwise(int flow) {
      return new Option(null, null, flow);
    }
  }

  public static ProcessGraph graph(TaskSpec... tasks) {
    return graph("test", null, null, null, tasks);
  }

  public static ProcessGraph graph(
      String name,
      @Nullable Expression<Payload> inputFrom,
      @Nullable Expression<Payload> outputAs,
      @Nullable Duration timeout,
      TaskSpec... tasks) {
    TaskSpec.Numbering numbering = new TaskSpec.Numbering();
    var body = numbering.block("/do", List.of(tasks));
    return ProcessGraph.of(
        new ProcessGraph.DefinitionContent(
            new DefinitionKey("tests", name, "1.0." + GRAPHS.getAndIncrement()),
            Payload.EMPTY_OBJECT,
            name.hashCode()),
        numbering.count(),
        new DataTransform(null, inputFrom),
        body,
        new DataTransform(null, outputAs),
        timeout == null ? null : (input, scope, budget) -> timeout.toNanos(),
        null);
  }

  public static TaskSpec set(String name, Expression<Payload> value) {
    return new TaskSpec(name, (numbering, common, names) -> new Node.Set(common, value));
  }

  public static TaskSpec set(String name, long value) {
    return set(name, Values.constant(Payload.of(value)));
  }

  /** A task whose output is its input. */
  public static TaskSpec nothing(String name) {
    return set(name, Values.INPUT);
  }

  /** A POST of the task's input. */
  public static TaskSpec call(String name, String uri) {
    Expression<HttpCall> call =
        (input, scope, budget) ->
            new HttpCall("POST", uri, List.of(), input, HttpCall.Output.CONTENT, false);
    return call(name, call);
  }

  public static TaskSpec call(String name) {
    return call(name, "http://service/" + name);
  }

  public static TaskSpec call(String name, Expression<HttpCall> call) {
    return new TaskSpec(name, (numbering, common, names) -> new Node.Call(common, call));
  }

  /** A run of the latest version of a definition, with the task's input. */
  public static TaskSpec child(String name, ProcessGraph definition) {
    return child(name, definition.key().name(), true);
  }

  /** A run of the latest version of a definition that nobody waits for. */
  public static TaskSpec detached(String name, ProcessGraph definition) {
    return child(name, definition.key().name(), false);
  }

  public static TaskSpec child(String name, String definition, boolean await) {
    return child(
        name, (input, scope, budget) -> new ChildStart("tests", definition, null, input), await);
  }

  public static TaskSpec child(String name, Expression<ChildStart> start, boolean await) {
    return child(name, start, await, true);
  }

  /** A run of the latest version of a definition whose output is not that of the task. */
  public static TaskSpec unreturned(String name, ProcessGraph definition) {
    Expression<ChildStart> start =
        (input, scope, budget) -> new ChildStart("tests", definition.key().name(), null, input);
    return child(name, start, true, false);
  }

  private static TaskSpec child(
      String name, Expression<ChildStart> start, boolean await, boolean returns) {
    return new TaskSpec(
        name, (numbering, common, names) -> new Node.RunWorkflow(common, start, await, returns));
  }

  /** A graph with a name. */
  public static ProcessGraph named(String name, TaskSpec... tasks) {
    return graph(name, null, null, null, tasks);
  }

  /** A graph whose instances are not journalled. */
  public static ProcessGraph inMemory(ProcessGraph graph) {
    return ProcessGraph.of(
        graph.source(),
        graph.tasks(),
        graph.input(),
        graph.body(),
        graph.output(),
        graph.timeoutNanos(),
        Durability.NONE);
  }

  public static TaskSpec block(String name, TaskSpec... tasks) {
    return new TaskSpec(
        name,
        (numbering, common, names) ->
            new Node.Do(common, numbering.block(common.pointer() + "/do", List.of(tasks))));
  }

  public static TaskSpec choose(String name, Option... options) {
    return new TaskSpec(
        name,
        (numbering, common, names) -> {
          List<Node.Case> cases = new ArrayList<>();
          for (Option option : options) {
            int then = option.task == null ? option.flow : names.indexOf(option.task);
            cases.add(new Node.Case(option.when, then));
          }
          return new Node.Switch(common, cases);
        });
  }

  public static TaskSpec loop(String name, Expression<List<Payload>> in, TaskSpec... tasks) {
    return loop(name, "item", "index", in, null, tasks);
  }

  public static TaskSpec loop(
      String name,
      String each,
      String at,
      Expression<List<Payload>> in,
      @Nullable Expression<Boolean> condition,
      TaskSpec... tasks) {
    return new TaskSpec(
        name,
        (numbering, common, names) ->
            new Node.For(
                common,
                each,
                at,
                in,
                condition,
                numbering.block(common.pointer() + "/do", List.of(tasks))));
  }

  public static TaskSpec parallel(
      String name, int maxConcurrency, Expression<List<Payload>> in, TaskSpec... tasks) {
    return new TaskSpec(
        name,
        (numbering, common, names) ->
            new Node.ParallelForEach(
                common,
                "item",
                "index",
                in,
                maxConcurrency,
                numbering.block(common.pointer() + "/with/do", List.of(tasks))));
  }

  public static TaskSpec fork(String name, TaskSpec... branches) {
    return fork(name, false, branches);
  }

  public static TaskSpec race(String name, TaskSpec... branches) {
    return fork(name, true, branches);
  }

  private static TaskSpec fork(String name, boolean compete, TaskSpec... branches) {
    return new TaskSpec(
        name,
        (numbering, common, names) -> {
          List<Node> nodes = new ArrayList<>();
          for (int i = 0; i < branches.length; i++) {
            String pointer = common.pointer() + "/fork/branches/" + i;
            nodes.add(numbering.node(pointer, List.of(branches), i));
          }
          return new Node.Fork(common, nodes, compete);
        });
  }

  public static TaskSpec attempt(String name, CatchSpec handler, TaskSpec... tasks) {
    return new TaskSpec(
        name,
        (numbering, common, names) ->
            new Node.Try(
                common,
                numbering.block(common.pointer() + "/try", List.of(tasks)),
                handler.build(numbering, common.pointer(), names)));
  }

  public static CatchSpec handler() {
    return new CatchSpec();
  }

  public static TaskSpec raise(String name, String type, int status) {
    return raise(
        name,
        (input, scope, budget) -> new WorkflowError(type, status, "raised", "by " + name, null));
  }

  public static TaskSpec raise(String name, Expression<WorkflowError> error) {
    return new TaskSpec(name, (numbering, common, names) -> new Node.Raise(common, error));
  }

  public static TaskSpec pause(String name, Duration duration) {
    return pause(name, (input, scope, budget) -> duration.toNanos());
  }

  static TaskSpec pause(String name, Expression<Long> nanos) {
    return new TaskSpec(name, (numbering, common, names) -> new Node.Wait(common, nanos));
  }
}
