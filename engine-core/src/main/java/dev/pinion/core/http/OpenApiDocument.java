package dev.pinion.core.http;

import dev.pinion.core.http.message.MediaTypes;
import dev.pinion.core.http.message.ProblemException;
import dev.pinion.core.http.message.RequestJson;
import dev.pinion.core.http.message.Response;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.limits.RequestLimits;
import dev.pinion.core.model.Payload;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** The OpenAPI 3.1 document: paths made from the route table, components read from a resource. */
public final class OpenApiDocument {
  private static final String COMPONENTS = "openapi-components.json";

  /** Problems that any request may cause, by status and name of the shared response. */
  private static final Map<Integer, String> SHARED = new LinkedHashMap<>();

  /** Tags by a part of the path; the first match counts. */
  private static final Map<String, String> TAGS = new LinkedHashMap<>();

  static {
    TAGS.put("/v1/history/", "History");
    TAGS.put("/v1/instances/{id}/events", "History");
    TAGS.put("/v1/subscriptions", "Subscriptions");
    TAGS.put("/v1/callbacks/", "Events");
    TAGS.put("{namespace}/events", "Events");
    TAGS.put("/schedule", "Schedules");
    TAGS.put("/instances", "Instances");
    TAGS.put("/definitions", "Definitions");
    TAGS.put("/v1/schema", "Definitions");
    TAGS.put("/v1/broker/", "Broker");
    TAGS.put("/v1/handlers", "Handlers");
    TAGS.put("/", "Engine");
  }

  static {
    SHARED.put(400, "BadRequest");
    SHARED.put(405, "MethodNotAllowed");
    SHARED.put(406, "NotAcceptable");
    SHARED.put(408, "RequestTimeout");
    SHARED.put(413, "ContentTooLarge");
    SHARED.put(414, "UriTooLong");
    SHARED.put(417, "ExpectationFailed");
    SHARED.put(421, "Misdirected");
    SHARED.put(431, "HeadersTooLarge");
    SHARED.put(500, "Internal");
    SHARED.put(503, "Unavailable");
    SHARED.put(505, "HttpVersion");
  }

  private final RequestJson json;
  private final String version;

  /** Shared by all answers; the garbage collector frees it. */
  private ByteBuf document = Unpooled.EMPTY_BUFFER;

  private final EngineLimits limits;

  public OpenApiDocument(RequestJson json, String version, EngineLimits limits) {
    this.limits = limits;
    this.json = json;
    this.version = version;
  }

  /** Answers with the document. */
  public void get(HttpExchange httpExchange) {
    httpExchange.respond(Response.constant(200, MediaTypes.JSON, document));
  }

  /** Makes the document. */
  public void describe(List<Route> routes) {
    Map<String, Map<String, Payload>> paths = new LinkedHashMap<>();
    for (Route route : routes) {
      paths
          .computeIfAbsent(route.path().toString(), path -> new LinkedHashMap<>())
          .put(route.method().toLowerCase(Locale.ROOT), operation(route));
    }
    Map<String, Payload> pathItems = new LinkedHashMap<>();
    paths.forEach((path, operations) -> pathItems.put(path, Payload.object(operations)));
    Map<String, Payload> all = new LinkedHashMap<>();
    all.put("openapi", Payload.of("3.1.0"));
    all.put("info", info());
    all.put("servers", Payload.array(List.of(object("url", Payload.of("/")))));
    all.put("tags", Payload.array(tags().stream().map(tag -> object("name", tag)).toList()));
    all.put("paths", Payload.object(pathItems));
    all.put("components", components());
    byte[] bytes = json.bytes(Payload.object(all));
    document = Unpooled.wrappedBuffer(ByteBuffer.allocateDirect(bytes.length).put(bytes).flip());
  }

  private Payload info() {
    return object(
        "title", Payload.of("Pinion"),
        "version", Payload.of(version),
        "summary", Payload.of("Deploys process definitions and runs instances of them."));
  }

  private static List<Payload> tags() {
    return TAGS.values().stream().distinct().map(Payload::of).toList();
  }

  private static Payload tag(Route route) {
    String path = route.path().toString();
    return TAGS.entrySet().stream()
        .filter(tag -> path.contains(tag.getKey()))
        .findFirst()
        .map(tag -> Payload.of(tag.getValue()))
        .orElseThrow();
  }

