package dev.pinion.bootstrap.admin;

import dev.pinion.bootstrap.protocol.JsonWriter;
import java.util.Locale;
import java.util.Map;

/**
 * A response to a request.
 *
 * @param status HTTP status
 * @param type media type of the body
 * @param body the body
 * @param headers further headers
 */
record AdminResponse(int status, String type, String body, Map<String, String> headers) {
  private static final String JSON = "application/json";
  private static final String TYPES = "https://pinion.dev/problems/";
  private static final String PROBLEM = "application/problem+json";

  /** A JSON document. */
  static AdminResponse json(int status, JsonWriter body) {
    return new AdminResponse(status, JSON, body + "\n", Map.of());
  }

  /** Text for people, or for Prometheus. */
  static AdminResponse text(String body) {
    return new AdminResponse(200, "text/plain; version=0.0.4; charset=utf-8", body, Map.of());
  }

  /** A problem in the format of RFC 9457, whose code is its title in lower case. */
  static AdminResponse problem(int status, String title, String detail) {
    return problem(status, title.toLowerCase(Locale.ROOT).replace(' ', '-'), title, detail);
  }

  /**
   * A problem in the format of RFC 9457.
   *
   * @param code the last part of the type's URI
   */
  static AdminResponse problem(int status, String code, String title, String detail) {
    JsonWriter body = new JsonWriter();
    body.object(
        () ->
            body.put("type", TYPES + code)
                .put("title", title)
                .put("status", status)
                .put("detail", detail)
                .put("code", code));
    return new AdminResponse(status, PROBLEM, body + "\n", Map.of());
  }

  /** This response with a further header. */
  AdminResponse with(String header, String value) {
    return new AdminResponse(status, type, body, Map.of(header, value));
  }
}
