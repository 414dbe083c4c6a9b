package dev.pinion.core.model;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One HTTP request to a service, with everything decided that the definition decides.
 *
 * @param method request method in upper case
 * @param uri absolute URI with scheme {@code http} or {@code https}, query included,
 *     percent-encoded
 * @param headers header fields in order; names as the definition wrote them
 * @param body request body, or null for none; its content type says what is made of it: JSON, a
 *     form, or the text itself
 * @param output what the task's raw output is made of
 * @param acceptRedirects whether the final status may be 300 to 399 without being an error
 */
public record HttpCall(
    String method,
    String uri,
    List<Header> headers,
    @Nullable Payload body,
    Output output,
    boolean acceptRedirects) {
  /** Copies the headers. */
  public HttpCall {
    headers = List.copyOf(headers);
  }

  /** Names a call for as long as it may be made again, whoever makes it. */
  public static final String IDEMPOTENCY_KEY = "Idempotency-Key";

  /** Says for the how manieth time a call is made, from 1. */
  public static final String ATTEMPT = "Pinion-Attempt";

  /**
   * The same call under a name. A definition that sets the field {@value #IDEMPOTENCY_KEY} itself
   * has its way.
   *
   * @param key what names the call, without quotes
   * @param attempt for the how manieth time it is made, from 1
   */
  public HttpCall identified(String key, int attempt) {
    List<Header> named = new ArrayList<>(headers.size() + 2);
    named.addAll(headers);
    if (!isIdentified()) {
      named.add(new Header(IDEMPOTENCY_KEY, '"' + key + '"'));
    }
    named.add(new Header(ATTEMPT, Integer.toString(attempt)));
    return new HttpCall(method, uri, named, body, output, acceptRedirects);
  }

  /** Whether the call has a name under which its service can tell that it is made again. */
  public boolean isIdentified() {
    return headers.stream().anyMatch(field -> field.name().equalsIgnoreCase(IDEMPOTENCY_KEY));
  }

  /** The same call with other header fields. */
  public HttpCall withHeaders(List<Header> others) {
    return new HttpCall(method, uri, others, body, output, acceptRedirects);
  }

  /** The same call with another body. */
  public HttpCall withBody(Payload other) {
    return new HttpCall(method, uri, headers, other, output, acceptRedirects);
  }

  /**
   * A header field.
   *
   * @param name field name
   * @param value field value
   */
  public record Header(String name, String value) {}

  /** What the raw output of a call is made of. */
  public enum Output {
    /** The body in base 64. */
    RAW,
    /** The body, parsed when it is JSON, as text when it is text, else in base 64. */
    CONTENT,
    /** The request, the status, the headers and the content. */
    RESPONSE
  }
}
