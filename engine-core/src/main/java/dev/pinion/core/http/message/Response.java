package dev.pinion.core.http.message;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A response on its way to the wire. Its body is copied when it is sent, so a scratch buffer may
 * carry it; a constant body is not copied.
 */
public final class Response {
  private final int status;
  private final @Nullable String mediaType;
  private final ByteBuf body;
  private final boolean shared;
  private final List<String> fields = new ArrayList<>(0);

  private Response(int status, @Nullable String mediaType, ByteBuf body, boolean shared) {
    this.status = status;
    this.mediaType = mediaType;
    this.body = body;
    this.shared = shared;
  }

  public static Response of(int status, String mediaType, ByteBuf body) {
    return new Response(status, mediaType, body, false);
  }

  /** An answer whose body never changes: all answers share it, and it is sent without a copy. */
  public static Response constant(int status, String mediaType, ByteBuf body) {
    return new Response(status, mediaType, body, true);
  }

  public static Response of(int status, String mediaType, byte[] body) {
    return of(status, mediaType, Unpooled.wrappedBuffer(body));
  }

  public static Response empty(int status) {
    return new Response(status, null, Unpooled.EMPTY_BUFFER, false);
  }

  /** A problem as an answer. */
  public static Response problem(Problem problem, RequestJson json) {
    Response response =
        of(problem.type().status(), MediaTypes.PROBLEM, json.bytes(problem.toPayload()));
    List<String> fields = problem.fields();
    for (int i = 0; i < fields.size(); i += 2) {
      response.field(fields.get(i), fields.get(i + 1));
    }
    return response;
  }

  /** Adds a header field; neither name nor value may hold a line break. */
  public Response field(String name, String value) {
    fields.add(name);
    fields.add(value);
    return this;
  }

  public int status() {
    return status;
  }

  public @Nullable String mediaType() {
    return mediaType;
  }

  public ByteBuf body() {
    return body;
  }

  /** The body when it is sent without a copy, or null. */
  public @Nullable ByteBuf sharedBody() {
    return shared ? body : null;
  }

  /** Header fields by name in lower case; values of one name are joined by commas. */
  public SortedMap<String, String> fieldMap() {
    SortedMap<String, String> map = new TreeMap<>();
    for (int i = 0; i < fields.size(); i += 2) {
      String name = fields.get(i).toLowerCase(Locale.ROOT);
      map.merge(name, fields.get(i + 1), (before, more) -> before + ", " + more);
    }
    return map;
  }

  /** Header fields, alternating names and values. */
  public List<String> fields() {
    return fields;
  }
}
