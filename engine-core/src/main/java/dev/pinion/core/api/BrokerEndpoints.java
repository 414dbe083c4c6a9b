package dev.pinion.core.api;

import dev.pinion.core.http.Endpoint;
import dev.pinion.core.http.HttpExchange;
import dev.pinion.core.http.message.MediaTypes;
import dev.pinion.core.http.message.Problem;
import dev.pinion.core.http.message.ProblemException;
import dev.pinion.core.http.message.ProblemType;
import dev.pinion.core.http.message.RequestJson;
import dev.pinion.core.http.message.Response;
import dev.pinion.core.model.Payload;
import dev.pinion.core.spi.BrokerGateway;
import dev.pinion.core.spi.BrokerGateway.BrokerRequest;
import dev.pinion.core.spi.BrokerGateway.BrokerResponse;
import dev.pinion.core.spi.BrokerGateway.BrokerStatus;
import dev.pinion.core.spi.BrokerGateway.Verb;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Services, contracts and plans: passed on to the broker, which answers asynchronously. Nothing
 * here blocks an event loop.
 */
final class BrokerEndpoints {
  private final RequestContext context;
  private final BrokerGateway broker;

  BrokerEndpoints(RequestContext context) {
    this.context = context;
    this.broker = context.ports().services().broker();
  }

  /** All items of a collection, or a single resource. */
  Endpoint collection(Verb verb, String collection) {
    return httpExchange -> ask(httpExchange, verb, collection, "");
  }

  /** One item of a collection, named by the path. */
  Endpoint item(Verb verb, String collection) {
    return httpExchange -> ask(httpExchange, verb, collection, httpExchange.variable(0));
  }

  // the broker's result comes back on the event loop of the exchange
  @SuppressWarnings("FutureReturnValueIgnored")
  private void ask(HttpExchange httpExchange, Verb verb, String collection, String id)
      throws ProblemException {
    if (verb == Verb.PUT && !httpExchange.body().isReadable()) {
      throw new ProblemException(
          ProblemType.BAD_BODY, "expected a document in the body, found none");
    }
    BrokerRequest brokerRequest =
        new BrokerRequest(
            verb,
            collection,
            id,
            condition(httpExchange, "if-match"),
            condition(httpExchange, "if-none-match"),
            httpExchange.body().toString(StandardCharsets.UTF_8));
    broker
        .send(brokerRequest)
        .whenComplete(
            (brokerResponse, failure) ->
                httpExchange.onLoop(
                    () -> {
                      if (brokerResponse == null) {
                        throw new IllegalStateException("the broker's front failed", failure);
                      }
                      answer(httpExchange, brokerResponse);
                    }));
  }

  private static @Nullable String condition(HttpExchange httpExchange, String field) {
    List<String> values = httpExchange.headers(field);
    return values.isEmpty() ? null : String.join(",", values);
  }

  private void answer(HttpExchange httpExchange, BrokerResponse brokerResponse)
      throws ProblemException {
    switch (brokerResponse.outcome()) {
      case OK -> show(httpExchange, 200, brokerResponse);
      case CREATED -> show(httpExchange, 201, brokerResponse);
      case GONE -> httpExchange.respond(Response.empty(204));
      case UNCHANGED ->
          httpExchange.respond(Response.empty(304).field("etag", brokerResponse.etag()));
      default -> throw new ProblemException(problem(brokerResponse));
    }
  }

  private static void show(HttpExchange httpExchange, int status, BrokerResponse brokerResponse) {
    byte[] body = brokerResponse.body().getBytes(StandardCharsets.UTF_8);
    Response response = Response.of(status, MediaTypes.JSON, body);
    httpExchange.respond(
        brokerResponse.etag().isEmpty() ? response : response.field("etag", brokerResponse.etag()));
  }

  private Problem problem(BrokerResponse brokerResponse) throws ProblemException {
    if (brokerResponse.outcome() == BrokerStatus.DISK_FULL) {
      return Problem.diskFull();
    }
    Problem problem = Problem.of(type(brokerResponse.outcome()), brokerResponse.detail());
    if (!brokerResponse.body().isEmpty()) {
      Payload members =
          context
              .json()
              .read(Unpooled.wrappedBuffer(brokerResponse.body().getBytes(StandardCharsets.UTF_8)));
      for (String name : RequestJson.names(members)) {
        problem.with(name, RequestJson.member(members, name));
      }
    }
    boolean later =
        brokerResponse.outcome() == BrokerStatus.UNAVAILABLE
            || brokerResponse.outcome() == BrokerStatus.FULL;
    return later ? problem.field("retry-after", "5") : problem;
  }

  private static ProblemType type(BrokerStatus brokerStatus) {
    return switch (brokerStatus) {
      case NOT_FOUND -> ProblemType.NOT_FOUND;
      case PRECONDITION_FAILED -> ProblemType.PRECONDITION_FAILED;
      case INVALID -> ProblemType.INVALID_CONTRACT;
      case NOT_ADMITTED -> ProblemType.NOT_ADMITTED;
      case FULL -> ProblemType.OVERLOAD;
      case UNAVAILABLE -> ProblemType.BROKER_UNAVAILABLE;
      case OK, CREATED, GONE, UNCHANGED, DISK_FULL ->
          throw new IllegalStateException("expected a refusal, found " + brokerStatus);
    };
  }
}
