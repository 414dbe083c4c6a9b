package dev.pinion.core.request;

import io.netty.handler.codec.http.HttpHeaders;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * How a replica tells another one who sends a request: handlers stand in the replica of the client,
 * and the class of an instance is found where it starts. What clients write there is dropped.
 */
final class PeerCaller {
  static final String FIELD = "pinion-caller";

  private PeerCaller() {}

  static void tell(HttpHeaders fields, String caller) {
    fields.set(FIELD, URLEncoder.encode(caller, StandardCharsets.UTF_8));
  }

  /** What was told, or null. */
  static @Nullable String of(HttpHeaders fields) {
    String told = fields.get(FIELD);
    return told == null ? null : URLDecoder.decode(told, StandardCharsets.UTF_8);
  }
}
