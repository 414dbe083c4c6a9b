package dev.pinion.core.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Payload;
import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.codec.PayloadSyntaxException;
import dev.pinion.core.codec.PayloadTooLargeException;
import dev.pinion.core.model.Tags;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufOutputStream;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.util.ByteProcessor;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * JSON between buffers and payloads: the only class of this package that looks inside JSON trees.
 * Not for concurrent use.
 */
public final class RequestJson {
  private static final int KEPT_SCRATCH = 64 << 10;
  private static final int MAX_NAMED = 5;
  private static final String ORDERING_KEY = "orderingKey";
  private static final ByteBuf QUOTED_ORDERING_KEY =
      Unpooled.unreleasableBuffer(
          Unpooled.copiedBuffer('"' + ORDERING_KEY + '"', StandardCharsets.US_ASCII));

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
  static boolean isNothing(ByteBuf body) {
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

  /**
   * Content of the body of a start: the member {@code input}, or an empty object when there is no
   * body or no such member, and the client's names for the instance.
   */
  public StartBody start(ByteBuf body, EngineLimits.RequestLimits limits) throws ProblemException {
    if (isBlank(body)) {
      return new StartBody(Payload.EMPTY_OBJECT, Tags.NONE);
    }
    JsonNode json = read(body).json();
    if (!json.isObject()) {
      throw new ProblemException(
          ProblemType.BAD_BODY,
          "expected an object such as {\"input\": {}}, found "
              + json.getNodeType().name().toLowerCase(Locale.ROOT));
    }
    JsonNode input = json.get("input");
    JsonNode businessKey = json.get("businessKey");
    JsonNode labels = json.get("labels");
    JsonNode orderingKey = json.get(ORDERING_KEY);
    int tags =
        (businessKey == null ? 0 : 1) + (labels == null ? 0 : 1) + (orderingKey == null ? 0 : 1);
    if (json.size() > tags + (input == null ? 0 : 1)) {
      throw unknownMembers(json);
    }
    if (orderingKey != null && !mayHaveOrderingKey(body)) {
      throw new ProblemException(
          ProblemType.BAD_BODY,
          "expected the name of the member \"orderingKey\" without escapes, found some");
    }
    return new StartBody(
        input == null ? Payload.EMPTY_OBJECT : Payload.of(input),
        tags == 0 ? Tags.NONE : tags(businessKey, labels, orderingKey, limits));
  }

  /**
   * Whether a body may hold a start with an ordering key, by its bytes alone: this decides where
   * the start goes before it is read.
   */
  public static boolean mayHaveOrderingKey(ByteBuf body) {
    return ByteBufUtil.indexOf(QUOTED_ORDERING_KEY.duplicate(), body) >= 0;
  }

  private static Tags tags(
      @Nullable JsonNode businessKey,
      @Nullable JsonNode labels,
      @Nullable JsonNode orderingKey,
      EngineLimits.RequestLimits limits)
      throws ProblemException {
    String key =
        businessKey == null
            ? null
            : word("businessKey", businessKey, limits.maxBusinessKeyChars(), "maxBusinessKeyChars");
    Map<String, String> named = new TreeMap<>();
    if (labels != null) {
      if (!labels.isObject() || labels.size() > limits.maxLabels()) {
        throw new ProblemException(
            ProblemType.BAD_BODY,
            "expected labels to be an object with at most "
                + limits.maxLabels()
                + " members (request.maxLabels), found "
                + (labels.isObject() ? labels.size() + " members" : "no object"));
      }
      for (Map.Entry<String, JsonNode> label : labels.properties()) {
        check("the name of a label", label.getKey(), limits.maxLabelChars(), "maxLabelChars");
        String what = "the label " + Problem.quoted(label.getKey());
        named.put(
            label.getKey(), word(what, label.getValue(), limits.maxLabelChars(), "maxLabelChars"));
      }
    }
    if (named.containsKey(Tags.ORDERING_KEY)) {
      throw new ProblemException(
          ProblemType.BAD_BODY,
          "expected no label pinion.orderingKey, found one; use the member \"orderingKey\"");
    }
    if (orderingKey != null) {
      named.put(
          Tags.ORDERING_KEY,
          word(ORDERING_KEY, orderingKey, limits.maxLabelChars(), "maxLabelChars"));
    }
    return new Tags(key, named);
  }

  /**
   * A start with the ordering key that its definition makes of its input.
   *
   * @param key the result: a text, or a whole number as written in JSON
   * @throws ProblemException when it is something else, or the client has given another key
   */
  public static StartBody ordered(StartBody start, Payload key, EngineLimits.RequestLimits limits)
      throws ProblemException {
    JsonNode made = key.json();
    String what = "the ordering key that metadata.pinion.orderingKey makes of the input";
    JsonNode text = made.isIntegralNumber() ? TextNode.valueOf(made.asText()) : made;
    String word = word(what, text, limits.maxLabelChars(), "maxLabelChars");
    String given = start.tags().orderingKey();
    if (given != null && !given.equals(word)) {
      throw new ProblemException(
          ProblemType.BAD_BODY,
          "expected no member \"orderingKey\", or "
              + Problem.quoted(word)
              + ", which the definition gives, found "
              + Problem.quoted(given));
    }
    return new StartBody(start.input(), start.tags().with(Tags.ORDERING_KEY, word));
  }

  private static String word(String what, JsonNode value, int most, String limit)
      throws ProblemException {
    if (!value.isTextual()) {
      throw new ProblemException(
          ProblemType.BAD_BODY, "expected " + what + " to be a string, found none");
    }
    check(what, value.textValue(), most, limit);
    return value.textValue();
  }

  /** Checks that every database can store a text and that nobody mistakes it for something else. */
  private static void check(String what, String text, int most, String limit)
      throws ProblemException {
    boolean odd =
        text.codePoints().anyMatch(c -> Character.isISOControl(c) || (c >= 0xd800 && c <= 0xdfff));
    if (text.isEmpty() || text.length() > most || odd) {
      throw new ProblemException(
          ProblemType.BAD_BODY,
          "expected "
              + what
              + " to be from 1 to "
              + most
              + " characters (request."
              + limit
              + ") without control characters, found "
              + Problem.quoted(text));
    }
  }

  /**
   * Content of a start.
   *
   * @param tags the client's names for the instance
   */
  public record StartBody(Payload input, Tags tags) {}

  private static ProblemException unknownMembers(JsonNode json) {
    List<String> unknown = new ArrayList<>();
    json.fieldNames().forEachRemaining(unknown::add);
    unknown.removeAll(List.of("input", "businessKey", "labels", ORDERING_KEY));
    for (String name : unknown) {
      if (name.equals("startAt")) {
        return new ProblemException(
            ProblemType.NOT_SUPPORTED, "the member \"" + name + "\" is not supported yet");
      }
    }
    List<String> named = unknown.stream().limit(MAX_NAMED).map(Problem::quoted).toList();
    String more = unknown.size() > MAX_NAMED ? " and more" : "";
    return new ProblemException(
        ProblemType.BAD_BODY,
        "expected no members but \"input\", \"businessKey\", \"labels\" and \"orderingKey\", found "
            + String.join(", ", named)
            + more);
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
