package dev.pinion.core.model;

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
 * @param body request body, or null for none; its content type selects the encoding: JSON, a form,
 *     or the text itself
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
    @Nullable SecretParts secretParts) {
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
  public HttpCall withBody(Payload other) {
    return new HttpCall(method, uri, headers, other, output, acceptRedirects, secretParts);
  }

  /** The parts that the Invoker adds with the values of secrets; null when there are none. */
  public SecretParts.@Nullable Pending pending() {
    return secretParts instanceof SecretParts.Pending pending ? pending : null;
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

  /** Heap bytes of the values that the call keeps. */
  public long heapBytes() {
    SecretParts.Pending pending = pending();
    return (body == null ? 0 : body.heapBytes()) + (pending == null ? 0 : pending.heapBytes());
  }

  /** A copy with other values instead of those of the instance, which are visited in order. */
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
    /** The body, parsed when it is JSON, as text when it is text, else in base 64. */
    CONTENT,
    /** The request, the status, the headers and the content. */
    RESPONSE
  }
}
