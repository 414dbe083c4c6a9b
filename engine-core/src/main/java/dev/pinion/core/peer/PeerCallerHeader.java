package dev.pinion.core.peer;

import dev.pinion.core.http.HttpExchange;
import io.netty.handler.codec.http.HttpHeaders;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Field in which a replica reports the sender of a request to another one: handlers run in the
 * replica of the client, and the class of an instance is determined where it starts. Values from
 * clients are dropped.
 */
public final class PeerCallerHeader {
  /** The name of the field. */
  public static final String FIELD = "pinion-caller";

  private PeerCallerHeader() {}

  static void write(HttpHeaders fields, String caller) {
    fields.set(FIELD, URLEncoder.encode(caller, StandardCharsets.UTF_8));
  }

  /** The sender of a request, as determined here or by the client's replica; or null. */
  public static @Nullable String caller(HttpExchange httpExchange) {
    String known = httpExchange.caller();
    return known != null || !httpExchange.fromPeer()
        ? known
        : read(httpExchange.request().headers());
  }

  /** The sender reported, or null. */
  private static @Nullable String read(HttpHeaders fields) {
    String told = fields.get(FIELD);
    return told == null ? null : URLDecoder.decode(told, StandardCharsets.UTF_8);
  }
}
