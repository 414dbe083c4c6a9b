package dev.pinion.handlers.api;

/**
 * Something wrong with a chain or with the settings of a handler.
 *
 * @param pointer JSON pointer of the value, within the whole document; with the name of the
 *     document and {@code #} before it where there are several
 * @param message what was expected and found, and what was probably meant
 */
public record SettingProblem(String pointer, String message) {
  /** The same problem, of a document with a name; with the empty one, as it is. */
  public SettingProblem in(String document) {
    return document.isEmpty() ? this : new SettingProblem(document + "#" + pointer, message);
  }

  /** Pointer and message for people. */
  @Override
  public String toString() {
    return (pointer.isEmpty() ? "the document" : pointer) + ": " + message;
  }
}
