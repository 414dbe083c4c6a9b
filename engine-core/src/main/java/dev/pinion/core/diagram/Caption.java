package dev.pinion.core.diagram;

import java.util.List;

/**
 * What a shape says. All texts are fit for people: one line, without control characters.
 *
 * @param id JSON pointer of the task; of a shape that is no task, pointer of its list and {@code #}
 *     and a word; a number in the place of a very long pointer
 * @param kind kind of the task, such as {@code set}
 * @param name name of the task; empty when the shape is no task
 * @param details what the task is about, a few words each
 */
public record Caption(String id, String kind, String name, List<String> details) {
  /** Copies the list. */
  public Caption {
    details = List.copyOf(details);
  }
}
