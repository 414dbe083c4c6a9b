package dev.pinion.handlers.api;

/**
 * Something wrong with a chain or with the settings of a handler.
 *
 * @param pointer JSON pointer of the value, within the whole document
 * @param message what was expected and found, and what was probably meant
 */
public record SettingProblem(String pointer, String message) {
  /** Pointer and message for people. */
  @Override
  public String toString() {
    return (pointer.isEmpty() ? "the document" : pointer) + ": " + message;
  }
}
