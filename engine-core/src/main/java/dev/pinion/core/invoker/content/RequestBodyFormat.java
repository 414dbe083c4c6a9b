package dev.pinion.core.invoker.content;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.limits.InvokerLimits;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.call.HttpCall;
import java.nio.charset.Charset;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Encoding of a request's body, by its media type (RFC 9110, section 8.3). Immutable.
 *
 * <p>A JSON type, and no type, encodes any value as JSON. With every other type a string is the
 * text itself, in the charset that the type names, else in UTF-8. An object becomes a form, parts
 * or XML where the type is one of these; elsewhere {@code {"base64": …}} are bytes. {@code text/*}
 * accepts numbers and booleans, too; binary and media types nothing else, other application types
 * JSON.
 *
 * <p>A body is encoded twice, to the same bytes: to find problems before a connection is used, and
 * to be sent. So a call that waits keeps its value only.
 */
public final class RequestBodyFormat {
  private static final List<String> BINARY = List.of("image/", "audio/", "video/", "font/");
  private static final List<String> BINARY_TYPES =
      List.of("application/octet-stream", "application/pdf");

  private final PayloadCodec codec;
  private final FormEncoding forms;
  private final XmlEncoding xml;
  private final MultipartEncoding parts;
  private final PlainTextEncoding texts = new PlainTextEncoding();

  /** Encoding within limits. */
  public RequestBodyFormat(PayloadCodec codec, InvokerLimits limits) {
    this.codec = codec;
    this.forms = new FormEncoding(limits.maxRequestBytes());
    this.xml = new XmlEncoding(limits.maxRequestBytes());
    this.parts = new MultipartEncoding(limits.maxRequestBytes(), this::part);
  }

  /** Reason why the body of a call cannot be sent with its media type, or null when it can. */
  public @Nullable String problem(HttpCall call) {
    try {
      check(call);
      return null;
    } catch (InvalidBodyException e) {
      return e.problem();
    }
  }

  private void check(HttpCall call) throws InvalidBodyException {
    Payload body = call.body();
    String contentType = field(call, "Content-Type");
    String coding = field(call, "Content-Encoding");
    boolean isCoded = coding != null && !coding.isBlank() && !coding.equalsIgnoreCase("identity");
    if (isCoded && (body == null || contentType == null || !isBytes(body, contentType))) {
      throw new InvalidBodyException(
          "expected no Content-Encoding, since the engine compresses no requests, unless the body"
              + " is {base64: ...}, found \""
              + coding
              + "\"");
    }
    if (body == null || contentType == null || isJson(contentType)) {
      return;
    }
    MediaType mediaType = MediaType.of(contentType);
    if (body.json().isTextual()) {
      Charset charset = CharsetParameter.toWrite(mediaType);
      CharsetParameter.requireCharacters(body.json().textValue(), charset);
    } else {
      encode(body.json(), mediaType);
    }
  }

  private static boolean isBytes(Payload body, String contentType) {
    return Base64Bytes.text(body.json()) != null
        && !isJson(contentType)
        && takesBytes(MediaType.of(contentType));
  }

  /**
   * A body without problem in the form in which it is sent, or null where that is JSON.
   *
   * @throws IllegalArgumentException when there is a {@link #problem}
   */
  public @Nullable EncodedBody encode(Payload body, @Nullable String contentType) {
    if (contentType == null || isJson(contentType)) {
      return null;
    }
    try {
      return encode(body.json(), MediaType.of(contentType));
    } catch (InvalidBodyException e) {
      throw new IllegalArgumentException(e.problem(), e);
    }
  }

  /**
   * Bytes of a body without problem, as they are sent with a call.
   *
   * @throws IllegalArgumentException when there is a {@link #problem}
   */
  public byte[] bytes(HttpCall call, Payload body) {
    EncodedBody encoded = encode(body, field(call, "Content-Type"));
    return encoded == null ? codec.toBytes(body) : encoded.bytes();
  }

  private @Nullable EncodedBody encode(JsonNode value, MediaType mediaType)
      throws InvalidBodyException {
    if (value.isTextual()) {
      return PlainTextEncoding.text(value.textValue(), mediaType);
    }
    String base64 = takesBytes(mediaType) ? Base64Bytes.text(value) : null;
    if (base64 != null) {
      return new EncodedBody(mediaType.text(), Base64Bytes.decode(base64));
    }
    BodyEncoding encoding = encoding(mediaType);
    if (encoding != null) {
      return encoding.encode(value, mediaType);
    }
    if (mediaType.isMultipart()) {
      throw BodyProblem.expected("a string with its boundaries or {base64: ...}", mediaType, value);
    }
    if (isBinary(mediaType)) {
      throw BodyProblem.expected("a string or {base64: ...}", mediaType, value);
    }
    return null;
  }

  /** Content of a part of a form: as a body, but never of parts. */
  private byte[] part(JsonNode value, MediaType mediaType) throws InvalidBodyException {
    if (mediaType.isMultipart() && !value.isTextual()) {
      throw BodyProblem.expected("a string", mediaType, value);
    }
    EncodedBody encoded = isJson(mediaType.text()) ? null : encode(value, mediaType);
    return encoded == null ? codec.toExactBytes(Payload.of(value)) : encoded.bytes();
  }

  /** Encoding of objects and scalars, or null where there is none. */
  private @Nullable BodyEncoding encoding(MediaType mediaType) {
    if (mediaType.isForm()) {
      return forms;
    }
    if (mediaType.isXml()) {
      return xml;
    }
    if (mediaType.isMultipartForm()) {
      return parts;
    }
    return mediaType.isPlainText() ? texts : null;
  }

  /** Whether an object with the member base64 alone is bytes: it has no other meaning. */
  private static boolean takesBytes(MediaType mediaType) {
    return !mediaType.isForm() && !mediaType.isXml() && !mediaType.isMultipartForm();
  }

  private static boolean isBinary(MediaType mediaType) {
    return BINARY.stream().anyMatch(mediaType.essence()::startsWith)
        || BINARY_TYPES.contains(mediaType.essence());
  }

  private static boolean isJson(String contentType) {
    return MediaType.isJson(contentType) || MediaType.of(contentType).essence().equals("text/json");
  }

  private static @Nullable String field(HttpCall call, String name) {
    for (HttpCall.HeaderField field : call.headers()) {
      if (field.name().equalsIgnoreCase(name)) {
        return field.value();
      }
    }
    return null;
  }
}
