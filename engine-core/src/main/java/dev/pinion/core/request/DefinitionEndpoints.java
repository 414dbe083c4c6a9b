package dev.pinion.core.request;

import dev.pinion.core.model.DefinitionInfo;
import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.spi.Definitions;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Showing and listing definitions. Deploying them is {@link DeployEndpoints}. */
final class DefinitionEndpoints {
  /** Items of a page when the client gives no limit. */
  static final int DEFAULT_LIMIT = 50;

  private final RequestHandler handler;
  private final Definitions definitions;

  DefinitionEndpoints(RequestHandler handler) {
    this.handler = handler;
    this.definitions = handler.ports().definitions();
  }

  static Refusal notFound(String key) {
    return new Refusal(
        ProblemType.NOT_FOUND, "expected a deployed definition, found " + Problem.quoted(key));
  }

  static String path(DefinitionKey key) {
    return "/v1/namespaces/"
        + PercentCoding.encode(key.namespace())
        + "/definitions/"
        + PercentCoding.encode(key.name())
        + "/versions/"
        + PercentCoding.encode(key.version());
  }

  /** Entity tag of the JSON form. */
  static String etag(DefinitionInfo info) {
    return "\"" + info.sha256() + "\"";
  }

  /** Shows one version, as JSON or as the YAML it was deployed in. */
  void get(Exchange exchange) throws Refusal {
    DefinitionKey key =
        new DefinitionKey(exchange.variable(0), exchange.variable(1), exchange.variable(2));
    DefinitionInfo info = definitions.find(key);
    if (info == null) {
      throw notFound(key.toString());
    }
    boolean yaml = isYaml(exchange, info);
    String etag = yaml ? "\"" + info.sha256() + ".yaml\"" : etag(info);
    Answer answer =
        Conditions.matches(exchange.headers("if-none-match"), etag)
            ? Answer.empty(304)
            : yaml ? yaml(info) : json(info);
    exchange.answer(answer.field("etag", etag).field("vary", "accept"));
  }

  private static boolean isYaml(Exchange exchange, DefinitionInfo info) throws Refusal {
    boolean wanted = exchange.mediaType().equals(MediaTypes.YAML);
    if (!wanted || info.mediaType().equals(MediaTypes.YAML)) {
      return wanted;
    }
    String accept = String.join(",", exchange.headers("accept"));
    if (MediaTypes.choose(accept, List.of(MediaTypes.JSON)) == null) {
      throw new Refusal(
          ProblemType.NOT_ACCEPTABLE,
          "expected Accept to take application/json: this definition was deployed as JSON");
    }
    return false;
  }

  private static Answer yaml(DefinitionInfo info) {
    return Answer.of(200, MediaTypes.YAML, info.source().getBytes(StandardCharsets.UTF_8));
  }

  private Answer json(DefinitionInfo info) {
    return Answer.of(200, MediaTypes.JSON, handler.json().bytes(info.document()));
  }

  /** Lists every definition. */
  void listAll(Exchange exchange) throws Refusal {
    list(exchange, null, null, "/v1/definitions");
  }

  /** Lists the definitions of a namespace. */
  void listNamespace(Exchange exchange) throws Refusal {
    String namespace = exchange.variable(0);
    list(exchange, namespace, null, base(namespace));
  }

  /** Lists the versions of a definition. */
  void listVersions(Exchange exchange) throws Refusal {
    String namespace = exchange.variable(0);
    String name = exchange.variable(1);
    if (definitions.latest(namespace, name) == null) {
      throw notFound(namespace + "/" + name);
    }
    list(exchange, namespace, name, base(namespace) + "/" + PercentCoding.encode(name));
  }

  private static String base(String namespace) {
    return "/v1/namespaces/" + PercentCoding.encode(namespace) + "/definitions";
  }

  private void list(
      Exchange exchange, @Nullable String namespace, @Nullable String name, String path)
      throws Refusal {
    int most = handler.limits().maxListed();
    int limit = exchange.query().number("limit", 1, most, Math.min(DEFAULT_LIMIT, most));
    DefinitionFilter filter = DefinitionFilter.of(exchange.query(), path, namespace, name);
    List<DefinitionInfo> all = filter.after(definitions.list(filter.namespace(), filter.name()));
    int to = Math.min(all.size(), limit);
    String next = to == all.size() ? null : filter.cursorAfter(all.get(to - 1).key());
    byte[] body = handler.json().bytes(DefinitionJson.page(all.subList(0, to), next));
    Answer answer = Answer.of(200, MediaTypes.JSON, body);
    if (next != null) {
      answer.field("link", "<" + path + filter.nextQuery(limit, next) + ">; rel=\"next\"");
    }
    exchange.answer(answer);
  }
}
