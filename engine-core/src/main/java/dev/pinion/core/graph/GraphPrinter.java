package dev.pinion.core.graph;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Prints a process graph as indented text: one line per task with its number, kind, name and flow
 * target, in document order. Equal graphs give equal texts.
 */
public final class GraphPrinter {
  private final StringBuilder out = new StringBuilder();

  private GraphPrinter() {}

  /** The text of a graph; every line ends with a line feed. */
  public static String print(ProcessGraph graph) {
    GraphPrinter printer = new GraphPrinter();
    printer.line(0, graph.key() + attributes(graphAttributes(graph)));
    printer.block(1, graph.body());
    return printer.out.toString();
  }

  private static List<String> graphAttributes(ProcessGraph graph) {
    List<String> names = new ArrayList<>();
    addIf(names, "input.schema", graph.input().schema());
    addIf(names, "input.from", graph.input().transformation());
    addIf(names, "output.as", graph.output().transformation());
    addIf(names, "output.schema", graph.output().schema());
    addIf(names, "timeout", graph.timeoutNanos());
    return names;
  }

  private void block(int indent, Block block) {
    for (Node task : block.tasks()) {
      task(indent, task, block.tasks());
    }
  }

  private void task(int indent, Node task, List<Node> siblings) {
    TaskAttributes common = task.attributes();
    line(
        indent,
        common.id()
            + " "
            + kind(task)
            + " "
            + common.name()
            + attributes(taskAttributes(common))
            + arrow(common.next(), siblings));
    if (common.compensation() != null) {
      task(indent + 1, common.compensation().task(), List.of());
    }
    switch (task) {
      case Node.Do(var _, Block body, var _) -> block(indent + 1, body);
      case Node.Switch choice -> cases(indent + 1, choice, siblings);
      case Node.For loop -> block(indent + 1, loop.body());
      case Node.ParallelForEach loop -> block(indent + 1, loop.body());
      case Node.Fork fork -> fork.branches().forEach(branch -> task(indent + 1, branch, List.of()));
      case Node.Try attempt -> attempt(indent, attempt, siblings);
      case Node.Listen listen when listen.foreach() != null -> iteration(indent, listen.foreach());
      case Node.Subscribe subscription when subscription.foreach() != null ->
          iteration(indent, subscription.foreach());
      case Node.Set _,
          Node.Call _,
          Node.Subscribe _,
          Node.RunWorkflow _,
          Node.Emit _,
          Node.Listen _,
          Node.Raise _,
          Node.Wait _,
          Node.Schedule _ -> {}
    }
  }

  /** The kind of a task, with details of its shape. */
  static String kind(Node task) {
    return switch (task) {
      case Node.Do _ -> "do";
      case Node.Set _ -> "set";
      case Node.Call _ -> "call";
      case Node.Schedule schedule -> "schedule(" + schedule.rule().recurrence().rule() + ")";
      case Node.Subscribe subscription -> "subscribe" + consumption(subscription.consumption());
      case Node.RunWorkflow run ->
          "run workflow" + (run.await() ? "" : "(no await)") + (run.returns() ? "" : "(no return)");
      case Node.Switch _ -> "switch";
      case Node.For loop ->
          "for(" + loop.each() + ", " + loop.at() + (loop.condition() == null ? ")" : ", while)");
      case Node.Fork fork -> fork.compete() ? "fork(compete)" : "fork";
      case Node.ParallelForEach loop ->
          "parallelForEach("
              + loop.each()
              + ", "
              + loop.at()
              + (loop.maxConcurrency() == 0 ? ")" : ", at most " + loop.maxConcurrency() + ")");
      case Node.Try _ -> "try";
      case Node.Raise _ -> "raise";
      case Node.Emit _ -> "emit";
      case Node.Listen listen -> "listen(" + consumption(listen.to()) + ")";
      case Node.Wait _ -> "wait";
    };
  }

