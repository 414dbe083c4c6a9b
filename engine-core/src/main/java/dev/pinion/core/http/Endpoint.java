package dev.pinion.core.http;

import dev.pinion.core.http.message.ProblemException;

/** Answers requests of one route, on the event loop, once the body is complete. */
@FunctionalInterface
public interface Endpoint {
  /**
   * Answers a request, now or later.
   *
   * @throws ProblemException when the request is refused
   */
  void handle(HttpExchange httpExchange) throws ProblemException;
}
