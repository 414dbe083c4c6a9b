package dev.pinion.core.language.reference;

/** A document that a definition refers to and may not have, or that could not be fetched. */
public final class UnavailableDocumentException extends Exception {
  /** The reason, by what was expected and what was found. */
  public UnavailableDocumentException(String problem) {
    super(problem, null, false, false);
  }

  /** The reason, which is never absent. */
  public String problem() {
    return String.valueOf(getMessage());
  }
}
