package dev.pinion.core.invoker;

import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.codec.PayloadSyntaxException;
import dev.pinion.core.invoker.content.MediaType;
import dev.pinion.core.invoker.content.ResponseCoding;
import dev.pinion.core.invoker.content.ResponseContent;
import dev.pinion.core.limits.InvokerLimits;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.call.CallOutcome;
import dev.pinion.core.model.call.HttpCall;
import dev.pinion.core.model.call.SecretParts;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpUtil;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
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

  /** Stands for the value of a header field that comes from a secret. */
  private static final String HIDDEN = "***";

  private final ResponseCoding codings;
  private final ResponseContent contents;

  /** Outcomes of calls, within limits. */
  public CallOutcomes(PayloadCodec codec, InvokerLimits limits) {
    this.codings = new ResponseCoding(limits.maxResponseBytes());
    this.contents = new ResponseContent(codec);
  }

  /** The outcome of a call from its response. */
  public CallOutcome of(HttpCall call, ServiceResponse answer) {
    int status = answer.status();
    if (status < 200 || status > (call.acceptRedirects() ? 399 : 299)) {
      return refused(call, answer);
    }
    try {
      return new CallOutcome.Succeeded(output(call, answer));
    } catch (PayloadSyntaxException e) {
      boolean told = call.pending() == null && !repeatsSecret(call, answer);
      String why = told ? ": " + e.getMessage() : "";
      return CallFailures.communication(
          "the answer to " + call.description() + " could not be read" + why);
    }
  }

  /** Whether a body repeats a secret of the request, of which a message may show a part. */
  private boolean repeatsSecret(HttpCall call, ServiceResponse answer) {
    if (!(call.secretParts() instanceof SecretParts.Applied)) {
      return false;
    }
    try {
      ByteBuf body = codings.decoded(answer.headers(), answer.body());
      String type = answer.headers().get(HttpHeaderNames.CONTENT_TYPE);
      return call.showsSecret(body.toString(charset(type)));
    } catch (PayloadSyntaxException e) {
      return false; // there is no text of which a message could show a part
    }
  }

  private CallOutcome refused(HttpCall call, ServiceResponse answer) {
    String expected = call.acceptRedirects() ? "200 to 399" : "200 to 299";
    String detail =
        "expected status "
            + expected
            + " from "
            + call.description()
            + ", found "
            + answer.status()
            + excerpt(call, answer);
    return CallFailures.status(answer.status(), answer.reason(), detail);
  }

  /**
   * The first characters of a readable body, unless it repeats a secret of the request; none where
   * the secrets are not known, as for responses that handlers have passed on.
   */
  private String excerpt(HttpCall call, ServiceResponse answer) {
    if (call.pending() != null) {
      return "";
    }
    String type = answer.headers().get(HttpHeaderNames.CONTENT_TYPE);
    if (!isReadable(type) || !answer.body().isReadable()) {
      return "";
    }
    ByteBuf body;
    try {
      body = codings.decoded(answer.headers(), answer.body());
    } catch (PayloadSyntaxException e) {
      return "";
    }
    if (call.secretParts() instanceof SecretParts.Applied
        && call.showsSecret(body.toString(charset(type)))) {
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

  private static boolean isReadable(@Nullable String contentType) {
    if (contentType == null) {
      return false;
    }
    MediaType mediaType = MediaType.of(contentType);
    return mediaType.isText() || mediaType.isXml() || MediaType.isJson(contentType);
  }

  private Payload output(HttpCall call, ServiceResponse answer) throws PayloadSyntaxException {
    ByteBuf body = codings.decoded(answer.headers(), answer.body());
    return switch (call.output()) {
      case RAW -> body.isReadable() ? ResponseContent.base64(body) : Payload.NULL;
      case CONTENT, PARSED_CONTENT -> content(call, answer, body);
      case RESPONSE, PARSED_RESPONSE -> response(call, answer, content(call, answer, body));
    };
  }

  private Payload content(HttpCall call, ServiceResponse answer, ByteBuf body)
      throws PayloadSyntaxException {
    String type = answer.headers().get(HttpHeaderNames.CONTENT_TYPE);
    return contents.of(type, body, call.output().parsesXml());
  }

  private static Charset charset(@Nullable String contentType) {
    return contentType == null
        ? StandardCharsets.UTF_8
        : HttpUtil.getCharset(contentType, StandardCharsets.UTF_8);
  }

  private static Payload response(HttpCall call, ServiceResponse answer, Payload content) {
    Map<String, Payload> request = new LinkedHashMap<>();
    request.put("method", Payload.of(call.method()));
    request.put("uri", Payload.of(call.shownUri()));
    request.put("headers", sentFields(call));
    Map<String, Payload> response = new LinkedHashMap<>();
    response.put("request", Payload.object(request));
    response.put("statusCode", Payload.of(answer.status()));
    response.put("headers", receivedFields(answer.headers()));
    response.put("content", content);
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
