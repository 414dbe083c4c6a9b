package dev.pinion.bootstrap.admin;

import com.sun.net.httpserver.Headers;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Keeps browsers out. A page of some site must not restart replicas: not by a form or a script,
 * which send an {@code Origin}, and not under a name of its own that leads to this machine (DNS
 * rebinding), which the {@code Host} tells.
 */
final class RequestGuard {
  private static final Pattern LOOPBACK =
      Pattern.compile(
          "(localhost|127(\\.\\d{1,3}){3}|\\[::1])(:\\d{1,5})?", Pattern.CASE_INSENSITIVE);

  private RequestGuard() {}

  /** The refusal of a request, or null when it may pass. */
  static @Nullable Answer refusal(Headers headers) {
    List<String> hosts = headers.getOrDefault("Host", List.of());
    if (hosts.size() != 1 || !LOOPBACK.matcher(hosts.getFirst()).matches()) {
      return Answer.problem(
          403,
          "Not for this host",
          "expected one Host header with localhost or a loopback address, found " + hosts);
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
