package dev.pinion.core.diagram;

import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.pinion.core.model.Payload;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Diagrams of documents in YAML. */
final class Diagrams {
  private static final String HEAD =
      "document: {dsl: 1.0.3, namespace: test, name: drawn, version: 1.0.0}\n";

  private Diagrams() {}

  /** The diagram of the tasks that follow a head. */
  static Diagram of(String tasks) {
    try {
      return read(HEAD + tasks, 10_000);
    } catch (DiagramTooLargeException e) {
      throw new AssertionError(e);
    }
  }

  static Diagram read(String yaml, int maxTasks) throws DiagramTooLargeException {
    try {
      return DiagramReader.read(Payload.of(new YAMLMapper().readTree(yaml)), maxTasks);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Shapes by symbol and name, and flows by their numbers: {@code 1>2 label}. */
  static String brief(Section section) {
    StringBuilder text = new StringBuilder();
    for (Shape shape : section.shapes()) {
      text.append(form(shape)).append(' ').append(shape.caption().name()).append(", ");
    }
    for (Flow flow : section.flows()) {
      text.append(flow.from()).append(flow.kind() == Flow.Kind.ERROR ? "~" : ">").append(flow.to());
      text.append(flow.label().isEmpty() ? "" : " " + flow.label()).append("; ");
    }
    return text.toString().replace(" ,", ",").strip();
  }

  private static String form(Shape shape) {
    return switch (shape) {
      case Shape.Node(var _, var symbol) -> symbol.name();
      case Shape.Frame(var _, var repetition, var body) -> repetition + "[" + brief(body) + "]";
      case Shape.Parallel(var _, var compete, var branches) -> {
        StringBuilder text = new StringBuilder(compete ? "RACE[" : "FORK[");
        branches.forEach(
            branch ->
                text.append(form(branch.shape()))
                    .append(' ')
                    .append(branch.shape().caption().name())
                    .append(branch.ends() ? "! " : " "));
        yield text.toString().strip() + "]";
      }
      case Shape.Guarded(var _, var body, var handler, var handling) ->
          "TRY[" + brief(body) + "] CATCH " + handler.name() + "[" + brief(handling) + "]";
      case Shape.Compensated(var task, var _, var undoing) ->
          form(task) + " UNDO[" + brief(undoing) + "]";
    };
  }
}
