package dev.pinion.core.expr;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;

/** An error that {@code try} can catch; carries any JSON value. */
final class JqError extends RuntimeException {
  private final transient JsonNode value;
  private final String place;

  JqError(JsonNode value) {
    this(value, "");
  }

  private JqError(JsonNode value, String place) {
    super(null, null, false, false);
    this.value = value;
    this.place = place;
  }

  /** The same error, leaving the expression at a place. */
  JqError at(String leaving) {
    return new JqError(value, leaving);
  }

  /** The place of the expression that raised it; empty when that is not known. */
  String place() {
    return place;
  }

  JqError(String message) {
    this(TextNode.valueOf(message));
  }

  JsonNode value() {
    return value;
  }
}
