package dev.pinion.handlers.builtin.observe;

import dev.pinion.handlers.api.MessageId;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * The {@code traceparent} field of W3C Trace Context, level 2.
 *
 * @param traceId 32 lower case hexadecimal digits, not all 0
 * @param spanId 16 lower case hexadecimal digits, not all 0
 * @param flags from 0 to 255
 */
record TraceParent(String traceId, String spanId, int flags) {
  static final int SAMPLED = 1;
  static final int RANDOM = 2;

  private static final int LENGTH = 55;
  private static final int TRACE_AT = 3;
  private static final int SPAN_AT = 36;
  private static final int FLAGS_AT = 53;
  private static final String UNKNOWN_TRACE = "0".repeat(32);
  private static final String UNKNOWN_SPAN = "0".repeat(16);

  /** A new trace. */
  static TraceParent begun(boolean sampled) {
    return new TraceParent(
        MessageId.random().toString(), newSpan(), RANDOM | (sampled ? SAMPLED : 0));
  }

  /** The next step of the same trace, with the flags of this version. */
  TraceParent child() {
    return new TraceParent(traceId, newSpan(), flags & (SAMPLED | RANDOM));
  }

  private static String newSpan() {
    return HexFormat.of().toHexDigits(MessageId.random().low());
  }

  /**
   * Reads a field, of this version or, as the specification defines, a later one; null when it is
   * malformed.
   */
  static @Nullable TraceParent parse(String text) {
    String version = text.length() < LENGTH ? "ff" : text.substring(0, 2);
    boolean later = !version.equals("00");
    if (!isHex(version)
        || version.equals("ff")
        || (text.length() > LENGTH && !(later && text.charAt(LENGTH) == '-'))
        || text.charAt(TRACE_AT - 1) != '-'
        || text.charAt(SPAN_AT - 1) != '-'
        || text.charAt(FLAGS_AT - 1) != '-') {
      return null;
    }
    String trace = text.substring(TRACE_AT, SPAN_AT - 1);
    String span = text.substring(SPAN_AT, FLAGS_AT - 1);
    String flags = text.substring(FLAGS_AT, LENGTH);
    boolean valid =
        isHex(trace)
            && !trace.equals(UNKNOWN_TRACE)
            && isHex(span)
            && !span.equals(UNKNOWN_SPAN)
            && isHex(flags);
    return valid ? new TraceParent(trace, span, HexFormat.fromHexDigits(flags)) : null;
  }

  private static boolean isHex(String text) {
    return text.chars().allMatch(c -> (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'));
  }

  /** The field, of version 00. */
  @Override
  public String toString() {
    return "00-" + traceId + "-" + spanId + "-" + HexFormat.of().toHexDigits((byte) flags);
  }
}
