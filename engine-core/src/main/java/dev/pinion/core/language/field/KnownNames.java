package dev.pinion.core.language.field;

import dev.pinion.core.document.ValueDescription;
import java.util.Collection;
import java.util.List;

/** Lists of names in messages. */
public final class KnownNames {
  /** Names that a message lists. */
  public static final int MAX_LISTED = 10;

  private KnownNames() {}

  /** The first names, and how many more there are. */
  public static String listed(Collection<String> names) {
    if (names.isEmpty()) {
      return "none";
    }
    List<String> first = names.stream().limit(MAX_LISTED).map(ValueDescription::shorten).toList();
    int more = names.size() - first.size();
    return String.join(", ", first) + (more > 0 ? " and " + more + " more" : "");
  }
}
