package dev.pinion.core.xml;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Prefixes of name spaces that the open elements declare (Namespaces in XML 1.0). */
final class XmlPrefixes {
  private static final String XML = "xml";
  private static final String DECLARATION = "xmlns:";

  /** By prefix, the number of open elements that declare it. */
  private final Map<String, Integer> declared = new HashMap<>();

  /** The prefix that an attribute declares, or null when it declares none. */
  static @Nullable String declaredBy(String attribute) {
    return attribute.startsWith(DECLARATION) ? attribute.substring(DECLARATION.length()) : null;
  }

  /** Adds the declarations of an element; returns them for {@link #leave}. */
  List<String> enter(Iterable<String> attributes) {
    List<String> added = List.of();
    for (String attribute : attributes) {
      String prefix = declaredBy(attribute);
      if (prefix != null) {
        added = added.isEmpty() ? new ArrayList<>() : added;
        added.add(prefix);
        declared.merge(prefix, 1, Integer::sum);
      }
    }
    return added;
  }

  /** Removes the declarations of an element that ends. */
  void leave(List<String> prefixes) {
    for (String prefix : prefixes) {
      declared.computeIfPresent(prefix, (_, count) -> count == 1 ? null : count - 1);
    }
  }

  /** The prefix of a name, unless an open element declares it; null when there is none. */
  @Nullable String undeclared(String name) {
    int colon = name.indexOf(':');
    if (colon < 0) {
      return null;
    }
    String prefix = name.substring(0, colon);
    return prefix.equals(XML) || declared.containsKey(prefix) ? null : prefix;
  }
}
