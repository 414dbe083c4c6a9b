package dev.pinion.core.expr;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;

/** An error that {@code try} can catch; carries any JSON value. */
final class JqError extends RuntimeException {
  private final transient JsonNode value;

  JqError(JsonNode value) {
    super(null, null, false, false);
    this.value = value;
  }

  JqError(String message) {
    this(TextNode.valueOf(message));
  }

  JsonNode value() {
    return value;
  }
}
