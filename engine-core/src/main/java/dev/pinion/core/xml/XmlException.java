package dev.pinion.core.xml;

/**
 * XML that cannot be read, or a JSON value that cannot be written as XML. The message says what was
 * expected, what was found and where.
 */
public final class XmlException extends Exception {
  private static final long serialVersionUID = 1;

  XmlException(String message) {
    super(message, null, false, false);
  }

  /** The message. */
  public String problem() {
    return String.valueOf(getMessage());
  }
}
