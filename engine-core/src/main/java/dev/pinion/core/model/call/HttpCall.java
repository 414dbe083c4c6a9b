package dev.pinion.core.model.call;

import dev.pinion.core.model.Payload;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * One HTTP request to a service, as the definition specifies it.
 *
 * @param method request method in upper case
 * @param uri absolute URI with scheme {@code http} or {@code https}, query included,
 *     percent-encoded
 * @param headers header fields in order; names as the definition wrote them
 * @param body request body, or null for none; its content type selects the encoding
 * @param output content of the task's raw output
 * @param acceptRedirects whether the final status may be 300 to 399 without being an error
 * @param secretParts parts that need secrets, before or after they were added; null when there are
 *     none
 */
public record HttpCall(
    String method,
    String uri,
    List<HeaderField> headers,
    @Nullable Payload body,
    Output output,
    boolean acceptRedirects,
    @Nullable SecretParts secretParts)
    implements CallRequest {
  /** Copies the headers. */
  public HttpCall {
    headers = List.copyOf(headers);
  }

  /** A call without secrets. */
  public HttpCall(
      String method,
      String uri,
      List<HeaderField> headers,
      @Nullable Payload body,
      Output output,
      boolean acceptRedirects) {
    this(method, uri, headers, body, output, acceptRedirects, null);
  }

  /** Header field that names a call in all its repetitions. */
  public static final String IDEMPOTENCY_KEY = "Idempotency-Key";

  /** Header field with the number of the attempt, from 1. */
  public static final String ATTEMPT = "Pinion-Attempt";

  /**
   * A copy with a name, except where the definition sets the field {@value #IDEMPOTENCY_KEY}
   * itself.
   *
   * @param key name of the call, without quotes
   * @param attempt number of the attempt, from 1
   */
  @Override
  public HttpCall withIdempotencyKey(String key, int attempt) {
    List<HeaderField> named = new ArrayList<>(headers.size() + 2);
    named.addAll(headers);
    if (!hasIdempotencyKey()) {
      named.add(new HeaderField(IDEMPOTENCY_KEY, '"' + key + '"'));
    }
    named.add(new HeaderField(ATTEMPT, Integer.toString(attempt)));
    return withHeaders(named);
  }

  /** Whether the call has a name by which its service can recognize a repetition. */
  public boolean hasIdempotencyKey() {
    return headers.stream().anyMatch(field -> field.name().equalsIgnoreCase(IDEMPOTENCY_KEY));
  }

  /** A copy with other header fields. */
  public HttpCall withHeaders(List<HeaderField> others) {
    return at(uri, others);
  }

  /** A copy with another URI and other header fields. */
  public HttpCall at(String otherUri, List<HeaderField> others) {
    return new HttpCall(method, otherUri, others, body, output, acceptRedirects, secretParts);
  }

  /** A copy with another body. */
  @Override
  public HttpCall withBody(Payload other) {
    return new HttpCall(method, uri, headers, other, output, acceptRedirects, secretParts);
  }

  /** The parts that the Invoker adds with the values of secrets; null when there are none. */
  public SecretParts.@Nullable Pending pending() {
    return secretParts instanceof SecretParts.Pending pending ? pending : null;
  }

  @Override
  public boolean showsSecret(String text) {
    return secretParts instanceof SecretParts.Applied applied && applied.texts().appearIn(text);
  }

  /** The URI for messages and outputs: without parts that come from secrets. */
  public String shownUri() {
    return secretParts instanceof SecretParts.Applied applied ? applied.shownUri() : uri;
  }

  /** A URI with parameters added to its query; no parameters are an empty text. */
  public static String withQuery(String uri, String query) {
    if (query.isEmpty()) {
      return uri;
    }
    return uri + (uri.indexOf('?') < 0 ? "?" : uri.endsWith("?") ? "" : "&") + query;
  }

  @Override
  public long heapBytes() {
    SecretParts.Pending pending = pending();
    return (body == null ? 0 : body.heapBytes()) + (pending == null ? 0 : pending.heapBytes());
  }

  @Override
  public HttpCall withValues(UnaryOperator<Payload> each) {
    SecretParts.Pending pending = pending();
    Payload otherBody = body == null ? null : each.apply(body);
    return body == null && pending == null
        ? this
        : new HttpCall(
            method,
            uri,
            headers,
            otherBody,
            output,
            acceptRedirects,
            pending == null ? secretParts : pending.withValues(each));
  }

  /** Method and URI alone: header fields and body may hold secrets. */
  @Override
  public String toString() {
    return method + " " + shownUri();
  }

  /** Method and URI without user information, query, fragment and what comes from secrets. */
  @Override
  public String description() {
    String shown = shownUri();
    int end = 0;
    while (end < shown.length() && shown.charAt(end) != '?' && shown.charAt(end) != '#') {
      end++;
    }
    int authority = shown.indexOf("://") + 3;
    if (authority < 3 || authority > end) {
      return method;
    }
    int path = shown.indexOf('/', authority);
    int authorityEnd = path < 0 || path > end ? end : path;
    int at = shown.lastIndexOf('@', authorityEnd - 1);
    int host = at < authority ? authority : at + 1;
    return method + " " + shown.substring(0, authority) + shown.substring(host, end);
  }

  /**
   * A header field.
   *
   * @param name field name
   * @param value field value
   */
  public record HeaderField(String name, String value) {}

  /** Content of the raw output of a call. */
  public enum Output {
    /** The body in base 64. */
    RAW,
    /** The body as a value, by its media type. */
    CONTENT,
    /** The request, the status, the headers and the content. */
    RESPONSE,
    /** As {@link #CONTENT}, with XML in its JSON form. */
    PARSED_CONTENT,
    /** As {@link #RESPONSE}, with XML in its JSON form. */
    PARSED_RESPONSE;

    /** Whether XML becomes its JSON form, rather than a string. */
    public boolean parsesXml() {
      return this == PARSED_CONTENT || this == PARSED_RESPONSE;
    }

    /** Whether it is the content alone. */
    public boolean isContent() {
      return this == CONTENT || this == PARSED_CONTENT;
    }

    /** The output with XML in its JSON form. */
    public Output withParsedXml() {
      return switch (this) {
        case RAW -> RAW;
        case CONTENT, PARSED_CONTENT -> PARSED_CONTENT;
        case RESPONSE, PARSED_RESPONSE -> PARSED_RESPONSE;
      };
    }
  }
}
