package dev.pinion.core.invoker.http;

import io.netty.resolver.dns.DnsNameResolverTimeoutException;
import org.jspecify.annotations.Nullable;

/** Descriptions of failed look-ups: the name does not exist, or no server answered. */
public final class DnsFailures {
  private DnsFailures() {}

  /** Whether the name servers did not answer in time. */
  public static boolean isSilence(Throwable failure) {
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

  /** Expectation of name servers, for messages. */
  static String expected(String host) {
    return "expected the name servers to return an address for host name " + host;
  }

  /**
   * Description of a failed look-up.
   *
   * @param failure why there is no address, or null when the name has none
   */
  public static String describe(String host, @Nullable Throwable failure) {
    return failure != null && isSilence(failure)
        ? expected(host) + ", found them silent: the look-up timed out"
        : "expected an address for host name " + host + ", found none";
  }
}
