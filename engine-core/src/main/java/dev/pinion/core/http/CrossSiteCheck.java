package dev.pinion.core.http;

import dev.pinion.core.http.message.Problem;
import dev.pinion.core.http.message.ProblemException;
import dev.pinion.core.http.message.ProblemType;
import dev.pinion.core.http.message.RequestTarget;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpRequest;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Refuses requests of browsers on behalf of another site: those for a host that is not the engine's
 * (DNS rebinding), and those that change something from a page of another origin (cross-site
 * request forgery). Other clients send neither {@code Origin} nor {@code Sec-Fetch-Site}. Event
 * loop only.
 */
final class CrossSiteCheck {
  private static final String FETCH_SITE = "sec-fetch-site";
  private static final Set<String> CHANGING = Set.of("POST", "PUT", "PATCH", "DELETE");

  private final AllowedHosts hosts;

  /** The last valid value: most clients send the same again. */
  private String known = "localhost";

  CrossSiteCheck(AllowedHosts hosts) {
    this.hosts = hosts;
  }

  /** Whether requests of a method may change something (RFC 9110 section 9.2.1). */
  static boolean isUnsafe(String method) {
    return CHANGING.contains(method);
  }

  /** Checks a head whose framing and {@code Host} were found well formed. */
  void check(HttpRequest request) throws ProblemException {
    String authority = RequestTarget.authority(request.uri()); // overrides Host where it exists
    String host = request.headers().get(HttpHeaderNames.HOST);
    checkHost(host);
    checkHost(authority);
    if (isUnsafe(request.method().name())) {
      checkOrigin(request.headers(), authority == null ? host : authority);
    }
  }

  /** Only a client of HTTP/1.0 names no host, and no browser is one. */
  private void checkHost(@Nullable String host) throws ProblemException {
    if (host == null || host.equals(known)) {
      return;
    }
    if (!hosts.contains(host)) {
      throw new ProblemException(
          ProblemType.MISDIRECTED,
          "expected a Host that is a name or an address of loopback, or one of --public-hosts,"
              + " found "
              + Problem.quoted(host)
              + "; where a proxy serves the engine under that name, start it with --public-hosts");
    }
    known = host;
  }

  private static void checkOrigin(HttpHeaders headers, @Nullable String host)
      throws ProblemException {
    if (headers.contains(HttpHeaderNames.ORIGIN)) {
      List<String> origins = headers.getAll(HttpHeaderNames.ORIGIN);
      if (origins.size() > 1
          || host == null
          || !AllowedHosts.isOriginOf(origins.getFirst(), host)) {
        throw new ProblemException(
            ProblemType.CROSS_SITE,
            "expected no Origin, or that of the request's own Host, found "
                + Problem.quoted(String.join(", ", origins))
                + " for "
                + (host == null ? "no Host" : Problem.quoted(host)));
      }
    }
    String site = headers.get(FETCH_SITE);
    if (site != null && !site.equals("same-origin") && !site.equals("none")) {
      throw new ProblemException(
          ProblemType.CROSS_SITE,
          "expected a request from this origin, found one that a page of another site made");
    }
  }
}
