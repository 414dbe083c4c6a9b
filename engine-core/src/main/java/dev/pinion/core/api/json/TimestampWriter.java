package dev.pinion.core.api.json;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.time.Instant;

/**
 * Writes moments as RFC 3339 text with milliseconds, such as {@code 2026-01-02T03:04:05.678Z}.
 * Keeps the text of the last second. Not for concurrent use.
 */
final class TimestampWriter {
  private static final int UP_TO_SECOND = "2026-01-02T03:04:05".length();

  private long second = Long.MIN_VALUE;
  private byte[] prefix = new byte[0];

  void write(ByteBuf out, long epochMillis) {
    long wanted = Math.floorDiv(epochMillis, 1000);
    if (wanted != second) {
      second = wanted;
      String text = Instant.ofEpochSecond(wanted).toString();
      prefix = text.substring(0, UP_TO_SECOND).getBytes(StandardCharsets.US_ASCII);
    }
    int millis = (int) Math.floorMod(epochMillis, 1000L);
    out.writeBytes(prefix);
    out.writeByte('.');
    out.writeByte('0' + millis / 100);
    out.writeByte('0' + millis / 10 % 10);
    out.writeByte('0' + millis % 10);
    out.writeByte('Z');
  }
}