  private static String consumption(EventConsumption to) {
    String strategy = to.strategy().name().toLowerCase(Locale.ROOT);
    String until = to.until() == null ? "" : ", until";
    EventConsumption end = to.end();
    return strategy
        + " of "
        + to.filters().size()
        + until
        + (end == null ? "" : ", until " + consumption(end));
  }

  private static String consumption(MessageConsumption consumption) {
    List<String> parts = new ArrayList<>();
    addIf(parts, "filter", consumption.filter());
    if (consumption.amount() != MessageConsumption.UNBOUNDED) {
      parts.add(Integer.toString(consumption.amount()));
    }
    addIf(parts, "while", consumption.condition());
    addIf(parts, "until", consumption.until());
    addIf(parts, "for", consumption.durationNanos());
    return "(" + String.join(", ", parts) + ")";
  }

  private void iteration(int indent, EventIteration iteration) {
    List<String> names = new ArrayList<>();
    addIf(names, "output.as", iteration.output().transformation());
    addIf(names, "output.schema", iteration.output().schema());
    addIf(names, "export.as", iteration.export().transformation());
    addIf(names, "export.schema", iteration.export().schema());
    line(indent + 1, "foreach " + iteration.item() + ", " + iteration.at() + attributes(names));
    if (iteration.body() != null) {
      block(indent + 2, iteration.body());
    }
  }

  private void cases(int indent, Node.Switch choice, List<Node> siblings) {
    for (Node.Case each : choice.cases()) {
      String label = each.when() == null ? "otherwise" : "when";
      line(indent, label + " -> " + target(each.then(), siblings));
    }
  }

  private void attempt(int indent, Node.Try attempt, List<Node> siblings) {
    block(indent + 1, attempt.body());
    Node.Catch handler = attempt.handler();
    List<String> names = new ArrayList<>();
    addIf(names, "errors", handler.matches());
    addIf(names, "when", handler.when());
    addIf(names, "exceptWhen", handler.exceptWhen());
    if (handler.retry() != null) {
      names.add(retry(handler.retry()));
    }
    Integer then = handler.then();
    line(
        indent,
        "catch "
            + handler.as()
            + attributes(names)
            + (then == null ? "" : " -> " + target(then, siblings)));
    if (handler.body() != null) {
      block(indent + 1, handler.body());
    }
  }

  private static String retry(Node.Retry retry) {
    return "retry "
        + retry.delay().backoff().name().toLowerCase(Locale.ROOT)
        + (retry.limit().maxRetries() == Integer.MAX_VALUE
            ? ""
            : " at most " + retry.limit().maxRetries());
  }

  private static List<String> taskAttributes(TaskAttributes common) {
    List<String> names = new ArrayList<>();
    addIf(names, "if", common.condition());
    addIf(names, "input.schema", common.input().schema());
    addIf(names, "input.from", common.input().transformation());
    addIf(names, "output.as", common.output().transformation());
    addIf(names, "output.schema", common.output().schema());
    addIf(names, "export.as", common.export().transformation());
    addIf(names, "export.schema", common.export().schema());
    addIf(names, "timeout", common.timeoutNanos());
    return names;
  }

  private static void addIf(List<String> names, String name, @Nullable Object value) {
    if (value != null) {
      names.add(name);
    }
  }

  private static String attributes(List<String> names) {
    return names.isEmpty() ? "" : " [" + String.join(", ", names) + "]";
  }

  private static String arrow(int next, List<Node> siblings) {
    return next == FlowDirective.CONTINUE ? "" : " -> " + target(next, siblings);
  }

  private static String target(int next, List<Node> siblings) {
    if (FlowDirective.isOuter(next)) {
      int outer = FlowDirective.inOuter(next);
      return "outer " + (outer < 0 ? target(outer, siblings) : String.valueOf(outer));
    }
    return switch (next) {
      case FlowDirective.CONTINUE -> "continue";
      case FlowDirective.EXIT -> "exit";
      case FlowDirective.END -> "end";
      default ->
          siblings.get(next).attributes().id() + " " + siblings.get(next).attributes().name();
    };
  }

  private void line(int indent, String text) {
    out.append("  ".repeat(indent)).append(text).append('\n');
  }
}
