package dev.pinion.core.invoker;

import io.netty.resolver.dns.DnsNameResolverTimeoutException;
import org.jspecify.annotations.Nullable;

/** Says why a name was not found: nobody has it, or nobody answered. */
final class DnsFailures {
  private DnsFailures() {}

  /** Whether the name servers did not answer in time. */
  static boolean isSilence(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof DnsNameResolverTimeoutException) {
        return true;
      }
      for (Throwable other : cause.getSuppressed()) {
        if (isSilence(other)) {
          return true;
        }
      }
    }
    return false;
  }

  /** What was expected of name servers. */
  static String expected(String host) {
    return "expected the name servers to tell an address for host name " + host;
  }

  /**
   * A failed look-up.
   *
   * @param failure why there is no address, or null when there just is none
   */
  static String describe(String host, @Nullable Throwable failure) {
    return failure != null && isSilence(failure)
        ? expected(host) + ", found them silent: the look-up timed out"
        : "expected an address for host name " + host + ", found none";
  }
}
