package dev.pinion.core.model;

import org.jspecify.annotations.Nullable;

/**
 * One problem of a definition, located.
 *
 * @param pointer JSON pointer of the value concerned; empty for the whole document
 * @param line line of the document, from 1; 0 when unknown
 * @param column column of the line, from 1; 0 when unknown
 * @param message what was expected and what was found
 * @param suggestion probable correction, or null
 */
public record Diagnostic(
    String pointer, int line, int column, String message, @Nullable String suggestion) {
  /** One line for people: {@code line:column pointer: message; did you mean "x"?} */
  @Override
  public String toString() {
    String where = pointer.isEmpty() ? "/" : pointer;
    String hint = suggestion == null ? "" : "; did you mean \"" + suggestion + "\"?";
    return line + ":" + column + " " + where + ": " + message + hint;
  }
}
