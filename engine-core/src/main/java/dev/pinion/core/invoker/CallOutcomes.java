package dev.pinion.core.invoker;

import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.codec.PayloadSyntaxException;
import dev.pinion.core.model.CallOutcome;
import dev.pinion.core.model.HttpCall;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.SecretParts;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpUtil;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Turns a complete response into the outcome of a call (DSL reference, "HTTP Call" and "HTTP
 * Response").
 *
 * <p>Redirections are not followed: the DSL only says whether a status from 300 to 399 is an error.
 */
public final class CallOutcomes {
  private static final int EXCERPT_CHARS = 200;
  private static final int SCRATCH_BYTES = 64 << 10;

  /** Stands for the value of a header field that comes from a secret. */
  private static final String HIDDEN = "***";

  private final PayloadCodec codec;
  private final byte[] scratch = new byte[SCRATCH_BYTES];

  public CallOutcomes(PayloadCodec codec) {
    this.codec = codec;
  }

  /** The outcome of a call from its response. */
  public CallOutcome of(HttpCall call, ServiceResponse answer) {
    int status = answer.status();
    if (status < 200 || status > (call.acceptRedirects() ? 399 : 299)) {
      return refused(call, answer);
    }
    String coding = coding(answer);
    if (coding != null) {
      return CallFailures.communication(
          "expected an answer to "
              + CallFailures.name(call)
              + " without content coding, found Content-Encoding \""
              + coding
              + "\"");
    }
    try {
      return new CallOutcome.Succeeded(output(call, answer));
    } catch (PayloadSyntaxException e) {
      String why = call.pending() == null ? ": " + e.getMessage() : "";
      return CallFailures.communication(
          "the answer to " + CallFailures.name(call) + " could not be read" + why);
    }
  }

  private static CallOutcome refused(HttpCall call, ServiceResponse answer) {
    String expected = call.acceptRedirects() ? "200 to 399" : "200 to 299";
    String detail =
        "expected status "
            + expected
            + " from "
            + CallFailures.name(call)
            + ", found "
            + answer.status()
            + excerpt(call, answer);
    return CallFailures.status(answer.status(), answer.reason(), detail);
  }

  /**
   * The first characters of a readable body, unless it repeats a secret of the request; none where
   * the secrets are not known, as for responses that handlers have passed on.
   */
  private static String excerpt(HttpCall call, ServiceResponse answer) {
    if (call.pending() != null) {
      return "";
    }
    String type = answer.headers().get(HttpHeaderNames.CONTENT_TYPE);
    boolean readable = HttpSyntax.isText(type) || HttpSyntax.isJson(type);
    ByteBuf body = answer.body();
    if (!readable || !body.isReadable() || coding(answer) != null) {
      return "";
    }
    if (call.secretParts() instanceof SecretParts.Applied applied
        && applied.texts().appearIn(body.toString(charset(type)))) {
      return " and a body that repeats a secret of the request";
    }
    int most = Math.min(body.readableBytes(), 4 * EXCERPT_CHARS);
    String text = body.toString(body.readerIndex(), most, charset(type));
    int end = Math.min(text.length(), EXCERPT_CHARS);
    if (end < text.length() && Character.isHighSurrogate(text.charAt(end - 1))) {
      end--;
    }
    return ": " + text.substring(0, end);
  }

  /** The content coding of the body, or null when there is none. */
  private static @Nullable String coding(ServiceResponse answer) {
    String coding = answer.headers().get(HttpHeaderNames.CONTENT_ENCODING);
    boolean coded =
        coding != null && answer.body().isReadable() && !coding.equalsIgnoreCase("identity");
    return coded ? coding : null;
  }

  private Payload output(HttpCall call, ServiceResponse answer) throws PayloadSyntaxException {
    return switch (call.output()) {
      case RAW -> answer.body().isReadable() ? base64(answer.body()) : Payload.NULL;
      case CONTENT -> content(answer);
      case RESPONSE -> response(call, answer);
    };
  }

  private Payload content(ServiceResponse answer) throws PayloadSyntaxException {
    ByteBuf body = answer.body();
    if (!body.isReadable()) {
      return Payload.NULL;
    }
    String type = answer.headers().get(HttpHeaderNames.CONTENT_TYPE);
    if (HttpSyntax.isJson(type)) {
      return json(body);
    }
    return HttpSyntax.isText(type) ? Payload.of(body.toString(charset(type))) : base64(body);
  }

  private Payload json(ByteBuf body) throws PayloadSyntaxException {
    int length = body.readableBytes();
    if (body.hasArray()) {
      return codec.readBounded(body.array(), body.arrayOffset() + body.readerIndex(), length);
    }
    byte[] bytes = length <= scratch.length ? scratch : new byte[length];
    body.getBytes(body.readerIndex(), bytes, 0, length);
    return codec.readBounded(bytes, 0, length);
  }

  private static Charset charset(@Nullable String contentType) {
    return contentType == null
        ? StandardCharsets.UTF_8
        : HttpUtil.getCharset(contentType, StandardCharsets.UTF_8);
  }

  private static Payload base64(ByteBuf body) {
    return Payload.of(Base64.getEncoder().encodeToString(ByteBufUtil.getBytes(body)));
  }

  private Payload response(HttpCall call, ServiceResponse answer) throws PayloadSyntaxException {
    Map<String, Payload> request = new LinkedHashMap<>();
    request.put("method", Payload.of(call.method()));
    request.put("uri", Payload.of(call.shownUri()));
    request.put("headers", sentFields(call));
    Map<String, Payload> response = new LinkedHashMap<>();
    response.put("request", Payload.object(request));
    response.put("statusCode", Payload.of(answer.status()));
    response.put("headers", receivedFields(answer.headers()));
    response.put("content", content(answer));
    return Payload.object(response);
  }

  /** The header fields from the definition; the values of those with secrets are hidden. */
  private static Payload sentFields(HttpCall call) {
    Set<String> hidden =
        call.secretParts() instanceof SecretParts.Applied applied
            ? applied.hiddenFields()
            : Set.of();
    Map<String, String> fields = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    for (HttpCall.HeaderField field : call.headers()) {
      boolean isHidden = hidden.contains(field.name().toLowerCase(Locale.ROOT));
      add(fields, field.name(), isHidden ? HIDDEN : field.value());
    }
    return payload(fields);
  }

  private static Payload receivedFields(HttpHeaders headers) {
    Map<String, String> fields = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    headers.forEach(header -> add(fields, header.getKey(), header.getValue()));
    return payload(fields);
  }

  /**
   * Joins fields of one name, under its first spelling, as in RFC 9110, section 5.3; Set-Cookie,
   * whose values may hold commas, by line feeds, which no value holds.
   */
  private static void add(Map<String, String> fields, String name, String value) {
    String separator = name.toLowerCase(Locale.ROOT).equals("set-cookie") ? "\n" : ", ";
    fields.merge(name, value, (before, next) -> before + separator + next);
  }

  private static Payload payload(Map<String, String> fields) {
    Map<String, Payload> members = new LinkedHashMap<>();
    fields.forEach((name, value) -> members.put(name, Payload.of(value)));
    return Payload.object(members);
  }
}
