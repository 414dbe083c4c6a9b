package dev.pinion.core.authentication;

import org.jspecify.annotations.Nullable;

/**
 * A token that an authorization server has issued.
 *
 * @param value what is sent to services
 * @param refresh token for the next one, or null
 * @param usableUntilNanos monotonic time from which it is renewed
 */
public record AccessToken(String value, @Nullable String refresh, long usableUntilNanos) {
  /** No value. */
  @Override
  public String toString() {
    return "a token";
  }
}
