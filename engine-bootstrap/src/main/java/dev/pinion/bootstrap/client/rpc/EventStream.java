package dev.pinion.bootstrap.client.rpc;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.function.Predicate;

/**
 * The events of a stream (HTML, "Server-sent events") in a body that grows. Only their data count.
 * A line ends with a line feed, perhaps after a carriage return.
 */
final class EventStream {
  private static final String DATA = "data";

  /** Index in the body of the first line that is not read, from its begin. */
  private int next;

  /** Bytes from the begin of the body that were searched for the end of a line. */
  private int searched;

  private final StringBuilder data = new StringBuilder();
  private boolean hasData;

  /**
   * Reads what is new.
   *
   * @param body everything that has come, from its reader index on
   * @param complete whether nothing more comes
   * @param events takes the data of each event; returns whether more are wanted
   * @return whether more are wanted
   */
  boolean read(ByteBuf body, boolean complete, Predicate<String> events) {
    int begin = body.readerIndex();
    int end = begin + body.readableBytes();
    while (begin + next < end) {
      int from = begin + next;
      int feed = body.indexOf(Math.max(from, begin + searched), end, (byte) '\n');
      if (feed < 0 && !complete) {
        searched = end - begin; // or a long line in small parts takes quadratic time
        return true;
      }
      int lineEnd = feed < 0 ? end : feed;
      String line = body.toString(from, lineEnd - from, StandardCharsets.UTF_8);
      next = lineEnd + 1 - begin;
      if (!line(line.endsWith("\r") ? line.substring(0, line.length() - 1) : line, events)) {
        return false;
      }
    }
    return !complete || line("", events);
  }

  private boolean line(String line, Predicate<String> events) {
    if (line.isEmpty()) {
      boolean dispatched = hasData;
      String event = data.toString();
      data.setLength(0);
      hasData = false;
      return !dispatched || events.test(event);
    }
    int colon = line.indexOf(':');
    String field = colon < 0 ? line : line.substring(0, colon);
    if (field.equals(DATA)) {
      String value = colon < 0 ? "" : line.substring(colon + 1);
      data.append(hasData ? "\n" : "").append(value.startsWith(" ") ? value.substring(1) : value);
      hasData = true;
    }
    return true;
  }
}
