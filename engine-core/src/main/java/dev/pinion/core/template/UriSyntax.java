package dev.pinion.core.template;

import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.ExpressionException;
import dev.pinion.core.model.WorkflowError;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** URIs as text (RFC 3986). */
public final class UriSyntax {
  private static final List<String> SCHEMES = List.of("http", "https", "svc");
  private static final String UNRESERVED_MARKS = "-._~";
  private static final String RESERVED = ":/?#[]@!$&'()*+,;=";
  private static final String IN_QUERY = ":/?@!$'()*,;=";
  private static final String HEX = "0123456789ABCDEF";
  private static final int MAX_PORT = 65_535;
  private static final int MAX_PORT_DIGITS = 5;

  private UriSyntax() {}

  /** Percent-encodes everything but unreserved characters. */
  public static String encode(String text) {
    return encode(text, UNRESERVED_MARKS, false);
  }

  /**
   * Percent-encodes everything but unreserved characters and those that have a meaning in a URI,
   * but cannot end a value of its query.
   */
  public static String encodeInQuery(String text) {
    return encode(text, UNRESERVED_MARKS + IN_QUERY, false);
  }

  /** Percent-encodes characters that a URI may not contain; keeps percent-encoded ones. */
  public static String encodeIllegal(String text) {
    return encode(text, UNRESERVED_MARKS + RESERVED, true);
  }

  private static String encode(String text, String kept, boolean keepTriplets) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    StringBuilder out = new StringBuilder(bytes.length + 16);
    for (int i = 0; i < bytes.length; i++) {
      char c = (char) (bytes[i] & 0xff);
      boolean triplet = keepTriplets && c == '%' && isHex(bytes, i + 1) && isHex(bytes, i + 2);
      if (isAlphanumeric(c) || (c < 0x80 && kept.indexOf(c) >= 0) || triplet) {
        out.append(c);
      } else {
        out.append('%').append(HEX.charAt(c >> 4)).append(HEX.charAt(c & 15));
      }
    }
    return out.toString();
  }

  private static boolean isHex(byte[] bytes, int at) {
    return at < bytes.length && Character.digit(bytes[at], 16) >= 0;
  }

  static boolean isAlphanumeric(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  }

  /**
   * Checks that a percent-encoded text is an absolute URI that can be called, and removes its
   * fragment, which is never sent.
   *
   * @throws ExpressionException of type configuration when it is not
   */
  static String callable(String uri) {
    int fragment = uri.indexOf('#');
    String text = fragment < 0 ? uri : uri.substring(0, fragment);
    int colon = text.indexOf("://");
    String scheme = scheme(text, colon);
    if (scheme == null) {
      throw wrong("an absolute URI with scheme http, https or svc", uri);
    }
    int start = colon + 3;
    int end = start;
    while (end < text.length() && text.charAt(end) != '/' && text.charAt(end) != '?') {
      end++;
    }
    if (!isAuthority(text, start, end)) {
      throw wrong("a URI with a host name and, at most, a port before its path", uri);
    }
    return text.startsWith(scheme) ? text : scheme + text.substring(colon);
  }

  /** The scheme in lower case; null when it cannot be called. */
  private static @Nullable String scheme(String uri, int length) {
    for (String each : SCHEMES) {
      if (each.length() == length && uri.regionMatches(true, 0, each, 0, length)) {
        return each;
      }
    }
    return null;
  }

  private static ExpressionException wrong(String expected, String found) {
    String shown = found.length() > 200 ? found.substring(0, 200) + "..." : found;
    return new ExpressionException(
        WorkflowError.of(
            ErrorType.CONFIGURATION, "expected " + expected + ", found \"" + shown + "\""));
  }

  /**
   * Whether there is a host and, at most, a port; credentials do not belong into a URI and are
   * refused. This runs for every call, so it allocates nothing.
   */
  private static boolean isAuthority(String uri, int from, int to) {
    boolean address = from < to && uri.charAt(from) == '[';
    int first = address ? from + 1 : from;
    int last = first;
    while (last < to
        && (address ? isAddressPart(uri.charAt(last)) : isHostPart(uri.charAt(last)))) {
      last++;
    }
    if (last == first) {
      return false;
    }
    if (!address) {
      return isPort(uri, last, to);
    }
    return last < to && uri.charAt(last) == ']' && isPort(uri, last + 1, to);
  }

  private static boolean isAddressPart(char c) {
    return c == ':' || c == '.' || Character.digit(c, 16) >= 0;
  }

  private static boolean isHostPart(char c) {
    return isAlphanumeric(c) || c == '-' || c == '.' || c == '_';
  }

  /** Whether the rest is empty, or a colon and a port of at most five digits. */
  private static boolean isPort(String uri, int from, int to) {
    if (from == to) {
      return true;
    }
    if (uri.charAt(from) != ':' || to - from < 2 || to - from > MAX_PORT_DIGITS + 1) {
      return false;
    }
    int port = 0;
    for (int i = from + 1; i < to; i++) {
      char c = uri.charAt(i);
      if (c < '0' || c > '9') {
        return false;
      }
      port = 10 * port + c - '0';
    }
    return port >= 1 && port <= MAX_PORT;
  }
}
