package dev.pinion.core.jq.value;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;

/** An error that {@code try} can catch; carries any JSON value. */
public final class JqException extends RuntimeException {
  private final transient JsonNode value;
  private final String detail;
  private final String location;

  public JqException(JsonNode value) {
    this(value, "", "");
  }

  /**
   * An error with a detail that belongs to its report, not to its value.
   *
   * @param detail what is told when nothing catches the error
   */
  public JqException(String message, String detail) {
    this(TextNode.valueOf(message), ": " + detail, "");
  }

  private JqException(JsonNode value, String detail, String place) {
    super(null, null, false, false);
    this.value = value;
    this.detail = detail;
    this.location = place;
  }

  /** The same error, leaving the expression at a place. */
  public JqException at(String leaving) {
    return new JqException(value, detail, leaving);
  }

  /** Text that follows the value where the error is reported; empty when there is none. */
  public String detail() {
    return detail;
  }

  /** The place of the expression that raised it; empty when that is not known. */
  public String location() {
    return location;
  }

  public JqException(String message) {
    this(TextNode.valueOf(message));
  }

  public JsonNode value() {
    return value;
  }
}
