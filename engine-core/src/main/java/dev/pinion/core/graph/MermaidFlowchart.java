package dev.pinion.core.graph;

import java.util.List;

/**
 * Draws a process graph as a Mermaid flowchart: tasks are boxes, tasks with tasks inside are
 * subgraphs, arrows are the flow. Equal graphs give equal texts.
 */
public final class MermaidFlowchart {
  private final StringBuilder out = new StringBuilder();

  private MermaidFlowchart() {}

  /** The flowchart of a graph; every line ends with a line feed. */
  public static String draw(ProcessGraph graph) {
    MermaidFlowchart drawing = new MermaidFlowchart();
    drawing.line(0, "flowchart TD");
    drawing.line(1, "start([start]) --> " + id(graph.body().tasks().getFirst()));
    drawing.block(1, graph.body(), "finish");
    drawing.line(1, "finish([end])");
    return drawing.out.toString();
  }

  /** Draws a block; tasks that leave it lead to a place outside, or nowhere when that is empty. */
  private void block(int indent, Block block, String exit) {
    List<Node> tasks = block.tasks();
    tasks.forEach(task -> shape(indent, task));
    for (int i = 0; i < tasks.size(); i++) {
      arrows(indent, tasks, i, exit);
    }
  }

  private void shape(int indent, Node task) {
    String label =
        "[\"" + escape(task.attributes().name()) + "<br/>" + GraphPrinter.kind(task) + "\"]";
    switch (task) {
      case Node.Do(var _, Block body, var _) -> group(indent, task, label, body);
      case Node.For loop -> group(indent, task, label, loop.body());
      case Node.ParallelForEach loop -> group(indent, task, label, loop.body());
      case Node.Try attempt -> attempt(indent, attempt, label);
      case Node.Fork fork -> {
        line(indent, "subgraph " + id(task) + label);
        fork.branches().forEach(branch -> shape(indent + 1, branch));
        line(indent, "end");
      }
      case Node.Switch _ ->
          line(indent, id(task) + "{\"" + escape(task.attributes().name()) + "\"}");
      case Node.Set _, Node.Call _, Node.Raise _, Node.Wait _ -> line(indent, id(task) + label);
    }
  }

  private void group(int indent, Node task, String label, Block body) {
    line(indent, "subgraph " + id(task) + label);
    block(indent + 1, body, "");
    line(indent, "end");
  }

  private void attempt(int indent, Node.Try attempt, String label) {
    group(indent, attempt, label, attempt.body());
    Block handler = attempt.handler().body();
    if (handler != null) {
      String caught = id(attempt) + "c";
      line(indent, "subgraph " + caught + "[\"catch " + escape(attempt.handler().as()) + "\"]");
      block(indent + 1, handler, "");
      line(indent, "end");
      line(indent, id(attempt) + " -. error .-> " + caught);
    }
  }

  private void arrows(int indent, List<Node> tasks, int index, String exit) {
    Node task = tasks.get(index);
    ArrowStart start = new ArrowStart(task, index, tasks, exit);
    if (task instanceof Node.Switch choice) {
      choices(indent, start, choice, false);
      boolean extended =
          choice.cases().stream().anyMatch(each -> FlowDirective.isOuter(each.then()));
      boolean otherwise = choice.cases().stream().anyMatch(each -> each.when() == null);
      if (extended) {
        arrow(indent, start, "", FlowDirective.CONTINUE);
      } else if (!otherwise) {
        arrow(indent, start, "otherwise", task.attributes().next());
      }
    } else {
      arrow(indent, start, "", task.attributes().next());
    }
    caught(indent, start, task, false);
    if (task instanceof Node.Do around && around.self() != null) {
      for (Node inside : around.body().tasks()) {
        if (inside instanceof Node.Switch choice) {
          choices(indent, start, choice, true);
        }
        caught(indent, start, inside, true);
      }
    }
  }

  /** Draws the cases of a switch that lead to its own block, or to that around it. */
  private void choices(int indent, ArrowStart start, Node.Switch choice, boolean outer) {
    for (Node.Case each : choice.cases()) {
      String label = each.when() == null ? "otherwise" : "when";
      if (FlowDirective.isOuter(each.then()) == outer) {
        arrow(indent, start, label, outer ? FlowDirective.inOuter(each.then()) : each.then());
      }
    }
  }

  private void caught(int indent, ArrowStart start, Node task, boolean outer) {
    Integer then = task instanceof Node.Try attempt ? attempt.handler().then() : null;
    if (then != null && FlowDirective.isOuter(then) == outer) {
      arrow(indent, start, "caught", outer ? FlowDirective.inOuter(then) : then);
    }
  }

  /**
   * Where arrows begin.
   *
   * @param tasks the block of the task
   * @param exit where those go that leave the block
   */
  private record ArrowStart(Node task, int index, List<Node> tasks, String exit) {}

  private void arrow(int indent, ArrowStart from, String label, int next) {
    String to = target(next, from.index(), from.tasks(), from.exit());
    if (!to.isEmpty()) {
      String edge = label.isEmpty() ? " --> " : " -- " + label + " --> ";
      line(indent, id(from.task()) + edge + to);
    }
  }

  private static String target(int next, int index, List<Node> tasks, String exit) {
    return switch (next) {
      case FlowDirective.CONTINUE -> index + 1 < tasks.size() ? id(tasks.get(index + 1)) : exit;
      case FlowDirective.EXIT -> exit;
      case FlowDirective.END -> "finish";
      default -> id(tasks.get(next));
    };
  }

  private static String id(Node task) {
    return "t" + task.attributes().id();
  }

  /** Mermaid reads entity codes within quotes; everything else in a name stands for itself. */
  private static String escape(String text) {
    StringBuilder escaped = new StringBuilder();
    text.codePoints()
        .forEach(
            c -> {
              if (Character.isLetterOrDigit(c) || c == ' ' || c == '_' || c == '-' || c == '.') {
                escaped.appendCodePoint(c);
              } else {
                escaped.append('#').append(c).append(';');
              }
            });
    return escaped.toString();
  }

  private void line(int indent, String text) {
    out.append("  ".repeat(indent)).append(text).append('\n');
  }
}
