package dev.pinion.core.http;

import dev.pinion.core.http.message.Problem;
import dev.pinion.core.http.message.ProblemType;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import java.util.Iterator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Rules of a head whose violation makes the rest of the connection unreadable. */
final class HeadCheck {
  private static final Pattern HOST =
      Pattern.compile("(?:\\[[0-9A-Fa-f:.]+]|[A-Za-z0-9._~!$&'()*+,;=%-]+)(?::[0-9]{0,5})?");

  private HeadCheck() {}

  /** The problem of the framing or the host of a request, or null. */
  static @Nullable Problem problem(HttpRequest request) {
    if (request.decoderResult().isFailure()) {
      return malformed("one Content-Length of digits or Transfer-Encoding: chunked, not both");
    }
    HttpHeaders headers = request.headers();
    String codings = headers.get(HttpHeaderNames.TRANSFER_ENCODING);
    if (codings != null
        && (!codings.equalsIgnoreCase("chunked")
            || headers.getAll(HttpHeaderNames.TRANSFER_ENCODING).size() > 1)) {
      return malformed("no Transfer-Encoding but chunked");
    }
    if (headers.contains(HttpHeaderNames.SEC_WEBSOCKET_KEY1)) {
      // Netty would take the eight bytes after such a head as its body.
      return malformed("no handshake of the outdated WebSocket draft 76");
    }
    return hostProblem(request);
  }

  private static @Nullable Problem hostProblem(HttpRequest request) {
    Iterator<String> hosts = request.headers().valueStringIterator(HttpHeaderNames.HOST);
    if (!hosts.hasNext()) {
      return request.protocolVersion().equals(HttpVersion.HTTP_1_0)
          ? null
          : malformed("a Host field (RFC 9112 section 3.2)");
    }
    String host = hosts.next();
    if (hosts.hasNext()) {
      return malformed("one Host field");
    }
    return HOST.matcher(host).matches() ? null : malformed("a Host of the form name or name:port");
  }

  private static Problem malformed(String expected) {
    return Problem.of(ProblemType.MALFORMED_HTTP, "expected " + expected);
  }
}
