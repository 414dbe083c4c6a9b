package dev.pinion.core.api;

import dev.pinion.core.http.HttpExchange;
import dev.pinion.core.http.message.EntityTags;
import dev.pinion.core.http.message.Response;
import dev.pinion.core.model.DefinitionSchema;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.zip.CRC32C;

/** Shows the JSON Schema of definitions. */
final class SchemaEndpoint {
  /** Shared by all answers; the garbage collector frees it. */
  private final ByteBuf schema;

  private final String etag;

  SchemaEndpoint() {
    byte[] text = DefinitionSchema.text().getBytes(StandardCharsets.UTF_8);
    CRC32C sum = new CRC32C();
    sum.update(text);
    this.etag = String.format(Locale.ROOT, "\"%08x\"", sum.getValue());
    this.schema = Unpooled.wrappedBuffer(ByteBuffer.allocateDirect(text.length).put(text).flip());
  }

  /** Answers with the schema. */
  void get(HttpExchange httpExchange) {
    Response response =
        EntityTags.matches(httpExchange.headers("if-none-match"), etag)
            ? Response.empty(304)
            : Response.constant(200, httpExchange.mediaType(), schema);
    httpExchange.respond(response.field("etag", etag).field("vary", "accept"));
  }
}
