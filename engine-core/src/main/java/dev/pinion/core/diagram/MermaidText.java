package dev.pinion.core.diagram;

import dev.pinion.core.diagram.Shape.Symbol;
import java.util.List;

/**
 * A diagram as a Mermaid flowchart: steps are boxes, choices diamonds, events round, lists of tasks
 * subgraphs. Ids are pointers of tasks in which a character that is no letter or digit is its code
 * point, hexadecimal, between underscores.
 */
public final class MermaidText {
  /** Most levels that are indented. */
  private static final int MAX_INDENT = 12;

  private static final String STYLES =
      """
        classDef bar fill:#57606a,stroke:#57606a,color:#ffffff
        classDef end_ fill:#24292f,stroke:#24292f,color:#ffffff
        classDef error fill:#ffebe9,stroke:#cf222e,color:#82071e
        classDef event fill:#fff8c5,stroke:#9a6700,color:#4d2d00
      """;

  private final StringBuilder out = new StringBuilder();

  private MermaidText() {}

  /** The flowchart; every line ends with a line feed. */
  public static String of(Diagram diagram) {
    MermaidText text = new MermaidText();
    text.line(0, "---");
    text.line(0, "title: \"" + diagram.title().replaceAll("[^A-Za-z0-9 ./+-]", "?") + "\"");
    text.line(0, "---");
    text.line(0, "flowchart TD");
    text.section(1, diagram.body());
    text.out.append(STYLES);
    return text.out.toString();
  }

  private void section(int indent, Section section) {
    List<Shape> shapes = section.shapes();
    shapes.forEach(shape -> shape(indent, shape));
    for (Flow flow : section.flows()) {
      String arrow = flow.kind() == Flow.Kind.ERROR ? " -.->" : " -->";
      line(
          indent,
          id(shapes.get(flow.from()).caption())
              + arrow
              + (flow.label().isEmpty() ? " " : "|\"" + escaped(flow.label()) + "\"| ")
              + id(shapes.get(flow.to()).caption()));
    }
  }

  private void shape(int indent, Shape shape) {
    Caption caption = shape.caption();
    switch (shape) {
      case Shape.Node(var _, var symbol) -> line(indent, id(caption) + form(symbol, caption));
      case Shape.Frame(var _, var _, var body) -> group(indent, caption, body);
      case Shape.Parallel parallel -> parallel(indent, parallel);
      case Shape.Guarded(var _, var body, var handler, var handling) -> {
        line(indent, "subgraph " + id(caption) + "[\"" + label(caption) + "\"]");
        String guarded = id(caption) + "_body";
        line(indent + 1, "subgraph " + guarded + "[\" \"]");
        section(indent + 2, body);
        line(indent + 1, "end");
        if (handling.isEmpty()) {
          line(indent + 1, id(handler) + "[\"" + label(handler) + "\"]:::error");
        } else {
          group(indent + 1, handler, handling);
        }
        line(indent + 1, guarded + " -.->|\"error\"| " + id(handler));
        line(indent, "end");
      }
      case Shape.Compensated(var task, var compensation, var undoing) -> {
        shape(indent, task);
        group(indent, compensation, undoing);
        line(indent, id(caption) + " -.-> " + id(compensation));
      }
    }
  }

  private void group(int indent, Caption caption, Section body) {
    line(indent, "subgraph " + id(caption) + "[\"" + label(caption) + "\"]");
    section(indent + 1, body);
    line(indent, "end");
  }

  private void parallel(int indent, Shape.Parallel fork) {
    Caption caption = fork.caption();
    String split = id(caption) + "_split";
    String join = id(caption) + "_join";
    line(indent, "subgraph " + id(caption) + "[\"" + label(caption) + "\"]");
    line(indent + 1, split + "[\"" + (fork.compete() ? "race" : "all") + "\"]:::bar");
    line(indent + 1, join + "[\"" + (fork.compete() ? "first" : "all done") + "\"]:::bar");
    for (Shape.Branch branch : fork.branches()) {
      String id = id(branch.shape().caption());
      shape(indent + 1, branch.shape());
      line(indent + 1, split + " --> " + id);
      if (branch.ends()) {
        line(indent + 1, id + "_terminate((\"end\")):::end_");
        line(indent + 1, id + " --> " + id + "_terminate");
      } else {
        line(indent + 1, id + " --> " + join);
      }
    }
    line(indent, "end");
  }

  private static String form(Symbol symbol, Caption caption) {
    String label = '"' + label(caption) + '"';
    return switch (symbol) {
      case START -> "([\"start\"])";
      case END -> "([\"end\"]):::end_";
      case ENTRY -> "((\" \"))";
      case EXIT -> "(((\" \")))";
      case TERMINATE -> "((\"end\")):::end_";
      case TASK, CALL -> "[" + label + "]";
      case RUN -> "[[" + label + "]]";
      case GATEWAY -> "{" + label + "}";
      case TIMER, LISTEN -> "([" + label + "]):::event";
      case EMIT -> ">" + label + "]:::event";
      case ERROR -> "([" + label + "]):::error";
    };
  }

  private static String label(Caption caption) {
    StringBuilder label = new StringBuilder(escaped(caption.kind() + " " + caption.name()));
    caption.details().forEach(detail -> label.append("<br/>").append(escaped(detail)));
    return label.toString();
  }

  private static String id(Caption caption) {
    StringBuilder id = new StringBuilder("t");
    caption
        .id()
        .codePoints()
        .forEach(
            c -> {
              if (isPlain(c)) {
                id.appendCodePoint(c);
              } else {
                id.append('_').append(Integer.toHexString(c)).append('_');
              }
            });
    return id.toString();
  }

  /** Mermaid reads entity codes within quotes; everything else in a name stands for itself. */
  private static String escaped(String text) {
    StringBuilder escaped = new StringBuilder();
    text.codePoints()
        .forEach(
            c -> {
              if (isPlain(c) || c == ' ' || c == '_' || c == '-' || c == '.') {
                escaped.appendCodePoint(c);
              } else {
                escaped.append('#').append(c).append(';');
              }
            });
    return escaped.toString();
  }

  private static boolean isPlain(int c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  }

  private void line(int indent, String text) {
    out.append("  ".repeat(Math.min(indent, MAX_INDENT))).append(text).append('\n');
  }
}
