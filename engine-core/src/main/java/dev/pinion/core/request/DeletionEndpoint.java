package dev.pinion.core.request;

import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.InstanceView;
import dev.pinion.core.model.Payload;
import dev.pinion.core.spi.Definitions;
import dev.pinion.core.spi.Definitions.Deletion;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpVersion;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;

/**
 * Deletes definitions that no instance under way uses, in every replica.
 *
 * <p>A concurrent start is answered 404, or begins an instance that runs to its end: the content of
 * a definition is kept for instances and journals. So are retries of ended instances; running one
 * again is a start. The order is: check the use, delete the file, then let other replicas forget.
 */
final class DeletionEndpoint {
  /** Instances that a refusal names. */
  private static final int NAMED = 5;

  private final RequestHandler handler;
  private final Definitions definitions;
  private final PeerDefinitions peers;
  private final PeerInstances instances;

  DeletionEndpoint(RequestHandler handler) {
    this.handler = handler;
    RequestPorts ports = handler.ports();
    this.definitions = ports.definitions();
    this.peers = new PeerDefinitions(ports.neighbourhood(), ports.peers());
    this.instances =
        new PeerInstances(ports.neighbourhood(), new PeerRelay(ports.peers()), handler.json());
  }

  /** Deletes the definition that the path names. */
  void delete(Exchange exchange) throws Refusal {
    DefinitionKey key =
        new DefinitionKey(exchange.variable(0), exchange.variable(1), exchange.variable(2));
    if (exchange.fromPeer()) {
      perform(exchange, () -> forget(exchange));
      return;
    }
    if (definitions.find(key) == null) {
      throw DefinitionEndpoints.notFound(key.toString());
    }
    look(exchange, key);
  }

  /**
   * Looks for instances in all replicas and all states at once: two queries could both miss an
   * instance that changes its state in between.
   */
  private void look(Exchange exchange, DefinitionKey key) throws Refusal {
    InstanceFilter filter =
        new InstanceFilter(
            key.namespace(), key.name(), key.version(), InstanceFilter.UNDER_WAY, null, NAMED);
    new ListOperation(
            exchange,
            handler,
            filter,
            instances,
            () -> question(filter),
            (to, found, more, missing) -> {
              check(key, found, missing);
              perform(to, () -> delete(to, key));
            })
        .ask();
  }

  private static FullHttpRequest question(InstanceFilter filter) {
    FullHttpRequest request =
        new DefaultFullHttpRequest(
            HttpVersion.HTTP_1_1,
            HttpMethod.GET,
            "/v1/instances" + filter.query(),
            Unpooled.EMPTY_BUFFER);
    request.headers().set(HttpHeaderNames.HOST, "localhost");
    return request;
  }

  private static void check(DefinitionKey key, List<InstanceView> found, List<Integer> missing)
      throws Refusal {
    if (!found.isEmpty()) {
      throw new Refusal(
          Problem.of(
                  ProblemType.DEFINITION_IN_USE,
                  "expected no instance of "
                      + key
                      + " under way, found some; wait for their end or cancel them, then repeat")
              .with(
                  "instances",
                  Payload.array(
                      found.stream().map(each -> Payload.of(each.id().toString())).toList())));
    }
    if (!missing.isEmpty()) {
      throw new Refusal(
          Problem.of(
                  ProblemType.REPLICA_UNAVAILABLE,
                  "expected all replicas to report their instances, found that "
                      + missing
                      + " did not; repeat the request later")
              .field("retry-after", "1"));
    }
  }

  private void perform(Exchange exchange, Runnable work) throws Refusal {
    try {
      handler
          .ports()
          .ancillary()
          .execute(
              () -> {
                try {
                  work.run();
                } catch (RuntimeException e) {
                  exchange.onLoop(
                      () -> {
                        throw new IllegalStateException("a deletion failed", e);
                      });
                }
              });
    } catch (RejectedExecutionException e) {
      throw new Refusal(Problem.overload("deployments under way"));
    }
  }

  private void forget(Exchange exchange) {
    definitions.refresh();
    exchange.onLoop(() -> exchange.answer(Answer.empty(204)));
  }

  /** After the deletion other replicas forget it, even when the client has gone. */
  private void delete(Exchange exchange, DefinitionKey key) {
    Deletion deletion = definitions.delete(key);
    exchange.detached(
        () -> {
          switch (deletion) {
            case DELETED -> peers.forget(exchange, key, () -> exchange.answer(Answer.empty(204)));
            case UNKNOWN -> exchange.refuse(DefinitionEndpoints.notFound(key.toString()).problem());
            case CHANGED ->
                exchange.refuse(
                    Problem.of(
                        ProblemType.DEFINITION_CONFLICT,
                        "expected the file of "
                            + key
                            + " as it is in force, found another text; put the old one back, or"
                            + " restart the engine with the new one, then repeat"));
            case FULL -> exchange.refuse(Problem.overload("definition.maxDefinitions"));
          }
        });
  }
}
