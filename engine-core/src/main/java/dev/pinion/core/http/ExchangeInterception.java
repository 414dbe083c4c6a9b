package dev.pinion.core.http;

import dev.pinion.core.http.message.ProblemException;
import dev.pinion.core.http.message.Response;

/**
 * The point in front of the endpoints at which requests and answers of interceptable routes may be
 * examined, changed and refused. Event loop only.
 */
public interface ExchangeInterception {
  /** Whether the body of a request may have any media type until it was intercepted. */
  boolean acceptsAnyContent(Route route);

  /**
   * Whether a request of an interceptable route goes to its endpoint unchanged; if not, {@link
   * #interceptRequest} takes it.
   *
   * @throws ProblemException when the request is refused
   */
  boolean bypasses(HttpExchange httpExchange) throws ProblemException;

  /**
   * Takes a request. Its body is valid during the call only.
   *
   * @param proceed calls the endpoint, on the event loop of the exchange
   */
  void interceptRequest(HttpExchange httpExchange, HttpExchange.ExchangeStep proceed);

  /** Whether an answer goes through {@link #interceptResponse} before it is sent. */
  boolean interceptsResponse(HttpExchange httpExchange);

  /** Takes an answer, and answers the exchange with its result. */
  void interceptResponse(HttpExchange httpExchange, Response response);

  /** Adds fields to an answer that another replica has asked for. */
  void completeForPeer(HttpExchange httpExchange, Response response);
}
