package dev.pinion.core.http.message;

import java.util.List;
import java.util.Locale;

/**
 * The preferences of a request that this interface supports (RFC 7240 sections 4.1 and 4.3); others
 * are ignored, as the RFC requires.
 *
 * @param waitSeconds seconds the client would wait, or {@link #UNSAID}
 * @param respondAsync whether the client prefers an answer before the end
 */
public record Prefer(long waitSeconds, boolean respondAsync) {
  /** Value when no wait was requested. */
  public static final long UNSAID = -1;

  /** No preference. */
  public static final Prefer NOTHING = new Prefer(UNSAID, false);

  private static final long MOST_SECONDS = 1_000_000_000;

  /** Reads all Prefer fields of a request. The first one of duplicates counts. */
  public static Prefer parse(List<String> fields) {
    if (fields.isEmpty()) {
      return NOTHING;
    }
    long wait = UNSAID;
    boolean respondAsync = false;
    boolean waitSeen = false;
    for (String preference : String.join(",", fields).split(",", -1)) {
      String text = preference.split(";", 2)[0].strip();
      int equals = text.indexOf('=');
      String name = (equals < 0 ? text : text.substring(0, equals)).strip();
      switch (name.toLowerCase(Locale.ROOT)) {
        case "wait" -> {
          if (!waitSeen) {
            waitSeen = true;
            wait = equals < 0 ? UNSAID : seconds(text.substring(equals + 1).strip());
          }
        }
        case "respond-async" -> respondAsync = true;
        default -> {}
      }
    }
    return new Prefer(wait, respondAsync);
  }

  private static long seconds(String value) {
    String digits =
        value.length() >= 2 && value.startsWith("\"") && value.endsWith("\"")
            ? value.substring(1, value.length() - 1)
            : value;
    if (!digits.matches("[0-9]{1,18}")) {
      return UNSAID;
    }
    return Math.min(Long.parseLong(digits), MOST_SECONDS);
  }

  /**
   * Milliseconds to wait for an end; 0 for an answer at once.
   *
   * @param unsaid default when the client states no wait
   * @param most the longest wait granted
   */
  public long waitMillis(int unsaid, int most) {
    if (waitSeconds != UNSAID) {
      return Math.min(waitSeconds * 1000, most);
    }
    return respondAsync ? 0 : unsaid;
  }

  /**
   * The preferences applied, for Preference-Applied; empty when none were given.
   *
   * @param most the longest wait granted, in milliseconds
   */
  public String applied(int most) {
    String granted = waitSeconds == UNSAID ? "" : "wait=" + Math.min(waitSeconds, most / 1000);
    String asynchronously = respondAsync ? "respond-async" : "";
    return granted.isEmpty() || asynchronously.isEmpty()
        ? granted + asynchronously
        : asynchronously + ", " + granted;
  }
}
