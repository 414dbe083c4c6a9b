package dev.pinion.core.expr;

import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.ExpressionException;
import dev.pinion.core.model.WorkflowError;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;

/** URIs as text (RFC 3986). */
final class UriText {
  private static final Set<String> SCHEMES = Set.of("http", "https", "svc");
  private static final String UNRESERVED_MARKS = "-._~";
  private static final String RESERVED = ":/?#[]@!$&'()*+,;=";
  private static final String HEX = "0123456789ABCDEF";
  private static final int MAX_PORT = 65_535;

  private UriText() {}

  /** Percent-encodes everything but unreserved characters. */
  static String encode(String text) {
    return encode(text, UNRESERVED_MARKS, false);
  }

  /** Percent-encodes what may not stand in a URI; keeps what is percent-encoded already. */
  static String encodeIllegal(String text) {
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
   * Checks that a percent-encoded text is an absolute URI that can be called, and takes away its
   * fragment, which is never sent.
   *
   * @throws ExpressionException of type configuration when it is not
   */
  static String callable(String uri) {
    int fragment = uri.indexOf('#');
    String text = fragment < 0 ? uri : uri.substring(0, fragment);
    int colon = text.indexOf("://");
    String scheme = colon < 0 ? "" : text.substring(0, colon).toLowerCase(Locale.ROOT);
    if (!SCHEMES.contains(scheme)) {
      throw wrong("an absolute URI with scheme http, https or svc", uri);
    }
    int start = colon + 3;
    int end = start;
    while (end < text.length() && text.charAt(end) != '/' && text.charAt(end) != '?') {
      end++;
    }
    if (!isAuthority(text.substring(start, end))) {
      throw wrong("a URI with a host name and, at most, a port before its path", uri);
    }
    return scheme + text.substring(colon);
  }

  private static ExpressionException wrong(String expected, String found) {
    String shown = found.length() > 200 ? found.substring(0, 200) + "..." : found;
    return new ExpressionException(
        WorkflowError.of(
            ErrorType.CONFIGURATION, "expected " + expected + ", found \"" + shown + "\""));
  }

  /** Host and optional port; credentials do not belong into a URI and are refused. */
  private static boolean isAuthority(String authority) {
    if (authority.startsWith("[")) {
      int close = authority.indexOf(']');
      return close > 1
          && authority.substring(1, close).chars().allMatch(UriText::isAddressPart)
          && isPort(authority.substring(close + 1));
    }
    int colon = authority.indexOf(':');
    String host = colon < 0 ? authority : authority.substring(0, colon);
    return !host.isEmpty()
        && host.chars().allMatch(UriText::isHostPart)
        && isPort(colon < 0 ? "" : authority.substring(colon));
  }

  private static boolean isAddressPart(int c) {
    return c == ':' || c == '.' || Character.digit(c, 16) >= 0;
  }

  private static boolean isHostPart(int c) {
    return isAlphanumeric((char) c) || c == '-' || c == '.' || c == '_';
  }

  private static boolean isPort(String port) {
    if (port.isEmpty()) {
      return true;
    }
    boolean digits =
        port.length() >= 2
            && port.length() <= 6
            && port.charAt(0) == ':'
            && port.chars().skip(1).allMatch(c -> c >= '0' && c <= '9');
    return digits
        && Integer.parseInt(port.substring(1)) >= 1
        && Integer.parseInt(port.substring(1)) <= MAX_PORT;
  }
}
