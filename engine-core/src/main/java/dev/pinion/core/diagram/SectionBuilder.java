package dev.pinion.core.diagram;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.core.diagram.Shape.Symbol;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Collects the shapes of one list of tasks and the flow among them. Ends are added only when
 * something leads there. A name that is not in the list leads to the next task: a definition that
 * is not valid is drawn as far as it is understood.
 */
final class SectionBuilder {
  /** Most characters of a label. */
  private static final int MAX_LABEL_CHARS = 40;

  /** Ends, as targets beside the numbers of tasks. */
  private static final int EXIT = -1;

  private static final int END = -2;

  private final String pointer;
  private final boolean outermost;
  private final Map<String, Integer> numbers = new HashMap<>();
  private final List<Shape> shapes = new ArrayList<>();
  private final List<Flow> flows = new ArrayList<>();
  private final int size;

  /**
   * A builder.
   *
   * @param pointer pointer of the list
   * @param outermost whether the list is that of the whole process
   * @param names names of its tasks
   */
  SectionBuilder(String pointer, boolean outermost, List<String> names) {
    this.pointer = pointer;
    this.outermost = outermost;
    this.size = names.size();
    for (int i = 0; i < size; i++) {
      numbers.putIfAbsent(names.get(i), i);
    }
    shapes.add(place("start", outermost ? Symbol.START : Symbol.ENTRY));
    flows.add(new Flow(0, size == 0 ? EXIT : 1, "", Flow.Kind.NEXT));
  }

  private Shape place(String word, Symbol symbol) {
    return new Shape.Node(new Caption(pointer + "#" + word, word, "", List.of()), symbol);
  }

  /** Adds the next task. */
  void add(String kind, JsonNode task, Shape shape) {
    int number = shapes.size() - 1;
    int next = target(task.path("then"), number);
    shapes.add(shape);
    switch (kind) {
      case "switch" -> addCases(number, task.path("switch"), next);
      case "raise" -> {}
      default -> flow(number, next, "", Flow.Kind.NEXT);
    }
    JsonNode caught = task.at("/catch/then");
    if (!caught.isMissingNode()) {
      flow(number, target(caught, number), "caught", Flow.Kind.ERROR);
    }
    int after = following(number);
    boolean leads = kind.equals("raise") || kind.equals("switch") || next != after;
    if (task.has("if") && leads) {
      flow(number, after, "if not", Flow.Kind.OTHERWISE);
    }
  }

  private void addCases(int number, JsonNode cases, int otherwise) {
    boolean complete = false;
    for (JsonNode item : cases) {
      if (item.isObject() && !item.isEmpty()) {
        Map.Entry<String, JsonNode> named = item.properties().iterator().next();
        JsonNode when = named.getValue().path("when");
        complete |= when.isMissingNode();
        String label = named.getKey() + (when.isMissingNode() ? "" : ": " + when.asText());
        flow(
            number,
            target(named.getValue().path("then"), number),
            label,
            when.isMissingNode() ? Flow.Kind.OTHERWISE : Flow.Kind.CASE);
      }
    }
    if (!complete) {
      flow(number, otherwise, cases.isEmpty() ? "" : "otherwise", Flow.Kind.OTHERWISE);
    }
  }

  private int following(int number) {
    return number + 1 < size ? number + 1 : EXIT;
  }

  private int target(JsonNode then, int number) {
    return switch (then.asText()) {
      case "exit" -> EXIT;
      case "end" -> END;
      case "", "continue" -> following(number);
      default -> numbers.getOrDefault(then.asText(), following(number));
    };
  }

  private void flow(int from, int to, String label, Flow.Kind kind) {
    flows.add(new Flow(from + 1, to < 0 ? to : to + 1, LabelText.of(label, MAX_LABEL_CHARS), kind));
  }

  /** The section. */
  Section build() {
    int exit = end("end", outermost ? Symbol.END : Symbol.EXIT, EXIT, outermost ? END : EXIT);
    int terminate = outermost ? exit : end("terminate", Symbol.TERMINATE, END, END);
    List<Flow> resolved =
        flows.stream()
            .map(
                flow ->
                    new Flow(
                        flow.from(),
                        flow.to() == EXIT ? exit : flow.to() == END ? terminate : flow.to(),
                        flow.label(),
                        flow.kind()))
            .toList();
    return new Section(shapes, resolved);
  }

  private int end(String word, Symbol symbol, int target, int otherTarget) {
    if (flows.stream().anyMatch(flow -> flow.to() == target || flow.to() == otherTarget)) {
      shapes.add(place(word, symbol));
    }
    return shapes.size() - 1;
  }
}
