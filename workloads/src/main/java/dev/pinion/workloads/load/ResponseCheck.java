package dev.pinion.workloads.load;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Checks responses. Called on event loops, by several concurrently. */
@FunctionalInterface
public interface ResponseCheck {
  /**
   * Checks one response.
   *
   * @param status HTTP status
   * @param body buffer with the body, valid during the call only
   * @param length length of the body in bytes
   * @return the fault, or null for none
   */
  @Nullable Problem check(int status, byte[] body, int length);

  /**
   * Fault of a response.
   *
   * @param kind its kind for counting: one of few, such as {@code status 503}
   * @param detail an example, for a person
   */
  record Problem(String kind, String detail) {
    /** Most bytes of a body in a detail. */
    private static final int SHOWN = 300;

    /** A problem with the beginning of the response. */
    public static Problem of(String kind, byte[] body, int length) {
      String beginning = new String(body, 0, Math.min(length, SHOWN), UTF_8);
      return new Problem(kind, length > SHOWN ? beginning + "…" : beginning);
    }
  }

  /** Any status from 200 to 299, whatever the body. */
  static ResponseCheck success() {
    return (status, body, length) ->
        status >= 200 && status <= 299 ? null : Problem.of("status " + status, body, length);
  }

  /** Status 200 and exactly this body. */
  static ResponseCheck body(byte[] expected) {
    byte[] copy = expected.clone();
    return (status, body, length) -> {
      if (status != 200) {
        return Problem.of("status " + status, body, length);
      }
      return Arrays.equals(body, 0, length, copy, 0, copy.length)
          ? null
          : Problem.of("wrong body", body, length);
    };
  }
}
