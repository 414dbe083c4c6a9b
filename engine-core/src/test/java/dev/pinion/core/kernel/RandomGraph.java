package dev.pinion.core.kernel;

import dev.pinion.core.graph.Compensation;
import dev.pinion.core.graph.FlowDirective;
import dev.pinion.core.graph.Node.Backoff;
import dev.pinion.core.graph.ProcessGraph;
import dev.pinion.core.kernel.Tasks.Option;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.ExpressionException;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.core.model.call.ChildStart;
import dev.pinion.core.model.call.HttpCall;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Random process graphs: every kind of task inside every other, from a seed. */
public final class RandomGraph {
  private static final int MOST_DEPTH = 4;
  private static final List<Backoff> BACKOFFS = List.of(Backoff.values());
  private static final long BEYOND_THE_LOOP = 20_000;

  private final Random random;
  private int tasks;

  /** Names of definitions that tasks may run. */
  private final List<String> runnable;

  /** Whether tasks have compensations. */
  private final boolean compensates;

  private RandomGraph(Random random, List<String> runnable, boolean compensates) {
    this.random = random;
    this.runnable = runnable;
    this.compensates = compensates;
  }

  /** A graph without compensations, whose tasks run others, all of them deployed. */
  public static ProcessGraph of(Random random, KernelHarness harness) {
    return of(random, harness, false);
  }

  /**
   * A graph whose tasks run others, all of them deployed.
   *
   * @param compensates whether tasks have compensations
   */
  public static ProcessGraph of(Random random, KernelHarness harness, boolean compensates) {
    ProcessGraph leaf = of(random, "leaf", List.of(), compensates);
    ProcessGraph inner = of(random, "inner", List.of("leaf"), compensates);
    ProcessGraph graph = of(random, "random", List.of("leaf", "inner"), compensates);
    harness.deploy(leaf, inner, graph);
    return graph;
  }

  private static ProcessGraph of(
      Random random, String name, List<String> runnable, boolean compensates) {
    RandomGraph graph = new RandomGraph(random, runnable, compensates);
    Duration timeout = graph.rarely() ? graph.duration() : null;
    Expression<Payload> from = graph.rarely() ? graph.value() : null;
    Expression<Payload> as = graph.rarely() ? graph.value() : null;
    return Tasks.graph(name, from, as, timeout, graph.block(0));
  }

  private boolean rarely() {
    return random.nextInt(8) == 0;
  }

  private Duration duration() {
    return Duration.ofMillis(random.nextInt(20_000));
  }

  private String name() {
    return "t" + tasks++;
  }

  private TaskSpec[] block(int depth) {
    List<TaskSpec> block = new ArrayList<>();
    int count = 1 + random.nextInt(3);
    for (int i = 0; i < count; i++) {
      block.add(decorated(task(depth)));
    }
    for (TaskSpec task : block) {
      direct(task, block);
    }
    if (random.nextInt(3) == 0) {
      block.add(random.nextInt(block.size() + 1), choice(block));
    }
    return block.toArray(new TaskSpec[0]);
  }

  private TaskSpec choice(List<TaskSpec> block) {
    Option first = Option.when(condition(), block.get(random.nextInt(block.size())).name);
    return random.nextBoolean()
        ? Tasks.choose(name(), first)
        : Tasks.choose(name(), first, Option.otherwise(directive()));
  }

  private void direct(TaskSpec task, List<TaskSpec> block) {
    if (rarely()) {
      task.then(directive());
    } else if (random.nextInt(12) == 0) {
      task.then(block.get(random.nextInt(block.size())).name);
    }
  }

  private int directive() {
    return switch (random.nextInt(5)) {
      case 0 -> FlowDirective.END;
      case 1, 2 -> FlowDirective.EXIT;
      default -> FlowDirective.CONTINUE;
    };
  }

  private TaskSpec task(int depth) {
    if (!runnable.isEmpty() && rarely()) {
      return child();
    }
    int kinds = depth < MOST_DEPTH ? 11 : 5;
    return switch (random.nextInt(kinds)) {
      case 0 -> Tasks.set(name(), value());
      case 1, 2 -> Tasks.call(name(), call());
      case 3 -> Tasks.pause(name(), maybeSlow(Values.constant(duration().toNanos())));
      case 4 -> random.nextInt(3) == 0 ? raise() : Tasks.set(name(), value());
      case 5 -> Tasks.block(name(), block(depth + 1));
      case 6 -> loop(depth);
      case 7 -> parallel(depth);
      case 8 -> Tasks.fork(name(), branches(depth));
      case 9 -> Tasks.race(name(), branches(depth));
      default -> attempt(depth);
    };
  }

  private TaskSpec child() {
    String definition = runnable.get(random.nextInt(runnable.size()));
    Expression<Payload> value = value();
    return Tasks.child(
        name(),
        (input, scope, budget) ->
            new ChildStart("tests", definition, null, value.evaluate(input, scope, budget)),
        random.nextInt(4) != 0);
  }

