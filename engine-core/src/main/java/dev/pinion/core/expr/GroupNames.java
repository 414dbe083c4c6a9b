package dev.pinion.core.expr;

import com.google.re2j.Pattern;
import java.util.ArrayList;
import java.util.List;

/** Names of the groups of a regular expression, by number. */
final class GroupNames {
  private GroupNames() {}

  /** For each group from 1 its name, empty for none. */
  static List<String> of(Pattern pattern) {
    List<String> names = new ArrayList<>(java.util.Collections.nCopies(pattern.groupCount(), ""));
    pattern.namedGroups().forEach((name, group) -> names.set(group - 1, name));
    return names;
  }
}
