package dev.pinion.core.language.call;

import dev.pinion.core.model.SpellingSuggestion;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Request methods of HTTP and WebDAV. */
final class KnownMethods {
  private static final List<String> NAMES =
      List.of(
          "GET",
          "HEAD",
          "POST",
          "PUT",
          "PATCH",
          "DELETE",
          "OPTIONS",
          "TRACE",
          "QUERY",
          "COPY",
          "LOCK",
          "MKCALENDAR",
          "MKCOL",
          "MOVE",
          "PROPFIND",
          "PROPPATCH",
          "REPORT",
          "SEARCH",
          "UNLOCK");

  private KnownMethods() {}

  /** Whether a word is one, in upper or lower case. */
  static boolean has(String method) {
    return NAMES.contains(method.toUpperCase(Locale.ROOT));
  }

  /** The method that an unknown word probably means, in its case, or null. */
  static @Nullable String suggestion(String method) {
    String upper = SpellingSuggestion.of(method.toUpperCase(Locale.ROOT), NAMES);
    boolean lower = method.equals(method.toLowerCase(Locale.ROOT));
    return upper == null || !lower ? upper : upper.toLowerCase(Locale.ROOT);
  }
}
