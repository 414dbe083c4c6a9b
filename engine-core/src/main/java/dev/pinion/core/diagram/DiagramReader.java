package dev.pinion.core.diagram;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.pinion.core.diagram.Shape.Repetition;
import dev.pinion.core.diagram.Shape.Symbol;
import dev.pinion.core.model.Payload;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Reads the document of a definition as a diagram. It knows every kind of task of the language,
 * also those that an engine refuses, and is lenient: what it does not understand is a step.
 */
public final class DiagramReader {
  /** Most characters of the name of a task. */
  private static final int MAX_NAME_CHARS = 40;

  /** Most characters of a pointer; together they would grow with depth and length of names. */
  private static final int MAX_POINTER_CHARS = 1_000;

  /** Keys of tasks, each before those that tasks of its kind may have as well. */
  private static final List<String> KINDS =
      List.of(
          "call", "for", "try", "fork", "listen", "emit", "raise", "run", "set", "switch", "wait",
          "do");

  private static final Map<String, Symbol> SYMBOLS =
      Map.of(
          "call", Symbol.CALL,
          "run", Symbol.RUN,
          "switch", Symbol.GATEWAY,
          "wait", Symbol.TIMER,
          "emit", Symbol.EMIT,
          "listen", Symbol.LISTEN,
          "raise", Symbol.ERROR);

  private final int maxTasks;
  private int tasks;
  private int cases;

  private DiagramReader(int maxTasks) {
    this.maxTasks = maxTasks;
  }

  /**
   * The diagram of a document.
   *
   * @param maxTasks most tasks, and most cases of all switches
   * @throws DiagramTooLargeException when it has more
   */
  public static Diagram read(Payload document, int maxTasks) throws DiagramTooLargeException {
    JsonNode json = document.json();
    JsonNode head = json.path("document");
    String title =
        head.path("namespace").asText()
            + "/"
            + head.path("name").asText()
            + " "
            + head.path("version").asText();
    Section body = new DiagramReader(maxTasks).section(json.path("do"), "/do", true);
    return new Diagram(LabelText.of(title, 2 * MAX_NAME_CHARS), body);
  }

  private Section section(JsonNode list, String pointer, boolean outermost)
      throws DiagramTooLargeException {
    List<String> names = new ArrayList<>();
    if (list.isArray()) {
      list.forEach(item -> names.add(name(item)));
    }
    SectionBuilder section = new SectionBuilder(pointer, outermost, names);
    for (int i = 0; i < names.size(); i++) {
      JsonNode task = task(list.get(i));
      section.add(kind(task), task, shape(task, names.get(i), pointer + "/" + i));
    }
    return section.build();
  }

  private static String name(JsonNode item) {
    return item.isObject() && !item.isEmpty() ? item.fieldNames().next() : "";
  }

  private static JsonNode task(JsonNode item) {
    return item.isObject() && !item.isEmpty() ? item.iterator().next() : MissingNode.getInstance();
  }

  private static String kind(JsonNode task) {
    return KINDS.stream().filter(task::has).findFirst().orElse("");
  }

  /** The shape of a task at a place of a list. */
  private Shape shape(JsonNode task, String name, String place) throws DiagramTooLargeException {
    count(task);
    String pointer = place + "/" + name.replace("~", "~0").replace("/", "~1");
    if (pointer.length() > MAX_POINTER_CHARS) {
      pointer = "task-" + tasks;
    }
    String kind = kind(task);
    Caption caption =
        new Caption(
            pointer,
            word(kind, task),
            LabelText.of(name, MAX_NAME_CHARS),
            TaskDetails.of(kind, task));
    return switch (kind) {
      case "do" -> frame(caption, Repetition.ONCE, task.path("do"), pointer + "/do");
      case "for" -> frame(caption, Repetition.LOOP, task.path("do"), pointer + "/do");
      case "fork" -> fork(caption, task.path("fork"));
      case "try" -> guarded(caption, task);
      case "call" -> call(caption, task);
      case "listen" -> {
        JsonNode body = task.at("/foreach/do");
        yield body.isMissingNode()
            ? node(caption, kind)
            : frame(caption, Repetition.EVENTS, body, pointer + "/foreach/do");
      }
      default -> node(caption, kind);
    };
  }

  /** Counts a task, and its cases: a picture has a line for each of them. */
  private void count(JsonNode task) throws DiagramTooLargeException {
    cases += task.path("switch").size();
    if (++tasks > maxTasks) {
      throw new DiagramTooLargeException(maxTasks, "tasks");
    }
    if (cases > maxTasks) {
      throw new DiagramTooLargeException(maxTasks, "cases of switches");
    }
  }

  private static String word(String kind, JsonNode task) {
    if (kind.equals("call")) {
      String function = task.path("call").asText();
      return ParallelLoops.isOne(task)
          ? "for all"
          : LabelText.of("call " + function, MAX_NAME_CHARS);
    }
    return kind.isEmpty() ? "task" : kind;
  }

  private static Shape node(Caption caption, String kind) {
    return new Shape.Node(caption, SYMBOLS.getOrDefault(kind, Symbol.TASK));
  }

  private Shape frame(Caption caption, Repetition repetition, JsonNode body, String pointer)
      throws DiagramTooLargeException {
    return new Shape.Frame(caption, repetition, section(body, pointer, false));
  }

  private Shape call(Caption caption, JsonNode task) throws DiagramTooLargeException {
    if (ParallelLoops.isOne(task)) {
      return frame(caption, Repetition.PARALLEL, task.at("/with/do"), caption.id() + "/with/do");
    }
    String messages = "/with/subscription/foreach/do";
    JsonNode body = task.at(messages);
    return body.isMissingNode()
        ? node(caption, "call")
        : frame(caption, Repetition.EVENTS, body, caption.id() + messages);
  }

  private Shape fork(Caption caption, JsonNode fork) throws DiagramTooLargeException {
    List<Shape.Branch> branches = new ArrayList<>();
    for (JsonNode item : fork.path("branches")) {
      JsonNode task = task(item);
      String place = caption.id() + "/fork/branches/" + branches.size();
      Shape shape = shape(task, name(item), place);
      branches.add(new Shape.Branch(shape, task.path("then").asText().equals("end")));
    }
    boolean compete = fork.path("compete").asBoolean();
    return new Shape.Parallel(caption, compete, branches);
  }

  private Shape guarded(Caption caption, JsonNode task) throws DiagramTooLargeException {
    JsonNode handler = task.path("catch");
    String as = handler.path("as").asText("error");
    Caption caught =
        new Caption(
            caption.id() + "/catch",
            "catch",
            LabelText.of(as, MAX_NAME_CHARS),
            TaskDetails.ofCatch(handler));
    Section body = section(task.path("try"), caption.id() + "/try", false);
    Section handling =
        handler.has("do")
            ? section(handler.path("do"), caption.id() + "/catch/do", false)
            : Section.EMPTY;
    return new Shape.Guarded(caption, body, caught, handling);
  }
}
