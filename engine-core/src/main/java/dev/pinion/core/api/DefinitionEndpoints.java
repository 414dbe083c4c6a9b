package dev.pinion.core.api;

import dev.pinion.core.api.filter.DefinitionFilter;
import dev.pinion.core.api.json.DefinitionJson;
import dev.pinion.core.http.HttpExchange;
import dev.pinion.core.http.message.EntityTags;
import dev.pinion.core.http.message.MediaTypes;
import dev.pinion.core.http.message.PercentEncoding;
import dev.pinion.core.http.message.Problem;
import dev.pinion.core.http.message.ProblemException;
import dev.pinion.core.http.message.ProblemType;
import dev.pinion.core.http.message.Response;
import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.DeployedDefinition;
import dev.pinion.core.spi.DefinitionCatalog;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Showing and listing definitions. Deploying them is {@link DeploymentEndpoints}. */
public final class DefinitionEndpoints {
  /** Items of a page when the client gives no limit. */
  static final int DEFAULT_LIMIT = 50;

  private final RequestContext context;
  private final DefinitionCatalog definitionCatalog;

  DefinitionEndpoints(RequestContext context) {
    this.context = context;
    this.definitionCatalog = context.ports().definitions();
  }

  static ProblemException notFound(String key) {
    return new ProblemException(
        ProblemType.NOT_FOUND, "expected a deployed definition, found " + Problem.quoted(key));
  }

  /** The version that the path of a request names. */
  static DefinitionKey key(HttpExchange httpExchange) {
    return new DefinitionKey(
        httpExchange.variable(0), httpExchange.variable(1), httpExchange.variable(2));
  }

  /** Entity tag of the JSON form. */
  static String etag(DeployedDefinition info) {
    return "\"" + info.sha256() + "\"";
  }

  /** Shows one version, as JSON or as the YAML it was deployed in. */
  void get(HttpExchange httpExchange) throws ProblemException {
    DefinitionKey key = key(httpExchange);
    DeployedDefinition info = definitionCatalog.find(key);
    if (info == null) {
      throw notFound(key.toString());
    }
    boolean yaml = isYaml(httpExchange, info);
    String etag = yaml ? "\"" + info.sha256() + ".yaml\"" : etag(info);
    Response response =
        EntityTags.matches(httpExchange.headers("if-none-match"), etag)
            ? Response.empty(304)
            : yaml ? yaml(info) : json(info);
    httpExchange.respond(response.field("etag", etag).field("vary", "accept"));
  }

  private static boolean isYaml(HttpExchange httpExchange, DeployedDefinition info)
      throws ProblemException {
    boolean wanted = httpExchange.mediaType().equals(MediaTypes.YAML);
    if (!wanted || info.mediaType().equals(MediaTypes.YAML)) {
      return wanted;
    }
    String accept = String.join(",", httpExchange.headers("accept"));
    if (MediaTypes.choose(accept, List.of(MediaTypes.JSON)) == null) {
      throw new ProblemException(
          ProblemType.NOT_ACCEPTABLE,
          "expected Accept to take application/json: this definition was deployed as JSON");
    }
    return false;
  }

  private static Response yaml(DeployedDefinition info) {
    return Response.of(200, MediaTypes.YAML, info.source().getBytes(StandardCharsets.UTF_8));
  }

  private Response json(DeployedDefinition info) {
    return Response.of(200, MediaTypes.JSON, context.json().bytes(info.document()));
  }

  /** Lists every definition. */
  void listAll(HttpExchange httpExchange) throws ProblemException {
    list(httpExchange, null, null, "/v1/definitions");
  }

  /** Lists the definitions of a namespace. */
  void listNamespace(HttpExchange httpExchange) throws ProblemException {
    String namespace = httpExchange.variable(0);
    list(httpExchange, namespace, null, base(namespace));
  }

  /** Lists the versions of a definition. */
  void listVersions(HttpExchange httpExchange) throws ProblemException {
    String namespace = httpExchange.variable(0);
    String name = httpExchange.variable(1);
    if (definitionCatalog.latest(namespace, name) == null) {
      throw notFound(namespace + "/" + name);
    }
    list(httpExchange, namespace, name, base(namespace) + "/" + PercentEncoding.encode(name));
  }

  private static String base(String namespace) {
    return "/v1/namespaces/" + PercentEncoding.encode(namespace) + "/definitions";
  }

  private void list(
      HttpExchange httpExchange, @Nullable String namespace, @Nullable String name, String path)
      throws ProblemException {
    int most = context.limits().maxListed();
    int limit = httpExchange.query().number("limit", 1, most, Math.min(DEFAULT_LIMIT, most));
    DefinitionFilter filter = new DefinitionFilter(httpExchange.query(), path, namespace, name);
    List<DeployedDefinition> all =
        filter.after(definitionCatalog.list(filter.namespace(), filter.name()));
    int to = Math.min(all.size(), limit);
    String next = to == all.size() ? null : filter.cursorAfter(all.get(to - 1).key());
    byte[] body = context.json().bytes(DefinitionJson.page(all.subList(0, to), next));
    Response response = Response.of(200, MediaTypes.JSON, body);
    if (next != null) {
      response.field("link", "<" + path + filter.nextQuery(limit, next) + ">; rel=\"next\"");
    }
    httpExchange.respond(response);
  }
}
