package dev.pinion.core.request;

import dev.pinion.core.model.Payload;
import dev.pinion.core.spi.BrokerFront;
import dev.pinion.core.spi.BrokerFront.Outcome;
import dev.pinion.core.spi.BrokerFront.Question;
import dev.pinion.core.spi.BrokerFront.Reply;
import dev.pinion.core.spi.BrokerFront.Verb;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Services, contracts and plans: passed on to the broker, which answers asynchronously. Nothing
 * here blocks an event loop.
 */
final class BrokerEndpoints {
  private final RequestHandler handler;
  private final BrokerFront broker;

  BrokerEndpoints(RequestHandler handler) {
    this.handler = handler;
    this.broker = handler.ports().broker();
  }

  /** All items of a collection, or a single resource. */
  Route.Endpoint collection(Verb verb, String collection) {
    return exchange -> ask(exchange, verb, collection, "");
  }

  /** One item of a collection, named by the path. */
  Route.Endpoint item(Verb verb, String collection) {
    return exchange -> ask(exchange, verb, collection, exchange.variable(0));
  }

  // the broker's result comes back on the event loop of the exchange
  @SuppressWarnings("FutureReturnValueIgnored")
  private void ask(Exchange exchange, Verb verb, String collection, String id) throws Refusal {
    if (verb == Verb.PUT && !exchange.body().isReadable()) {
      throw new Refusal(ProblemType.BAD_BODY, "expected a document in the body, found none");
    }
    Question question =
        new Question(
            verb,
            collection,
            id,
            condition(exchange, "if-match"),
            condition(exchange, "if-none-match"),
            exchange.body().toString(StandardCharsets.UTF_8));
    broker
        .ask(question)
        .whenComplete(
            (reply, failure) ->
                exchange.onLoop(
                    () -> {
                      if (reply == null) {
                        throw new IllegalStateException("the broker's front failed", failure);
                      }
                      answer(exchange, reply);
                    }));
  }

  private static @Nullable String condition(Exchange exchange, String field) {
    List<String> values = exchange.headers(field);
    return values.isEmpty() ? null : String.join(",", values);
  }

  private void answer(Exchange exchange, Reply reply) throws Refusal {
    switch (reply.outcome()) {
      case OK -> show(exchange, 200, reply);
      case CREATED -> show(exchange, 201, reply);
      case GONE -> exchange.answer(Answer.empty(204));
      case UNCHANGED -> exchange.answer(Answer.empty(304).field("etag", reply.etag()));
      default -> throw new Refusal(problem(reply));
    }
  }

  private static void show(Exchange exchange, int status, Reply reply) {
    byte[] body = reply.body().getBytes(StandardCharsets.UTF_8);
    Answer answer = Answer.of(status, MediaTypes.JSON, body);
    exchange.answer(reply.etag().isEmpty() ? answer : answer.field("etag", reply.etag()));
  }

  private Problem problem(Reply reply) throws Refusal {
    if (reply.outcome() == Outcome.DISK_FULL) {
      return Problem.diskFull();
    }
    Problem problem = Problem.of(type(reply.outcome()), reply.detail());
    if (!reply.body().isEmpty()) {
      Payload members =
          handler
              .json()
              .read(Unpooled.wrappedBuffer(reply.body().getBytes(StandardCharsets.UTF_8)));
      for (String name : RequestJson.names(members)) {
        problem.with(name, RequestJson.member(members, name));
      }
    }
    boolean later = reply.outcome() == Outcome.UNAVAILABLE || reply.outcome() == Outcome.FULL;
    return later ? problem.field("retry-after", "5") : problem;
  }

  private static ProblemType type(Outcome outcome) {
    return switch (outcome) {
      case NOT_FOUND -> ProblemType.NOT_FOUND;
      case PRECONDITION_FAILED -> ProblemType.PRECONDITION_FAILED;
      case INVALID -> ProblemType.INVALID_CONTRACT;
      case NOT_ADMITTED -> ProblemType.NOT_ADMITTED;
      case FULL -> ProblemType.OVERLOAD;
      case UNAVAILABLE -> ProblemType.BROKER_UNAVAILABLE;
      case OK, CREATED, GONE, UNCHANGED, DISK_FULL ->
          throw new IllegalStateException("expected a refusal, found " + outcome);
    };
  }
}