  private Payload components() {
    try (InputStream in = OpenApiDocument.class.getResourceAsStream(COMPONENTS)) {
      if (in == null) {
        throw new IllegalStateException("expected the resource " + COMPONENTS);
      }
      String text = withLimits(new String(in.readAllBytes(), StandardCharsets.UTF_8));
      return json.read(Unpooled.wrappedBuffer(text.getBytes(StandardCharsets.UTF_8)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (ProblemException e) {
      throw new IllegalStateException("expected JSON in " + COMPONENTS, e);
    }
  }

  /** Inserts the bounds in force: numbers as a whole, others within a pattern. */
  private String withLimits(String text) {
    RequestLimits requestLimits = limits.request();
    Map<String, Integer> bounds =
        Map.of(
            "request.maxListed", requestLimits.maxListed(),
            "request.maxKeyChars", requestLimits.maxKeyChars(),
            "request.maxBusinessKeyChars", requestLimits.maxBusinessKeyChars(),
            "request.maxLabels", requestLimits.maxLabels(),
            "request.maxLabelChars", requestLimits.maxLabelChars(),
            "publish.maxLeaseSeconds", limits.publish().maxLeaseSeconds(),
            "events.maxAttributeChars", limits.events().maxAttributeChars(),
            "events.maxBatch", limits.events().maxBatch(),
            "schedule.maxPastSeconds", limits.schedule().maxPastSeconds(),
            "instance.maxTimerDays", limits.instance().maxTimerDays());
    String filled = text;
    for (Map.Entry<String, Integer> bound : bounds.entrySet()) {
      String place = "${" + bound.getKey() + "}";
      String number = Integer.toString(bound.getValue());
      filled = filled.replace('"' + place + '"', number).replace(place, number);
    }
    return filled;
  }

  private static Payload operation(Route route) {
    Map<String, Payload> members = new LinkedHashMap<>();
    members.put("operationId", Payload.of(route.operation().id()));
    members.put("summary", Payload.of(route.operation().summary()));
    members.put("tags", Payload.array(List.of(tag(route))));
    List<Payload> parameters = parameters(route);
    if (!parameters.isEmpty()) {
      members.put("parameters", Payload.array(parameters));
    }
    Route.BodySpec bodySpec = route.body();
    if (!bodySpec.content().isEmpty()) {
      members.put(
          "requestBody",
          object(
              "required", Payload.of(bodySpec.required()),
              "content", content(bodySpec.content())));
    }
    members.put("responses", responses(route));
    return Payload.object(members);
  }

  private static List<Payload> parameters(Route route) {
    List<Payload> parameters = new ArrayList<>();
    for (String variable : route.path().variables()) {
      parameters.add(
          object(
              "name", Payload.of(variable),
              "in", Payload.of("path"),
              "required", Payload.TRUE,
              "schema", reference("schemas", segment(route, variable))));
    }
    for (Route.ParameterSpec parameterSpec : route.operation().parameters()) {
      parameters.add(
          object(
              "name", Payload.of(parameterSpec.name()),
              "in",
                  Payload.of(
                      parameterSpec.in() == Route.ParameterLocation.QUERY ? "query" : "header"),
              "description", Payload.of(parameterSpec.description()),
              "schema", reference("schemas", parameterSpec.schema())));
    }
    return parameters;
  }

  /**
   * The schema of a variable: strict where the operation creates something; a search for an invalid
   * name finds nothing.
   */
  private static String segment(Route route, String variable) {
    if (!route.method().equals("PUT")) {
      return "Segment";
    }
    return switch (variable) {
      case "namespace", "name" -> "Namespace";
      case "version" -> "SemanticVersion";
      case "id" -> "BrokerName";
      default -> throw new IllegalStateException("expected a known variable, found " + variable);
    };
  }

  private static Payload responses(Route route) {
    Map<Integer, Payload> byStatus = new TreeMap<>();
    SHARED.forEach((status, name) -> byStatus.put(status, reference("responses", name)));
    if (!route.body().mediaTypes().isEmpty()) {
      byStatus.put(415, reference("responses", "UnsupportedMediaType"));
    }
    if (!route.method().equals("GET")) {
      byStatus.put(403, reference("responses", "Forbidden"));
      byStatus.put(507, reference("responses", "DiskFull"));
    }
    if (route.operation().parameters().stream().anyMatch(each -> each.schema().equals("Cursor"))) {
      byStatus.put(404, response(Route.ResponseSpec.problem(404, "the cursor is of no such page")));
    }
    for (Route.ResponseSpec responseSpec : route.operation().responses()) {
      byStatus.put(responseSpec.status(), response(responseSpec));
    }
    Map<String, Payload> members = new LinkedHashMap<>();
    byStatus.forEach((status, response) -> members.put(status.toString(), response));
    if (route.interceptable()) {
      members.put(
          "default",
          object("description", Payload.of("the answer of a chain of handlers, if attached")));
    }
    return Payload.object(members);
  }

  private static Payload response(Route.ResponseSpec responseSpec) {
    Payload description = Payload.of(responseSpec.description());
    if (responseSpec.mediaTypes().isEmpty()) {
      return object("description", description);
    }
    Map<String, String> schemas = new LinkedHashMap<>();
    responseSpec.mediaTypes().forEach(type -> schemas.put(type, responseSpec.schema()));
    return object("description", description, "content", content(schemas));
  }

  private static Payload content(Map<String, String> schemas) {
    Map<String, Payload> members = new LinkedHashMap<>();
    schemas.forEach(
        (mediaType, schema) ->
            members.put(mediaType, object("schema", reference("schemas", schema))));
    return Payload.object(members);
  }

  private static Payload reference(String kind, String name) {
    return object("$ref", Payload.of("#/components/" + kind + "/" + name));
  }

  private static Payload object(Object... namesAndValues) {
    Map<String, Payload> members = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      members.put((String) namesAndValues[i], (Payload) namesAndValues[i + 1]);
    }
    return Payload.object(members);
  }
}
