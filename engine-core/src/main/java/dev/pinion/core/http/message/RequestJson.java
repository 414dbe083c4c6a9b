package dev.pinion.core.http.message;

import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.codec.PayloadSyntaxException;
import dev.pinion.core.codec.PayloadTooLargeException;
import dev.pinion.core.model.Payload;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufOutputStream;
import io.netty.util.ByteProcessor;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * JSON between buffers and payloads: the only class of this package that looks inside JSON trees.
 * Not for concurrent use.
 */
public final class RequestJson {
  private static final int KEPT_SCRATCH = 64 << 10;

  /** Skips white space of JSON (RFC 8259 section 2). */
  private static final ByteProcessor BLANK =
      value -> value == ' ' || value == '\n' || value == '\r' || value == '\t';

  private final PayloadCodec codec;
  private byte[] scratch = new byte[4 << 10];

  public RequestJson(PayloadCodec codec) {
    this.codec = codec;
  }

  /** Reads the only JSON value of a body. */
  public Payload read(ByteBuf body) throws ProblemException {
    int length = body.readableBytes();
    try {
      if (body.hasArray()) {
        return codec.readWithoutDuplicates(
            body.array(), body.arrayOffset() + body.readerIndex(), length);
      }
      byte[] bytes = length <= scratch.length ? scratch : room(length);
      body.getBytes(body.readerIndex(), bytes, 0, length);
      return codec.readWithoutDuplicates(bytes, 0, length);
    } catch (PayloadTooLargeException e) {
      throw new ProblemException(
          ProblemType.BODY_TOO_LARGE, Objects.requireNonNullElse(e.getMessage(), "too large"));
    } catch (PayloadSyntaxException e) {
      throw new ProblemException(
          ProblemType.BAD_BODY, Objects.requireNonNullElse(e.getMessage(), "expected JSON"));
    }
  }

  /**
   * Checks content that others read: in JSON, each member of an object occurs once.
   *
   * @param type as in a {@code Content-Type} field; null or empty when it is not known
   */
  public void requireOnce(@Nullable String type, byte[] bytes) throws ProblemException {
    if (type == null || type.isEmpty() || MediaTypes.isJson(type)) {
      try {
        codec.requireOnce(bytes, 0, bytes.length);
      } catch (PayloadSyntaxException e) {
        throw new ProblemException(
            ProblemType.BAD_BODY, Objects.requireNonNullElse(e.getMessage(), "a member twice"));
      }
    }
  }

  /** Whether a body is blank: empty, or white space of JSON. */
  public static boolean isBlank(ByteBuf body) {
    return body.forEachByte(BLANK) < 0;
  }

  /** Whether a body is blank or an object without members. */
  public static boolean isNothing(ByteBuf body) {
    int first = body.forEachByte(BLANK);
    int last = body.forEachByteDesc(BLANK);
    return first < 0
        || (body.getByte(first) == '{'
            && body.getByte(last) == '}'
            && last > first
            && body.forEachByte(first + 1, last - first - 1, BLANK) < 0);
  }

  private byte[] room(int length) {
    byte[] bytes = new byte[length];
    if (length <= KEPT_SCRATCH) {
      scratch = bytes;
    }
    return bytes;
  }

  /** A text member of an object, or an empty text. */
  public static String text(Payload payload, String member) {
    return payload.json().path(member).asText("");
  }

  /** A text member of an object within an object, or an empty text. */
  public static String text(Payload payload, String object, String member) {
    return payload.json().path(object).path(member).asText("");
  }

  /**
   * The items of an array.
   *
   * @param what description of the items, for the refusal of anything else
   */
  public static List<Payload> items(Payload payload, String what) throws ProblemException {
    if (!payload.json().isArray()) {
      throw new ProblemException(
          ProblemType.BAD_BODY, "expected an array of " + what + ", found another value");
    }
    List<Payload> items = new ArrayList<>(payload.json().size());
    payload.json().forEach(item -> items.add(Payload.of(item)));
    return items;
  }

  /** Names of the members of an object; empty for other values. */
  public static List<String> names(Payload payload) {
    return payload.json().properties().stream().map(Map.Entry::getKey).toList();
  }

  /** A member of a payload, which must be an object. */
  public static Payload member(Payload payload, String name) {
    return Payload.of(payload.json().path(name));
  }

  /** Writes a payload as compact JSON. */
  public void write(Payload payload, ByteBuf out) throws ProblemException {
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

  public byte[] bytes(Payload payload) {
    return codec.toBytes(payload);
  }

  private static String escaped(Payload payload) throws ProblemException {
    String text;
    try {
      text = payload.toString();
    } catch (RuntimeException e) {
      throw new ProblemException(
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
