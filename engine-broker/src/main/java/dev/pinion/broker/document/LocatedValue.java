package dev.pinion.broker.document;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * A value of a document with its place.
 *
 * @param node the value
 * @param pointer its JSON pointer
 */
record LocatedValue(JsonNode node, String pointer) {
  /** A member of this object; missing when there is none. */
  LocatedValue member(String key) {
    return new LocatedValue(
        node.path(key), pointer + "/" + key.replace("~", "~0").replace("/", "~1"));
  }

  /** An item of this array. */
  LocatedValue item(int index) {
    return new LocatedValue(node.path(index), pointer + "/" + index);
  }

  boolean isPresent() {
    return !node.isMissingNode();
  }

  /** Its description for messages; long values are cut. */
  String describe() {
    if (node.isMissingNode()) {
      return "none";
    }
    if (node.isObject()) {
      return "an object";
    }
    if (node.isArray()) {
      return "an array";
    }
    String text = node.toString();
    return text.length() <= 40 ? text : text.substring(0, 40) + "…";
  }
}
