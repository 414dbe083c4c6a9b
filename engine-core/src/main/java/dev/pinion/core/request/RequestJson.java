package dev.pinion.core.request;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.PayloadCodec;
import dev.pinion.core.model.PayloadSyntaxException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/**
 * JSON between buffers and payloads: the only class of this package that looks inside JSON trees.
 * Not for concurrent use.
 */
final class RequestJson {
  private static final int KEPT_SCRATCH = 64 << 10;
  private static final int MAX_NAMED = 5;

  private final PayloadCodec codec;
  private byte[] scratch = new byte[4 << 10];

  RequestJson(PayloadCodec codec) {
    this.codec = codec;
  }

  /** Reads the one JSON value that a body holds. */
  Payload read(ByteBuf body) throws Refusal {
    int length = body.readableBytes();
    try {
      if (body.hasArray()) {
        return codec.read(body.array(), body.arrayOffset() + body.readerIndex(), length);
      }
      byte[] bytes = length <= scratch.length ? scratch : room(length);
      body.getBytes(body.readerIndex(), bytes, 0, length);
      return codec.read(bytes, 0, length);
    } catch (PayloadSyntaxException e) {
      throw new Refusal(
          ProblemType.BAD_BODY, Objects.requireNonNullElse(e.getMessage(), "expected JSON"));
    }
  }

  private byte[] room(int length) {
    byte[] bytes = new byte[length];
    if (length <= KEPT_SCRATCH) {
      scratch = bytes;
    }
    return bytes;
  }

  /**
   * The input that the body of a start holds: the member {@code input}, or an empty object when
   * there is no body or no such member.
   */
  Payload startInput(ByteBuf body) throws Refusal {
    if (!body.isReadable()) {
      return Payload.EMPTY_OBJECT;
    }
    JsonNode json = read(body).json();
    if (!json.isObject()) {
      throw new Refusal(
          ProblemType.BAD_BODY,
          "expected an object such as {\"input\": {}}, found "
              + json.getNodeType().name().toLowerCase(Locale.ROOT));
    }
    JsonNode input = json.get("input");
    if (json.size() > (input == null ? 0 : 1)) {
      throw unknownMembers(json);
    }
    return input == null ? Payload.EMPTY_OBJECT : Payload.of(input);
  }

  private static Refusal unknownMembers(JsonNode json) {
    List<String> unknown = new ArrayList<>();
    json.fieldNames().forEachRemaining(unknown::add);
    unknown.remove("input");
    for (String name : unknown) {
      if (name.equals("businessKey") || name.equals("labels") || name.equals("startAt")) {
        return new Refusal(
            ProblemType.NOT_SUPPORTED, "the member \"" + name + "\" is not supported yet");
      }
    }
    List<String> named = unknown.stream().limit(MAX_NAMED).map(Problem::quoted).toList();
    String more = unknown.size() > MAX_NAMED ? " and more" : "";
    return new Refusal(
        ProblemType.BAD_BODY,
        "expected no member but \"input\", found " + String.join(", ", named) + more);
  }

  /** A text member of an object, or an empty text. */
  static String text(Payload payload, String member) {
    return payload.json().path(member).asText("");
  }

  /** A text member of an object within an object, or an empty text. */
  static String text(Payload payload, String object, String member) {
    return payload.json().path(object).path(member).asText("");
  }

  /** Members of a payload that is an object. */
  static Payload member(Payload payload, String name) {
    return Payload.of(payload.json().path(name));
  }

  /** Writes a payload as compact JSON. */
  void write(Payload payload, ByteBuf out) throws Refusal {
    int start = out.writerIndex();
    try {
      ByteBufOutputStream stream = new ByteBufOutputStream(out);
      codec.write(payload, stream);
    } catch (IOException e) {
      // A lone surrogate, legal in JSON as an escape, has no UTF-8 form.
      out.writerIndex(start);
      out.writeCharSequence(escaped(payload), StandardCharsets.UTF_8);
    }
  }

  byte[] bytes(Payload payload) {
    return codec.toBytes(payload);
  }

  private static String escaped(Payload payload) throws Refusal {
    String text;
    try {
      text = payload.toString();
    } catch (RuntimeException e) {
      throw new Refusal(
          ProblemType.OUTPUT_NOT_JSON,
          "expected an output that JSON can carry, found one that is nested too deeply");
    }
    StringBuilder escaped = new StringBuilder(text.length() + 16);
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean pair =
          Character.isHighSurrogate(c)
              && i + 1 < text.length()
              && Character.isLowSurrogate(text.charAt(i + 1));
      if (pair) {
        escaped.append(c).append(text.charAt(++i));
      } else if (Character.isSurrogate(c)) {
        escaped.append("\\u").append(Integer.toHexString(c));
      } else {
        escaped.append(c);
      }
    }
    return escaped.toString();
  }
}
