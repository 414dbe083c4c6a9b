package dev.pinion.core.model;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Parser of times of RFC 3339, with offsets up to 23:59, leap seconds and fractions of any length:
 * Java's own parsers refuse them. Any thread.
 */
public final class Rfc3339 {
  private static final Pattern TIME =
      Pattern.compile(
          "([0-9]{4}-[0-9]{2}-[0-9]{2})T((?:[01][0-9]|2[0-3]):[0-5][0-9]:)([0-5][0-9]|60)"
              + "(\\.[0-9]+)?(?:Z|([+-])([01][0-9]|2[0-3]):([0-5][0-9]))",
          Pattern.CASE_INSENSITIVE);

  private static final String LEAP = "60";
  private static final int NANO_CHARS = ".123456789".length();

  private Rfc3339() {}

  /**
   * The instant of a text; a leap second is the one after it, and digits beyond nanoseconds are
   * dropped.
   *
   * @throws DateTimeParseException when the text is no time of RFC 3339
   */
  public static Instant parse(String text) {
    Matcher time = TIME.matcher(text);
    if (!time.matches()) {
      throw new DateTimeParseException("expected a time of RFC 3339", text, 0);
    }
    boolean leap = time.group(3).equals(LEAP);
    String fraction = time.group(4) == null ? "" : time.group(4);
    String local =
        time.group(1)
            + 'T'
            + time.group(2)
            + (leap ? "59" : time.group(3))
            + fraction.substring(0, Math.min(NANO_CHARS, fraction.length()));
    return LocalDateTime.parse(local)
        .toInstant(ZoneOffset.UTC)
        .plusSeconds((leap ? 1 : 0) - offsetSeconds(time));
  }

  private static long offsetSeconds(Matcher time) {
    if (time.group(5) == null) {
      return 0;
    }
    long seconds = 3_600L * Integer.parseInt(time.group(6)) + 60L * Integer.parseInt(time.group(7));
    return time.group(5).equals("-") ? -seconds : seconds;
  }
}
