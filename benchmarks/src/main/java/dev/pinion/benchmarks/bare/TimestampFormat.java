package dev.pinion.benchmarks.bare;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/**
 * Times as text. Parts that change once a second are formatted once a second. Used by one event
 * loop.
 */
final class TimestampFormat {
  private static final DateTimeFormatter ISO =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.", Locale.ROOT).withZone(ZoneOffset.UTC);
  private static final DateTimeFormatter DATE_FIELD =
      DateTimeFormatter.ofPattern("EEE, dd MMM uuuu HH:mm:ss 'GMT'", Locale.ENGLISH)
          .withZone(ZoneOffset.UTC);

  private long second = -1;
  private String iso = "";
  private String dateField = "";

  /** Writes a time in the format of RFC 3339, with milliseconds. */
  void writeIso(ByteBuf out, long epochMillis) {
    turnTo(epochMillis / 1000);
    int millis = (int) (epochMillis % 1000);
    ByteBufUtil.writeAscii(out, iso);
    out.writeByte('0' + millis / 100)
        .writeByte('0' + millis / 10 % 10)
        .writeByte('0' + millis % 10);
    out.writeByte('Z');
  }

  /** A time in the format of the Date field (RFC 9110, section 5.6.7). */
  String dateField(long epochMillis) {
    turnTo(epochMillis / 1000);
    return dateField;
  }

  private void turnTo(long wanted) {
    if (wanted != second) {
      second = wanted;
      Instant moment = Instant.ofEpochSecond(wanted);
      iso = ISO.format(moment);
      dateField = DATE_FIELD.format(moment);
    }
  }
}
