package dev.pinion.core.http.message;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** The Date field (RFC 9110 section 6.6.1), made once a second. Not for concurrent use. */
public final class HttpDate {
  private static final DateTimeFormatter FORMAT =
      DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.US)
          .withZone(ZoneOffset.UTC);

  private long second = Long.MIN_VALUE;
  private byte[] text = new byte[0];

  /** The date of a point in time, as ASCII. */
  public byte[] at(long epochMillis) {
    long wanted = Math.floorDiv(epochMillis, 1000);
    if (wanted != second) {
      second = wanted;
      text = FORMAT.format(Instant.ofEpochSecond(wanted)).getBytes(StandardCharsets.US_ASCII);
    }
    return text;
  }
}
