package dev.pinion.core.diagram;

import dev.pinion.core.model.Payload;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A diagram as JSON: nodes, of which some are inside of others, and edges. Nodes come in the order
 * of the document.
 */
public final class DiagramJson {
  private final List<Payload> nodes = new ArrayList<>();
  private final List<Payload> edges = new ArrayList<>();

  private DiagramJson() {}

  /** The diagram as one object. */
  public static Payload of(Diagram diagram) {
    DiagramJson json = new DiagramJson();
    json.section(diagram.body(), "");
    Map<String, Payload> members = new LinkedHashMap<>();
    members.put("title", Payload.of(diagram.title()));
    members.put("nodes", Payload.array(json.nodes));
    members.put("edges", Payload.array(json.edges));
    return Payload.object(members);
  }

  private void section(Section section, String parent) {
    List<Shape> shapes = section.shapes();
    shapes.forEach(shape -> shape(shape, parent));
    for (Flow flow : section.flows()) {
      edge(
          shapes.get(flow.from()).caption().id(),
          shapes.get(flow.to()).caption().id(),
          word(flow.kind()),
          flow.label());
    }
  }

  private void edge(String from, String to, Payload kind, String label) {
    Map<String, Payload> edge = new LinkedHashMap<>();
    edge.put("from", Payload.of(from));
    edge.put("to", Payload.of(to));
    edge.put("kind", kind);
    if (!label.isEmpty()) {
      edge.put("label", Payload.of(label));
    }
    edges.add(Payload.object(edge));
  }

  private void shape(Shape shape, String parent) {
    String id = shape.caption().id();
    switch (shape) {
      case Shape.Node(var caption, var symbol) -> node(caption, word(symbol), parent);
      case Shape.Frame(var caption, var repetition, var body) -> {
        node(
            caption,
            repetition == Shape.Repetition.ONCE ? Payload.of("frame") : word(repetition),
            parent);
        section(body, id);
      }
      case Shape.Parallel(var caption, var compete, var branches) -> {
        node(caption, Payload.of(compete ? "race" : "fork"), parent);
        branches.forEach(branch -> shape(branch.shape(), id));
      }
      case Shape.Guarded(var caption, var body, var handler, var handling) -> {
        node(caption, Payload.of("try"), parent);
        section(body, id);
        node(handler, Payload.of("catch"), id);
        section(handling, handler.id());
      }
      case Shape.Compensated(var task, var compensation, var undoing) -> {
        shape(task, parent);
        node(compensation, Payload.of("compensation"), parent);
        section(undoing, compensation.id());
        edge(id, compensation.id(), Payload.of("compensation"), "");
      }
    }
  }

  private void node(Caption caption, Payload shape, String parent) {
    Map<String, Payload> node = new LinkedHashMap<>();
    node.put("id", Payload.of(caption.id()));
    node.put("shape", shape);
    node.put("kind", Payload.of(caption.kind()));
    if (!caption.name().isEmpty()) {
      node.put("name", Payload.of(caption.name()));
    }
    if (!caption.details().isEmpty()) {
      node.put("details", Payload.array(caption.details().stream().map(Payload::of).toList()));
    }
    if (!parent.isEmpty()) {
      node.put("parent", Payload.of(parent));
    }
    nodes.add(Payload.object(node));
  }

  private static Payload word(Enum<?> constant) {
    return Payload.of(constant.name().toLowerCase(Locale.ROOT));
  }
}
