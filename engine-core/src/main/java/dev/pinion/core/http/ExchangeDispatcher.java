package dev.pinion.core.http;

import dev.pinion.core.http.message.ProblemException;
import dev.pinion.core.http.message.ProblemType;
import dev.pinion.core.http.message.RequestJson;
import dev.pinion.core.http.message.Response;

/**
 * Takes requests to their endpoints and answers to their connection, through an interception where
 * there is one. Event loop only.
 */
final class ExchangeDispatcher {
  private final ExchangeInterception exchangeInterception;

  ExchangeDispatcher(ExchangeInterception exchangeInterception) {
    this.exchangeInterception = exchangeInterception;
  }

  /**
   * Takes a complete request to its endpoint, or to its interception.
   *
   * @throws ProblemException when the request is refused
   */
  void request(HttpExchange httpExchange, Endpoint endpoint) throws ProblemException {
    Route.BodySpec bodySpec = httpExchange.route().body();
    if (httpExchange.body().isReadable() && bodySpec.mediaTypes().isEmpty()) {
      throw new ProblemException(ProblemType.BAD_BODY, "expected no body, found one");
    }
    if (bodySpec.isNothing() && !RequestJson.isNothing(httpExchange.body())) {
      throw new ProblemException(
          ProblemType.BAD_BODY, "expected no body, or {}, found another one");
    }
    if (!httpExchange.isInterceptable() || exchangeInterception.bypasses(httpExchange)) {
      endpoint.handle(httpExchange);
    } else {
      exchangeInterception.interceptRequest(httpExchange, () -> endpoint.handle(httpExchange));
    }
  }

  /**
   * Takes an answer to its interception, which answers the exchange later.
   *
   * @return whether it did; otherwise the answer is to be sent as it is
   */
  boolean intercepts(HttpExchange httpExchange, Response response) {
    if (httpExchange.isResponding() || !exchangeInterception.interceptsResponse(httpExchange)) {
      return false;
    }
    httpExchange.beginResponse();
    exchangeInterception.interceptResponse(httpExchange, response);
    return true;
  }

  /** Adds fields to an answer that another replica has asked for. */
  void completeForPeer(HttpExchange httpExchange, Response response) {
    exchangeInterception.completeForPeer(httpExchange, response);
  }
}
