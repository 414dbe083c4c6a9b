package dev.pinion.core.invoker.http;

import dev.pinion.core.invoker.HttpSyntax;
import io.netty.util.NetUtil;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Parsed URI (RFC 9110, section 4.2).
 *
 * @param origin service to connect to
 * @param path path and query in the form in which they are sent
 */
public record TargetUri(Origin origin, String path) {
  private static final String HTTP = "http://";
  private static final String HTTPS = "https://";
  private static final Pattern NUMBER = Pattern.compile("[0-9]+|0[xX][0-9a-fA-F]*");
  private static final Pattern IPV4 =
      Pattern.compile("(?:(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])(?:\\.(?!$)|$)){4}");

  /**
   * Parses a URI. Messages do not repeat the URI: it may contain secrets.
   *
   * @throws InvalidCallException when it is not an absolute http or https URI without user
   *     information
   */
  public static TargetUri parse(String uri) throws InvalidCallException {
    checkCharacters(uri);
    boolean tls = startsWith(uri, HTTPS);
    if (!tls && !startsWith(uri, HTTP)) {
      throw new InvalidCallException(
          "expected a URI of scheme http or https, found " + schemeOf(uri));
    }
    int start = tls ? HTTPS.length() : HTTP.length();
    int end = start;
    while (end < uri.length() && "/?#".indexOf(uri.charAt(end)) < 0) {
      end++;
    }
    return new TargetUri(origin(tls, uri.substring(start, end)), path(uri, end));
  }

  private static boolean startsWith(String uri, String prefix) {
    return uri.regionMatches(true, 0, prefix, 0, prefix.length());
  }

  private static String schemeOf(String uri) {
    int colon = uri.indexOf(':');
    return colon < 0 ? "none" : "scheme \"" + uri.substring(0, colon) + "\"";
  }

  private static void checkCharacters(String uri) throws InvalidCallException {
    for (int i = 0; i < uri.length(); i++) {
      char c = uri.charAt(i);
      if (c <= ' ' || c >= 0x7f) {
        throw new InvalidCallException(
            "expected a percent-encoded URI, found "
                + HttpSyntax.codePoint(c)
                + " at index "
                + i
                + " of it");
      }
    }
  }

  private static Origin origin(boolean tls, String authority) throws InvalidCallException {
    if (authority.indexOf('@') >= 0) {
      throw new InvalidCallException(
          "expected a URI without user information, found some; send an Authorization field"
              + " instead");
    }
    int bracket = authority.lastIndexOf(']');
    int colon = authority.indexOf(':', Math.max(bracket, 0));
    String host = colon < 0 ? authority : authority.substring(0, colon);
    boolean noPort = colon < 0 || colon == authority.length() - 1;
    int port = noPort ? (tls ? Origin.HTTPS_PORT : Origin.HTTP_PORT) : port(authority, colon + 1);
    return new Origin(tls, host(host), port);
  }

  private static String host(String host) throws InvalidCallException {
    if (host.startsWith("[") && host.endsWith("]")) {
      String address = host.substring(1, host.length() - 1);
      if (!NetUtil.isValidIpV6Address(address)) {
        throw new InvalidCallException(
            "expected an IPv6 address in brackets, found \"" + address + "\"");
      }
      return address.toLowerCase(Locale.ROOT);
    }
    boolean valid = !host.isEmpty();
    for (int i = 0; i < host.length(); i++) {
      char c = host.charAt(i);
      valid &= HttpSyntax.isAlphanumeric(c) || c == '-' || c == '.' || c == '_';
    }
    if (!valid) {
      throw new InvalidCallException(
          "expected a host name of letters, digits, '-', '.' and '_', found \"" + host + "\"");
    }
    checkNumbers(host);
    return host.toLowerCase(Locale.ROOT);
  }

  /**
   * Refuses ambiguous numbers: other clients interpret hosts such as {@code 2130706433}, {@code
   * 0x7f.1} and {@code 010.0.0.1} as addresses, in different ways (WHATWG URL, section 3.5); here
   * an address is four decimal numbers.
   */
  private static void checkNumbers(String host) throws InvalidCallException {
    String name = host.endsWith(".") ? host.substring(0, host.length() - 1) : host;
    String last = name.substring(name.lastIndexOf('.') + 1);
    if (NUMBER.matcher(last).matches() && !IPV4.matcher(host).matches()) {
      throw new InvalidCallException(
          "expected an address of IPv4 as four decimal numbers from 0 to 255, or a host name that"
              + " does not end in a number, found \""
              + host
              + "\"");
    }
  }

  private static int port(String authority, int start) throws InvalidCallException {
    int port = 0;
    for (int i = start; i < authority.length() && port <= 0xffff; i++) {
      int digit = authority.charAt(i) - '0';
      port = digit < 0 || digit > 9 ? Integer.MAX_VALUE : port * 10 + digit;
    }
    if (port < 1 || port > 0xffff) {
      throw new InvalidCallException(
          "expected a port from 1 to 65535, found \"" + authority.substring(start) + "\"");
    }
    return port;
  }

  private static String path(String uri, int start) {
    int fragment = uri.indexOf('#', start);
    String path = uri.substring(start, fragment < 0 ? uri.length() : fragment);
    return path.startsWith("/") ? path : "/" + path;
  }
}
