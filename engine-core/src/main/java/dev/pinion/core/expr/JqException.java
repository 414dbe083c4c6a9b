package dev.pinion.core.expr;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;

/** An error that {@code try} can catch; carries any JSON value. */
final class JqException extends RuntimeException {
  private final transient JsonNode value;
  private final String location;

  JqException(JsonNode value) {
    this(value, "");
  }

  private JqException(JsonNode value, String place) {
    super(null, null, false, false);
    this.value = value;
    this.location = place;
  }

  /** The same error, leaving the expression at a place. */
  JqException at(String leaving) {
    return new JqException(value, leaving);
  }

  /** The place of the expression that raised it; empty when that is not known. */
  String location() {
    return location;
  }

  JqException(String message) {
    this(TextNode.valueOf(message));
  }

  JsonNode value() {
    return value;
  }
}
