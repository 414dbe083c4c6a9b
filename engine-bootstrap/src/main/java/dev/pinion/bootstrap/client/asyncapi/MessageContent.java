package dev.pinion.bootstrap.client.asyncapi;

import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.codec.PayloadSyntaxException;
import dev.pinion.core.invoker.content.EncodedBody;
import dev.pinion.core.invoker.content.RequestBodyFormat;
import dev.pinion.core.invoker.content.ResponseContent;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.call.HttpCall;
import dev.pinion.core.model.call.MessageEndpoint;
import io.netty.buffer.Unpooled;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Values of messages and their bytes, by media type as the bodies of calls over HTTP. */
final class MessageContent {
  private static final String CONTENT_TYPE = "Content-Type";
  private static final byte[] NOTHING = {};

  private final int maxBytes;
  private final PayloadCodec codec;
  private final RequestBodyFormat formats;
  private final ResponseContent contents;

  MessageContent(EngineLimits limits) {
    this.maxBytes = limits.messages().maxBytes();
    this.codec = new PayloadCodec(limits.json());
    this.formats = new RequestBodyFormat(codec, limits.invoker());
    this.contents = new ResponseContent(codec);
  }

  /** The bytes of a message's payload. */
  byte[] encoded(HttpCall carrier, String contentType) throws MessageFailure {
    Payload body = carrier.body();
    if (body == null) {
      return NOTHING;
    }
    HttpCall typed =
        carrier.withHeaders(List.of(new HttpCall.HeaderField(CONTENT_TYPE, contentType)));
    String problem = formats.problem(typed);
    if (problem != null) {
      throw new MessageFailure(ErrorType.CONFIGURATION, problem);
    }
    EncodedBody encoded = formats.encode(body, contentType);
    byte[] bytes = encoded == null ? codec.toExactBytes(body) : encoded.bytes();
    if (bytes.length > maxBytes) {
      throw new MessageFailure(
          ErrorType.RUNTIME,
          "expected a message of at most "
              + maxBytes
              + " bytes (messages.maxBytes), found one of "
              + bytes.length);
    }
    return bytes;
  }

  /** The value of a message that was received: payload, headers, correlation id. */
  synchronized Payload value(MessageEndpoint endpoint, InboundMessage message)
      throws MessageFailure {
    String given = message.contentType();
    Payload payload = decoded(given == null ? endpoint.contentType() : given, message);
    Payload headers = object(message.headers());
    Map<String, Payload> members = new LinkedHashMap<>();
    members.put("payload", payload);
    members.put("headers", headers);
    String correlationId = correlationId(endpoint, message, payload, headers);
    if (correlationId != null) {
      members.put("correlationId", Payload.of(correlationId));
    }
    return Payload.object(members);
  }

  private Payload decoded(String contentType, InboundMessage message) throws MessageFailure {
    if (message.payload().length > maxBytes) {
      throw MessageFailure.communication(
          "expected messages of at most "
              + maxBytes
              + " bytes (messages.maxBytes), found one of "
              + message.payload().length);
    }
    try {
      return contents.of(contentType, Unpooled.wrappedBuffer(message.payload()), false);
    } catch (PayloadSyntaxException e) {
      throw MessageFailure.communication(
          "expected a message of type " + contentType + "; " + e.getMessage());
    }
  }

  private static @Nullable String correlationId(
      MessageEndpoint endpoint, InboundMessage message, Payload payload, Payload headers) {
    Payload found =
        endpoint.correlation() == null ? null : endpoint.correlation().find(payload, headers);
    String there = found == null ? null : found.scalar();
    return there == null ? message.correlationId() : there;
  }

  /** Texts by name as an object. */
  static Payload object(Map<String, String> texts) {
    Map<String, Payload> members = new LinkedHashMap<>();
    texts.forEach((name, text) -> members.put(name, Payload.of(text)));
    return Payload.object(members);
  }
}
