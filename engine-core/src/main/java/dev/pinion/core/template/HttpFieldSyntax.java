package dev.pinion.core.template;

import dev.pinion.core.model.ExpressionException;
import dev.pinion.core.model.call.HttpCall;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Checks header fields that a definition sets (RFC 9110, section 5). */
final class HttpFieldSyntax {
  private static final String TOKEN_MARKS = "!#$%&'*+-.^_`|~";

  /** Fields that describe the connection or the framing: the engine sets them. */
  private static final Set<String> RESERVED =
      Set.of(
          "connection",
          "content-length",
          "expect",
          "host",
          "http2-settings",
          "keep-alive",
          "proxy-connection",
          "te",
          "trailer",
          "transfer-encoding",
          "upgrade");

  private HttpFieldSyntax() {}

  static List<HttpCall.HeaderField> headers(List<NameValuePairs.Entry> entries) {
    List<HttpCall.HeaderField> headers = new ArrayList<>(entries.size());
    for (NameValuePairs.Entry entry : entries) {
      String problem = nameProblem(entry.name());
      if (problem != null) {
        throw new ExpressionException(problem + entry.place());
      }
      headers.add(new HttpCall.HeaderField(entry.name(), value(entry)));
    }
    return headers;
  }

  /** The reason why a definition may not set a field of a name, or null when it may. */
  static @Nullable String nameProblem(String name) {
    if (!isToken(name)) {
      return "expected the name of a header field (letters, digits and "
          + TOKEN_MARKS
          + "), found \""
          + shown(name)
          + "\"";
    }
    if (RESERVED.contains(name.toLowerCase(Locale.ROOT))) {
      return "expected a header field that a definition may set, found \""
          + name
          + "\", which the engine sets itself";
    }
    return null;
  }

  static boolean isToken(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (!UriSyntax.isAlphanumeric(c) && TOKEN_MARKS.indexOf(c) < 0) {
        return false;
      }
    }
    return !text.isEmpty();
  }

  private static String value(NameValuePairs.Entry entry) {
    String value = entry.value().strip();
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c != '\t' && (c < 0x20 || c > 0x7e)) {
        throw new ExpressionException(
            String.format(
                Locale.ROOT,
                "expected visible ASCII characters as value of the header field \"%s\", found"
                    + " U+%04X%s",
                entry.name(),
                (int) c,
                entry.place()));
      }
    }
    return value;
  }

  private static String shown(String name) {
    String start = name.length() > 60 ? name.substring(0, 60) + "..." : name;
    return start.replaceAll("[^\\x20-\\x7e]", "?");
  }
}
