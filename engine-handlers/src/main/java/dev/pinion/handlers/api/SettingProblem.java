package dev.pinion.handlers.api;

/**
 * A problem of a chain or of the settings of a handler.
 *
 * @param pointer JSON pointer of the value, within the whole document; with the name of the
 *     document and {@code #} before it where there are several
 * @param message the expectation, the value found, and perhaps a suggestion
 */
public record SettingProblem(String pointer, String message) {
  /** The same problem in a named document; unchanged for the empty name. */
  public SettingProblem in(String document) {
    return document.isEmpty() ? this : new SettingProblem(document + "#" + pointer, message);
  }

  /** Pointer and message for people. */
  @Override
  public String toString() {
    return (pointer.isEmpty() ? "the document" : pointer) + ": " + message;
  }
}
