package dev.pinion.bootstrap.client.asyncapi;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Events of a {@code text/event-stream} (WHATWG HTML, "Server-sent events"): the data of each is a
 * payload; its name and its id are headers.
 */
final class PushedEvents implements HttpStream {
  private static final String MARK = "\ufeff";

  private final StreamLines lines;
  private final int maxBytes;
  private boolean begun;
  private String lastId = "";

  PushedEvents(StreamLines lines, int maxBytes) {
    this.lines = lines;
    this.maxBytes = maxBytes;
  }

  @Override
  public @Nullable InboundMessage next() throws IOException, MessageFailure {
    ByteArrayOutputStream data = new ByteArrayOutputStream();
    String name = "";
    boolean any = false;
    for (byte[] bytes = lines.next(); bytes != null; bytes = lines.next()) {
      String line = text(bytes);
      if (line.isEmpty()) {
        if (any) {
          return event(data, name);
        }
        name = "";
        continue;
      }
      int colon = line.indexOf(':');
      String field = colon < 0 ? line : line.substring(0, colon);
      String value = value(line, colon);
      switch (field) {
        case "data" -> {
          add(data, value, any);
          any = true;
        }
        case "event" -> name = value;
        case "id" -> lastId = value.indexOf('\0') < 0 ? value : lastId;
        default -> {} // comments, the time of reconnections, unknown fields
      }
    }
    return null; // an event without its empty line is dropped
  }

  private String text(byte[] bytes) {
    String line = new String(bytes, StandardCharsets.UTF_8);
    boolean marked = !begun && line.startsWith(MARK);
    begun = true;
    return marked ? line.substring(1) : line;
  }

  private static String value(String line, int colon) {
    String value = colon < 0 ? "" : line.substring(colon + 1);
    return value.startsWith(" ") ? value.substring(1) : value;
  }

  private void add(ByteArrayOutputStream data, String value, boolean further)
      throws MessageFailure {
    if (further) {
      data.write('\n');
    }
    data.writeBytes(value.getBytes(StandardCharsets.UTF_8));
    if (data.size() > maxBytes) {
      throw HttpStream.tooLong(maxBytes);
    }
  }

  private InboundMessage event(ByteArrayOutputStream data, String name) {
    Map<String, String> headers = new TreeMap<>();
    if (!name.isEmpty()) {
      headers.put("event", name);
    }
    if (!lastId.isEmpty()) {
      headers.put("id", lastId);
    }
    return HttpStream.message(data.toByteArray(), null, headers);
  }
}
