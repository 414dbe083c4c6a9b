package dev.pinion.core.api;

import dev.pinion.core.api.json.DefinitionJson;
import dev.pinion.core.http.HttpExchange;
import dev.pinion.core.http.message.MediaTypes;
import dev.pinion.core.http.message.ProblemException;
import dev.pinion.core.http.message.Response;
import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.DeployedDefinition;
import dev.pinion.core.peer.DefinitionReplication;
import dev.pinion.core.spi.DefinitionCatalog;
import org.jspecify.annotations.Nullable;

/**
 * Disabling and enabling definitions, in every replica: the change is stored, then the others read
 * what is stored. They do so even for a later change, so that all end with the same one.
 */
final class EnablementEndpoints {
  private final RequestContext context;
  private final DefinitionCatalog definitionCatalog;
  private final DefinitionReplication peers;
  private final ScheduleBeginning schedules;
  private final AncillaryTasks tasks;

  EnablementEndpoints(RequestContext context) {
    this.context = context;
    this.definitionCatalog = context.ports().definitions();
    this.peers =
        new DefinitionReplication(
            context.ports().peers().group(), context.ports().peers().client());
    this.schedules = new ScheduleBeginning(context);
    this.tasks = new AncillaryTasks(context);
  }

  /** Lets no more instances of a definition start. */
  void disable(HttpExchange httpExchange) throws ProblemException {
    change(httpExchange, false);
  }

  /** Lets instances of a definition start again. */
  void enable(HttpExchange httpExchange) throws ProblemException {
    change(httpExchange, true);
  }

  private void change(HttpExchange httpExchange, boolean enabled) throws ProblemException {
    DefinitionKey key = DefinitionEndpoints.key(httpExchange);
    if (!httpExchange.fromPeer() && definitionCatalog.find(key) == null) {
      throw DefinitionEndpoints.notFound(key.toString());
    }
    tasks.execute(
        httpExchange,
        "a change of a definition failed",
        () -> {
          if (httpExchange.fromPeer()) {
            definitionCatalog.refreshStatus(key);
            httpExchange.onLoop(() -> httpExchange.respond(Response.empty(204)));
          } else {
            DeployedDefinition changed = definitionCatalog.setEnabled(key, enabled);
            httpExchange.onLoopAlways(() -> proceed(httpExchange, key, changed));
          }
        });
  }

  /** A stored change reaches other replicas even when its client has gone. */
  private void proceed(
      HttpExchange httpExchange, DefinitionKey key, @Nullable DeployedDefinition changed) {
    if (changed == null) {
      httpExchange.reject(DefinitionEndpoints.notFound(key.toString()).problem());
      return;
    }
    DefinitionReplication.ReplicationListener answer =
        () ->
            httpExchange.respond(
                Response.of(
                    200, MediaTypes.JSON, context.json().bytes(DefinitionJson.summary(changed))));
    boolean enabled = changed.status().enabled();
    peers.refreshStatus(
        httpExchange,
        key,
        enabled,
        () -> {
          if (enabled) {
            schedules.await(httpExchange, changed, answer);
          } else {
            answer.proceed();
          }
        });
  }
}