  private TaskSpec loop(int depth) {
    Expression<Boolean> condition = random.nextBoolean() ? condition() : null;
    return Tasks.loop(name(), "item", "index", items(), condition, block(depth + 1));
  }

  private TaskSpec parallel(int depth) {
    return Tasks.parallel(name(), random.nextInt(3), items(), block(depth + 1));
  }

  private TaskSpec[] branches(int depth) {
    TaskSpec[] branches = new TaskSpec[random.nextInt(4)];
    for (int i = 0; i < branches.length; i++) {
      branches[i] = decorated(task(depth + 1));
    }
    return branches;
  }

  private TaskSpec attempt(int depth) {
    CatchSpec handler = Tasks.handler();
    if (random.nextInt(3) == 0) {
      handler.matching(condition());
    }
    if (rarely()) {
      handler.when(condition());
    }
    if (rarely()) {
      handler.exceptWhen(condition());
    }
    if (random.nextBoolean()) {
      retry(handler);
    }
    if (random.nextBoolean()) {
      handler.run(block(depth + 1));
    }
    if (rarely()) {
      handler.then(directive());
    }
    return Tasks.attempt(name(), handler, block(depth + 1));
  }

  private void retry(CatchSpec handler) {
    handler.retry(random.nextInt(4));
    if (random.nextBoolean()) {
      handler.delay(BACKOFFS.get(random.nextInt(3)), duration());
    }
    if (rarely()) {
      handler.jitter(Duration.ofMillis(5), duration());
    }
    if (rarely()) {
      handler.attemptTimeout(duration());
    }
    if (rarely()) {
      handler.duration(duration());
    }
    if (rarely()) {
      handler.retryWhen(condition());
    }
  }

  private TaskSpec raise() {
    int status = 400 + random.nextInt(200);
    return Tasks.raise(
        name(),
        maybeSlow(Values.constant(new WorkflowError("urn:e", status, null, "random", null))));
  }

  private TaskSpec decorated(TaskSpec task) {
    if (rarely()) {
      task.when(condition());
    }
    if (rarely()) {
      task.from(value());
    }
    if (rarely()) {
      task.as(value());
    }
    if (random.nextInt(4) == 0) {
      task.export(value());
    }
    if (rarely()) {
      task.timeout(maybeSlow(Values.constant(duration().toNanos())));
    }
    if (compensates && random.nextInt(3) == 0) {
      task.capturing("item").compensate(compensation());
    }
    return task;
  }

  private TaskSpec[] compensation() {
    TaskSpec first =
        switch (random.nextInt(6)) {
          case 0 -> Tasks.set(name(), Values.variable(Compensation.OUTPUT));
          case 1 -> Tasks.pause(name(), Values.constant(duration().toNanos()));
          case 2 -> Tasks.attempt(name(), Tasks.handler().retry(2), Tasks.call(name(), call()));
          case 3 -> Tasks.loop(name(), items(), Tasks.call(name(), call()));
          case 4 -> Tasks.fork(name(), Tasks.call(name(), call()), Tasks.set(name(), value()));
          default -> Tasks.call(name(), call());
        };
    return rarely()
        ? new TaskSpec[] {
          first, Tasks.set(name(), Values.variable(Compensation.ERROR)).export(value())
        }
        : new TaskSpec[] {first};
  }

  private Expression<HttpCall> call() {
    Expression<Payload> body = value();
    return (input, scope, budget) ->
        new HttpCall(
            "POST",
            "http://service/random",
            List.of(),
            body.evaluate(input, scope, budget),
            HttpCall.Output.CONTENT,
            false);
  }

  private Expression<List<Payload>> items() {
    return maybeSlow(Values.numbers(random.nextInt(5)));
  }

  private Expression<Boolean> condition() {
    int salt = random.nextInt(1_000);
    return maybeSlow((input, scope, budget) -> (input.hashCode() + salt) % 3 != 0);
  }

  private Expression<Payload> value() {
    int salt = random.nextInt(1_000);
    Expression<Payload> value =
        switch (random.nextInt(7)) {
          case 0 -> Values.constant(Payload.of(salt));
          case 1 -> (input, scope, budget) -> Payload.of(input.hashCode() * 31L + salt);
          case 2 -> Values.variable("context");
          case 3 -> Values.variable("item");
          case 4 -> Values.variable("now");
          case 5 ->
              (input, scope, budget) ->
                  Payload.object(java.util.Map.of("k" + salt % 4, Payload.of(input.hashCode())));
          default -> Values.INPUT;
        };
    return maybeSlow(random.nextInt(40) == 0 ? failing() : value);
  }

  private static <T> Expression<T> failing() {
    return (input, scope, budget) -> {
      throw new ExpressionException("failed at random");
    };
  }

  private <T> Expression<T> maybeSlow(Expression<T> expression) {
    return random.nextInt(10) == 0 ? Values.costing(BEYOND_THE_LOOP, expression) : expression;
  }
}
