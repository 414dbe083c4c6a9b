package dev.pinion.core.http;

import java.util.Map;

/** Answers the requests of operators. */
public interface OperatorService {
  /**
   * A request.
   *
   * @param path decoded path
   * @param query decoded query; empty when there is none
   */
  record OperatorRequest(String method, String path, String query) {}

  /**
   * An answer.
   *
   * @param fields further header fields; {@code Content-Length} and the like are added
   */
  record OperatorResponse(int status, String mediaType, String body, Map<String, String> fields) {}

  /** Answers a request, on one of the threads; it may block. */
  OperatorResponse answer(OperatorRequest operatorRequest);

  /**
   * The answer for a refused request, in the form of RFC 9457; must not block.
   *
   * @param code the last part of the type's URI
   */
  OperatorResponse refusal(int status, String code, String title, String detail);
}
