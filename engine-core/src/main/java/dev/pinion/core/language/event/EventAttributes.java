package dev.pinion.core.language.event;

import dev.pinion.core.document.DocumentValue;
import dev.pinion.core.document.ValueDescription;
import dev.pinion.core.language.field.Diagnostics;
import dev.pinion.core.model.SpellingSuggestion;
import java.util.List;
import java.util.regex.Pattern;

/** Names of the attributes of CloudEvents in definitions, and {@code data}. */
final class EventAttributes {
  static final String DATA = "data";

  private static final List<String> KNOWN =
      List.of(
          "id",
          "source",
          "type",
          "time",
          "subject",
          "datacontenttype",
          "dataschema",
          "specversion",
          DATA);

  private static final Pattern NAME = Pattern.compile("[a-z0-9]+");

  private EventAttributes() {}

  /** Checks an object of attributes and data; others than the known ones are extensions. */
  static void check(DocumentValue with, String what, Diagnostics diagnostics) {
    if (!with.isObject() || with.json().isEmpty()) {
      diagnostics.expected(with, "an object with at least one attribute as " + what);
    }
    for (DocumentValue member : with.members()) {
      String name = member.name();
      if (!NAME.matcher(name).matches() || name.equals("data_base64")) {
        diagnostics.at(
            member.keyOffset(),
            member.pointer(),
            "expected the name of an attribute of a-z and 0-9 in "
                + what
                + ", found \""
                + ValueDescription.shorten(name)
                + "\"",
            () -> SpellingSuggestion.of(name, KNOWN));
      }
    }
  }
}
