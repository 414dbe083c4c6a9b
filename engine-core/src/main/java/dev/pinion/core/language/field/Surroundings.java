package dev.pinion.core.language.field;

import dev.pinion.core.document.DocumentValue;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How tasks came to their place in the graph: as they stand in the definition, or inlined.
 *
 * @param from JSON pointer in its document of what was inlined; empty for a definition
 * @param to its pointer in the graph
 * @param name name of the function, or empty when it is no function
 * @param calls the functions around, outermost first
 * @param subject what {@code $task} means in expressions, or null for the task that has them
 * @param extensible whether extensions apply to the tasks
 */
public record Surroundings(
    String from,
    String to,
    String name,
    List<String> calls,
    @Nullable TaskSubject subject,
    boolean extensible) {
  /** Levels of nesting that a call of a function adds, besides those of the function. */
  private static final int CALL_LEVELS = 3;

  /** The tasks of a definition. */
  public static final Surroundings DEFINITION = new Surroundings("", "", "", List.of(), null, true);

  /** Copies the list. */
  public Surroundings {
    calls = List.copyOf(calls);
  }

  /** The pointer in the graph of a value of the document. */
  public String pointer(DocumentValue documentValue) {
    return to + documentValue.pointer().substring(from.length());
  }

  /** The name of a task. */
  public String name(DocumentValue task) {
    return isFunction(task) ? name : task.name();
  }

  /** Whether a task is a function, and not one of the tasks inside it. */
  public boolean isFunction(DocumentValue task) {
    return !calls.isEmpty() && task.pointer().equals(from);
  }

  /**
   * The inside of a function.
   *
   * @param caller pointer in the graph of the task that calls it
   * @param function pointer of the function in its document
   * @param called its name in the call
   * @param identity what identifies it
   */
  public Surroundings called(String caller, String function, String called, String identity) {
    List<String> more = new ArrayList<>(calls);
    more.add(identity);
    return new Surroundings(function, caller + "/call", called, more, null, extensible);
  }

  /**
   * The tasks of an extension, which are not extended.
   *
   * @param document pointer of their list in its document
   * @param graph pointer of their list in the graph
   */
  public Surroundings extension(String document, String graph, TaskSubject means) {
    return new Surroundings(document, graph, "", List.of(), means, false);
  }

  /** Levels of nesting that a call from a task reaches, when the function has so many. */
  public static int levels(String caller, int function) {
    return (int) caller.chars().filter(c -> c == '/').count() + CALL_LEVELS + function;
  }
}
