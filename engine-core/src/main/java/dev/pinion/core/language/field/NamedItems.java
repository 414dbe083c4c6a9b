package dev.pinion.core.language.field;

import dev.pinion.core.document.DocumentValue;
import dev.pinion.core.document.ValueDescription;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Lists of objects with one key each, which is a name: tasks, cases, extensions. */
public final class NamedItems {
  private NamedItems() {}

  /**
   * The named values of a list with at least one item; other items are reported.
   *
   * @param what an item, for messages
   * @param keys keys that a named value may have
   */
  public static List<DocumentValue> of(
      DocumentValue list, String what, Collection<String> keys, Diagnostics diagnostics) {
    if (!list.isArray() || list.json().isEmpty()) {
      diagnostics.expected(list, "an array with at least one " + what);
    }
    List<DocumentValue> named = new ArrayList<>();
    for (DocumentValue item : list.items()) {
      List<DocumentValue> members = item.members();
      if (!item.isObject() || members.isEmpty()) {
        diagnostics.expected(
            item, "an object with the name of " + article(what) + " as its only key");
      }
      if (isUnnamed(members, keys)) {
        diagnostics.value(
            item,
            "expected an object with the name of "
                + article(what)
                + " as its only key, found keys of "
                + article(what)
                + ", \""
                + members.get(0).name()
                + "\" and \""
                + members.get(1).name()
                + "\"; put them under a name");
        continue;
      }
      if (members.size() > 1) {
        DocumentValue second = members.get(1);
        diagnostics.key(
            second,
            "expected one %s per item, found two, \"%s\" and \"%s\"; begin each with a dash of its own"
                .formatted(
                    what,
                    ValueDescription.shorten(members.getFirst().name()),
                    ValueDescription.shorten(second.name())));
      }
      named.addAll(members);
    }
    return named;
  }

  /** Whether an item has the keys of a named value, rather than names. */
  private static boolean isUnnamed(List<DocumentValue> members, Collection<String> keys) {
    return members.size() > 1 && members.stream().allMatch(each -> keys.contains(each.name()));
  }

  private static String article(String noun) {
    return ("aeiou".indexOf(noun.charAt(0)) >= 0 ? "an " : "a ") + noun;
  }
}
