package dev.pinion.core.api;

import dev.pinion.core.api.filter.InstanceFilter;
import dev.pinion.core.api.port.RequestPorts;
import dev.pinion.core.http.HttpExchange;
import dev.pinion.core.http.message.Problem;
import dev.pinion.core.http.message.ProblemException;
import dev.pinion.core.http.message.ProblemType;
import dev.pinion.core.http.message.Response;
import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.instance.InstanceView;
import dev.pinion.core.peer.DefinitionReplication;
import dev.pinion.core.peer.PeerListRequests;
import dev.pinion.core.peer.PeerRelay;
import dev.pinion.core.spi.DefinitionCatalog;
import dev.pinion.core.spi.DefinitionCatalog.Deletion;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpVersion;
import java.util.List;

/**
 * Deletes definitions that no instance under way uses, in every replica.
 *
 * <p>A concurrent start is answered 404, or begins an instance that runs to its end: the content of
 * a definition is kept for instances and journals. So are retries of ended instances; running one
 * again is a start. The order is: check the use, delete the file, then let other replicas forget.
 */
final class UndeployEndpoint {
  /** Instances that a refusal names. */
  private static final int NAMED = 5;

  private final RequestContext context;
  private final DefinitionCatalog definitionCatalog;
  private final DefinitionReplication peers;
  private final PeerListRequests instances;
  private final AncillaryTasks tasks;

  UndeployEndpoint(RequestContext context) {
    this.context = context;
    RequestPorts ports = context.ports();
    this.definitionCatalog = ports.definitions();
    this.peers = new DefinitionReplication(ports.peers().group(), ports.peers().client());
    this.instances =
        new PeerListRequests(
            ports.peers().group(), new PeerRelay(ports.peers().client()), context.json());
    this.tasks = new AncillaryTasks(context);
  }

  /** Deletes the definition that the path names. */
  void delete(HttpExchange httpExchange) throws ProblemException {
    DefinitionKey key = DefinitionEndpoints.key(httpExchange);
    if (httpExchange.fromPeer()) {
      perform(httpExchange, () -> forget(httpExchange));
      return;
    }
    if (definitionCatalog.find(key) == null) {
      throw DefinitionEndpoints.notFound(key.toString());
    }
    look(httpExchange, key);
  }

  /**
   * Looks for instances in all replicas and all states at once: two queries could both miss an
   * instance that changes its state in between.
   */
  private void look(HttpExchange httpExchange, DefinitionKey key) throws ProblemException {
    InstanceFilter filter =
        new InstanceFilter(
            key.namespace(),
            key.name(),
            key.version(),
            InstanceFilter.UNDER_WAY,
            null,
            null,
            NAMED);
    new ListOperation(
            httpExchange,
            context,
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
      throws ProblemException {
    if (!found.isEmpty()) {
      throw new ProblemException(
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
      throw new ProblemException(
          Problem.of(
                  ProblemType.REPLICA_UNAVAILABLE,
                  "expected all replicas to report their instances, found that "
                      + missing
                      + " did not; repeat the request later")
              .field("retry-after", "1"));
    }
  }

  private void perform(HttpExchange httpExchange, Runnable work) throws ProblemException {
    tasks.execute(httpExchange, "a deletion failed", work);
  }

  private void forget(HttpExchange httpExchange) {
    definitionCatalog.refresh();
    httpExchange.onLoop(() -> httpExchange.respond(Response.empty(204)));
  }

  /** After the deletion other replicas forget it, even when the client has gone. */
  private void delete(HttpExchange httpExchange, DefinitionKey key) {
    Deletion deletion = definitionCatalog.delete(key);
    httpExchange.onLoopAlways(
        () -> {
          switch (deletion) {
            case DELETED ->
                peers.forget(httpExchange, key, () -> httpExchange.respond(Response.empty(204)));
            case UNKNOWN ->
                httpExchange.reject(DefinitionEndpoints.notFound(key.toString()).problem());
            case CHANGED ->
                httpExchange.reject(
                    Problem.of(
                        ProblemType.DEFINITION_CONFLICT,
                        "expected the file of "
                            + key
                            + " as it is in force, found another text; put the old one back, or"
                            + " restart the engine with the new one, then repeat"));
            case FULL -> httpExchange.reject(Problem.overload("definition.maxDefinitions"));
          }
        });
  }
}
