package dev.pinion.core.invoker;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.model.HttpCall;
import dev.pinion.core.model.Payload;
import io.netty.handler.codec.http.HttpUtil;
import java.net.URLEncoder;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Encoding of a request's body, by its media type (RFC 9110, section 8.3).
 *
 * <p>A JSON type, and no type, encodes any value as JSON. With every other type a string is the
 * text itself. {@code application/x-www-form-urlencoded} encodes an object as a form; {@code
 * text/*} accepts numbers and booleans, too; {@code multipart/*}, XML, binary and media types
 * accept only strings. Other application types accept JSON.
 *
 * <p>Texts are sent in the charset that the media type names, else in UTF-8. A form made of an
 * object is ASCII, with escaped bytes of that charset.
 */
public final class RequestBodyFormat {
  private static final String FORM = "application/x-www-form-urlencoded";
  private static final List<String> TEXT_ONLY =
      List.of("multipart/", "image/", "audio/", "video/", "font/");
  private static final List<String> TEXT_ONLY_TYPES =
      List.of("application/xml", "application/octet-stream", "application/pdf");

  private RequestBodyFormat() {}

  /** Reason why the body of a call cannot be sent with its media type, or null when it can. */
  public static @Nullable String problem(HttpCall call) {
    Payload body = call.body();
    String contentType = contentType(call);
    if (body == null || contentType == null || isJson(contentType)) {
      return null;
    }
    JsonNode value = body.json();
    String type = HttpSyntax.essence(contentType).toLowerCase(Locale.ROOT);
    if (value.isTextual()) {
      return charsetProblem(value, contentType);
    }
    if (type.equals(FORM)) {
      return isForm(value)
          ? charsetProblem(value, contentType)
          : expected("an object of scalars or a string", type, value);
    }
    if (type.startsWith("text/")) {
      return isPlain(value)
          ? charsetProblem(value, contentType)
          : expected("a string, number or boolean", type, value);
    }
    return isTextOnly(type) ? expected("a string", type, value) : null;
  }

  /** Text form of a body, or null where it is sent as JSON. */
  public static @Nullable String text(Payload body, @Nullable String contentType) {
    if (contentType == null || isJson(contentType)) {
      return null;
    }
    JsonNode value = body.json();
    if (value.isTextual()) {
      return value.textValue();
    }
    if (HttpSyntax.essence(contentType).equalsIgnoreCase(FORM)) {
      return form(value, formCharset(contentType));
    }
    return HttpSyntax.isText(contentType) ? body.toString() : null;
  }

  /** Bytes of the body of a call. */
  public static byte[] bytes(HttpCall call, Payload body, PayloadCodec codec) {
    return bytes(body, contentType(call), codec);
  }

  /** Bytes of a body that handlers have not replaced. */
  static byte[] bytes(Payload body, @Nullable String contentType, PayloadCodec codec) {
    String text = text(body, contentType);
    return text != null && contentType != null
        ? text.getBytes(charset(body, contentType))
        : codec.toBytes(body);
  }

  /** Charset of the text form of a body. */
  public static Charset charset(Payload body, String contentType) {
    boolean isMadeForm =
        body.json().isObject() && HttpSyntax.essence(contentType).equalsIgnoreCase(FORM);
    return isMadeForm ? StandardCharsets.US_ASCII : charset(contentType);
  }

  private static Charset charset(String contentType) {
    return HttpUtil.getCharset(contentType, StandardCharsets.UTF_8);
  }

  /** Charset by the output encoding of WHATWG Encoding, section 4.3: UTF-8 instead of UTF-16. */
  private static Charset formCharset(String contentType) {
    Charset named = charset(contentType);
    return named.name().startsWith("UTF-") ? StandardCharsets.UTF_8 : named;
  }

  private static boolean isJson(String contentType) {
    return HttpSyntax.isJson(contentType)
        || HttpSyntax.essence(contentType).equalsIgnoreCase("text/json");
  }

  private static @Nullable String contentType(HttpCall call) {
    for (HttpCall.HeaderField field : call.headers()) {
      if (field.name().equalsIgnoreCase("Content-Type")) {
        return field.value();
      }
    }
    return null;
  }

  private static @Nullable String charsetProblem(JsonNode value, String contentType) {
    CharSequence name = HttpUtil.getCharsetAsSequence(contentType);
    if (name == null) {
      return null;
    }
    Charset charset = HttpUtil.getCharset(contentType, (Charset) null);
    if (charset == null || !charset.canEncode()) {
      return "expected a known charset, such as utf-8, in Content-Type, found \"" + name + "\"";
    }
    return charset.equals(StandardCharsets.UTF_8) || charset.newEncoder().canEncode(plain(value))
        ? null
        : "expected a body of characters that " + charset + " has, found others; send it as utf-8";
  }

  private static String plain(JsonNode value) {
    return value.isTextual() ? value.textValue() : value.toString();
  }

  private static boolean isForm(JsonNode value) {
    if (!value.isObject()) {
      return false;
    }
    for (JsonNode member : value) {
      for (JsonNode item : member.isArray() ? member : List.of(member)) {
        if (item.isContainerNode()) {
          return false;
        }
      }
    }
    return true;
  }

  private static boolean isPlain(JsonNode value) {
    return value.isNumber() || value.isBoolean();
  }

  private static boolean isTextOnly(String type) {
    return TEXT_ONLY.stream().anyMatch(type::startsWith)
        || TEXT_ONLY_TYPES.contains(type)
        || type.endsWith("+xml");
  }

  private static String expected(String expected, String type, JsonNode found) {
    return "expected "
        + expected
        + " as body of type "
        + type
        + ", found "
        + kind(found)
        + (type.startsWith("multipart/")
            ? ": the engine makes no multipart bodies; give the text with its boundaries"
            : "");
  }

  private static String kind(JsonNode value) {
    if (value.isObject()) {
      return value.isEmpty() ? "an empty object" : "an object with \"" + firstName(value) + "\"";
    }
    String kind = value.getNodeType().name().toLowerCase(Locale.ROOT);
    return value.isArray() ? "an array" : value.isNull() ? "null" : "a " + kind;
  }

  private static String firstName(JsonNode object) {
    String name = object.fieldNames().next();
    for (Map.Entry<String, JsonNode> member : object.properties()) {
      if (member.getValue().isContainerNode()) {
        name = member.getKey();
        break;
      }
    }
    return name.length() > 60 ? name.substring(0, 60) + "..." : name;
  }

  /** URL-encoded form (WHATWG URL, section 5.2): an array repeats its name, null is left out. */
  private static String form(JsonNode object, Charset charset) {
    StringBuilder form = new StringBuilder();
    for (Map.Entry<String, JsonNode> member : object.properties()) {
      JsonNode value = member.getValue();
      for (JsonNode item : value.isArray() ? value : List.of(value)) {
        if (!item.isNull()) {
          form.append(form.isEmpty() ? "" : "&")
              .append(URLEncoder.encode(member.getKey(), charset));
          form.append('=').append(URLEncoder.encode(plain(item), charset));
        }
      }
    }
    return form.toString();
  }
}
