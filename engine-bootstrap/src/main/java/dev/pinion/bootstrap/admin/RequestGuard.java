package dev.pinion.bootstrap.admin;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import dev.pinion.core.model.OwnHosts;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Keeps browsers out. A page of some site must not restart replicas: not by a form or a script,
 * which send an {@code Origin}, and not under a name of its own that leads to this machine (DNS
 * rebinding), which the {@code Host} tells. And keeps to HTTP where the server of the JDK is lax,
 * as the listener of clients does.
 */
final class RequestGuard {
  private static final Pattern HTTP_1 = Pattern.compile("HTTP/1\\.[0-9]");
  private static final Pattern HTTP = Pattern.compile("HTTP/[0-9]\\.[0-9]");
  private static final Pattern NOTHING =
      Pattern.compile("[ \\t\\r\\n]*(?:\\{[ \\t\\r\\n]*}[ \\t\\r\\n]*)?");

  private RequestGuard() {}

  /**
   * The refusal of a request, or null when it may pass.
   *
   * @param own names and addresses of the engine
   */
  static @Nullable Answer refusal(HttpExchange exchange, OwnHosts own) {
    Headers headers = exchange.getRequestHeaders();
    Answer version = version(exchange.getProtocol());
    if (version != null) {
      return version;
    }
    Answer site = site(headers, own);
    if (site != null) {
      return site;
    }
    if (headers.getOrDefault("Content-Type", List.of()).size() > 1) {
      return malformed("one Content-Type, found several");
    }
    String authority = exchange.getRequestURI().getRawAuthority();
    return authority == null || own.hold(authority) ? null : misdirected(authority);
  }

  /** The refusal of a body, which no operation needs; null when it says nothing. */
  static @Nullable Answer refusal(byte[] body) {
    return NOTHING.matcher(new String(body, StandardCharsets.ISO_8859_1)).matches()
        ? null
        : Answer.problem(400, "Bad request body", "expected no body, or {}, found another one");
  }

  private static @Nullable Answer version(String protocol) {
    if (HTTP_1.matcher(protocol).matches()) {
      return null;
    }
    return HTTP.matcher(protocol).matches()
        ? Answer.problem(
            505, "Unsupported HTTP version", "expected HTTP/1.1 or HTTP/1.0, found " + protocol)
        : malformed("HTTP/1.1 or HTTP/1.0 at the end of the request line");
  }

  private static Answer malformed(String expected) {
    return Answer.problem(400, "Malformed HTTP message", "expected " + expected);
  }

  private static Answer misdirected(String found) {
    return Answer.problem(
        421,
        "Not for this engine",
        "expected a Host that is a name or an address of loopback, or one of --public-hosts, found "
            + found);
  }

  private static @Nullable Answer site(Headers headers, OwnHosts own) {
    List<String> hosts = headers.getOrDefault("Host", List.of());
    if (hosts.size() != 1) {
      return malformed("one Host, found " + hosts);
    }
    if (!own.hold(hosts.getFirst())) {
      return misdirected(hosts.getFirst());
    }
    if (headers.containsKey("Origin")) {
      return Answer.problem(
          403,
          "Not for browsers",
          "expected no Origin header, found " + headers.getOrDefault("Origin", List.of()));
    }
    return null;
  }
}
