package dev.pinion.documents;

import com.fasterxml.jackson.databind.JsonNode;

/** JSON that a page shows, against JSON that was found. */
final class Expected {
  /** Stands for any value. */
  private static final String ANY = "…";

  private Expected() {}

  /** Whether both are equal, numbers by value. */
  static boolean equal(JsonNode shown, JsonNode found) {
    return compare(shown, found, true);
  }

  /** Whether all that is shown was found; members that are not shown may be there. */
  static boolean holds(JsonNode shown, JsonNode found) {
    return compare(shown, found, false);
  }

  private static boolean compare(JsonNode shown, JsonNode found, boolean whole) {
    if (shown.isTextual() && shown.textValue().equals(ANY)) {
      return !found.isMissingNode();
    }
    if (shown.isObject()) {
      return found.isObject()
          && (!whole || shown.size() == found.size())
          && shown
              .propertyStream()
              .allMatch(each -> compare(each.getValue(), found.path(each.getKey()), whole));
    }
    if (shown.isArray()) {
      if (!found.isArray() || shown.size() != found.size()) {
        return false;
      }
      for (int i = 0; i < shown.size(); i++) {
        if (!compare(shown.get(i), found.get(i), whole)) {
          return false;
        }
      }
      return true;
    }
    if (shown.isNumber() && found.isNumber()) {
      return shown.decimalValue().compareTo(found.decimalValue()) == 0;
    }
    return shown.equals(found);
  }
}
