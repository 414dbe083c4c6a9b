package dev.pinion.core.api;

import dev.pinion.core.api.json.DifferenceJson;
import dev.pinion.core.difference.DocumentDifference;
import dev.pinion.core.difference.UnifiedDifference;
import dev.pinion.core.http.HttpExchange;
import dev.pinion.core.http.message.MediaTypes;
import dev.pinion.core.http.message.ProblemException;
import dev.pinion.core.http.message.Response;
import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.DeployedDefinition;
import dev.pinion.core.model.Payload;
import dev.pinion.core.spi.DefinitionCatalog;
import java.nio.charset.StandardCharsets;

/** Shows the differences of two versions of a definition. */
final class DifferenceEndpoint {
  private final RequestContext context;
  private final DefinitionCatalog definitionCatalog;
  private final AncillaryTasks tasks;

  DifferenceEndpoint(RequestContext context) {
    this.context = context;
    this.definitionCatalog = context.ports().definitions();
    this.tasks = new AncillaryTasks(context);
  }

  /** Compares the version of the path with another one, the newest unless the query names one. */
  void get(HttpExchange httpExchange) throws ProblemException {
    DeployedDefinition from = found(DefinitionEndpoints.key(httpExchange));
    DeployedDefinition to = other(httpExchange, from.key());
    boolean text = httpExchange.mediaType().equals(MediaTypes.DIFFERENCE);
    tasks.execute(
        httpExchange,
        "a comparison of definitions failed",
        () -> {
          if (text) {
            byte[] body = text(from, to);
            httpExchange.onLoop(
                () -> respond(httpExchange, MediaTypes.DIFFERENCE + MediaTypes.UTF_8, body));
          } else {
            Payload difference = json(from, to);
            httpExchange.onLoop(
                () -> respond(httpExchange, MediaTypes.JSON, context.json().bytes(difference)));
          }
        });
  }

  private static void respond(HttpExchange httpExchange, String mediaType, byte[] body) {
    httpExchange.respond(Response.of(200, mediaType, body).field("vary", "accept"));
  }

  private DeployedDefinition found(DefinitionKey key) throws ProblemException {
    DeployedDefinition info = definitionCatalog.find(key);
    if (info == null) {
      throw DefinitionEndpoints.notFound(key.toString());
    }
    return info;
  }

  private DeployedDefinition other(HttpExchange httpExchange, DefinitionKey key)
      throws ProblemException {
    String version = httpExchange.query().get("to");
    if (version != null) {
      return found(new DefinitionKey(key.namespace(), key.name(), version));
    }
    DeployedDefinition latest = definitionCatalog.latest(key.namespace(), key.name());
    if (latest == null) { // deleted meanwhile
      throw DefinitionEndpoints.notFound(key.namespace() + "/" + key.name());
    }
    return latest;
  }

  private static Payload json(DeployedDefinition from, DeployedDefinition to) {
    return DifferenceJson.of(
        from.key(), to.key(), DocumentDifference.of(from.document(), to.document()));
  }

  /** Two texts in YAML are compared as they were deployed, comments included. */
  private static byte[] text(DeployedDefinition from, DeployedDefinition to) {
    boolean yaml =
        from.mediaType().equals(MediaTypes.YAML) && to.mediaType().equals(MediaTypes.YAML);
    String difference =
        UnifiedDifference.of(
            from.key().toString(),
            yaml ? from.source() : indented(from),
            to.key().toString(),
            yaml ? to.source() : indented(to));
    return difference.getBytes(StandardCharsets.UTF_8);
  }

  private static String indented(DeployedDefinition definition) {
    return definition.document().toIndentedString() + "\n";
  }
}
