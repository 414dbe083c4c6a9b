package dev.pinion.bootstrap.admin;

import com.sun.net.httpserver.Headers;
import dev.pinion.core.model.OwnHosts;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Keeps browsers out. A page of some site must not restart replicas: not by a form or a script,
 * which send an {@code Origin}, and not under a name of its own that leads to this machine (DNS
 * rebinding), which the {@code Host} tells.
 */
final class RequestGuard {
  private RequestGuard() {}

  /**
   * The refusal of a request, or null when it may pass.
   *
   * @param own names and addresses of the engine
   */
  static @Nullable Answer refusal(Headers headers, OwnHosts own) {
    List<String> hosts = headers.getOrDefault("Host", List.of());
    if (hosts.size() != 1) {
      return Answer.problem(400, "Malformed HTTP message", "expected one Host, found " + hosts);
    }
    if (!own.hold(hosts.getFirst())) {
      return Answer.problem(
          421,
          "Not for this engine",
          "expected a Host that is a name or an address of loopback, or one of --public-hosts,"
              + " found "
              + hosts.getFirst());
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
