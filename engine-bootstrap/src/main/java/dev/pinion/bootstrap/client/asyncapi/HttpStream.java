package dev.pinion.bootstrap.client.asyncapi;

import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The messages in one long response: events, lines of JSON, or the whole as one message. */
interface HttpStream {
  /** The next message, or null at the end. Waits for it. */
  @Nullable InboundMessage next() throws IOException, MessageFailure;

  /**
   * The messages of a response.
   *
   * @param contentType its media type, or null
   * @param in its body
   * @param maxBytes most bytes of a message
   */
  static HttpStream of(@Nullable String contentType, InputStream in, int maxBytes) {
    int parameters = contentType == null ? -1 : contentType.indexOf(';');
    String essence =
        contentType == null
            ? ""
            : (parameters < 0 ? contentType : contentType.substring(0, parameters)).strip();
    return switch (essence.toLowerCase(Locale.ROOT)) {
      case "text/event-stream" -> new PushedEvents(new StreamLines(in, maxBytes), maxBytes);
      case "application/x-ndjson",
          "application/ndjson",
          "application/jsonl",
          "application/x-jsonl",
          "application/jsonlines",
          "application/json-seq" ->
          ofLines(new StreamLines(in, maxBytes));
      default -> new WholeResponse(contentType, in, maxBytes);
    };
  }

  private static HttpStream ofLines(StreamLines lines) {
    return () -> {
      for (byte[] line = lines.next(); line != null; line = lines.next()) {
        if (line.length > 0) {
          return message(line, "application/json", Map.of());
        }
      }
      return null;
    };
  }

  /** A message that never comes again. */
  static InboundMessage message(
      byte[] payload, @Nullable String contentType, Map<String, String> headers) {
    return new InboundMessage(
        payload, contentType, headers, null, InboundMessage.NO_ACKNOWLEDGEMENT);
  }

  /** The failure of a response with a message that is too long. */
  static MessageFailure tooLong(int maxBytes) {
    return MessageFailure.communication(
        "expected messages of at most "
            + maxBytes
            + " bytes (messages.maxBytes), found a longer one");
  }

  /** A response that is one message. */
  final class WholeResponse implements HttpStream {
    private final @Nullable String contentType;
    private final InputStream in;
    private final int maxBytes;
    private boolean read;

    private WholeResponse(@Nullable String contentType, InputStream in, int maxBytes) {
      this.contentType = contentType;
      this.in = in;
      this.maxBytes = maxBytes;
    }

    @Override
    public @Nullable InboundMessage next() throws IOException, MessageFailure {
      if (read) {
        return null;
      }
      read = true;
      byte[] bytes = in.readNBytes(maxBytes);
      if (in.read() >= 0) {
        throw tooLong(maxBytes);
      }
      return bytes.length == 0 ? null : message(bytes, contentType, Map.of());
    }
  }
}
