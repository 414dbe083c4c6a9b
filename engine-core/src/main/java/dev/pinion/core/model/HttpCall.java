package dev.pinion.core.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One HTTP request to a service, with everything decided that the definition decides.
 *
 * @param method request method in upper case
 * @param uri absolute URI with scheme {@code http} or {@code https}, query included,
 *     percent-encoded
 * @param headers header fields in order; names as the definition wrote them
 * @param body request body, or null for none; a JSON string under a non-JSON content type is sent
 *     as text
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
