package dev.pinion.core.api;

import static dev.pinion.core.http.Route.ResponseSpec.json;
import static dev.pinion.core.http.Route.ResponseSpec.problem;

import dev.pinion.core.http.HttpExchange;
import dev.pinion.core.http.Route;
import dev.pinion.core.http.RouteEntry;
import dev.pinion.core.http.message.MediaTypes;
import dev.pinion.core.http.message.PathTemplate;
import dev.pinion.core.http.message.PercentEncoding;
import dev.pinion.core.http.message.Problem;
import dev.pinion.core.http.message.ProblemException;
import dev.pinion.core.http.message.ProblemType;
import dev.pinion.core.http.message.RequestJson;
import dev.pinion.core.http.message.Response;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.call.CallbackAddresses;
import dev.pinion.core.spi.ExternalEvents;
import dev.pinion.core.spi.ExternalEvents.EventReceipt;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Takes external events over HTTP: CloudEvents 1.0 in structured, binary and batched mode. Their
 * content is checked behind the port.
 */
final class EventEndpoints {
  private static final Pattern NAMESPACE =
      Pattern.compile("[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?");
  private static final Pattern ESCAPE = Pattern.compile("\\\\(.)");
  private static final Pattern PRINTABLE = Pattern.compile("[ -~]*");
  private static final String ATTRIBUTE = "ce-";
  private static final String VERSION_FIELD = "ce-specversion";
  private static final String DATA = "data";
  private static final String BINARY_DATA = "data_base64";
  private static final String CONTENT_TYPE = "datacontenttype";

  /** Members of an event that binary mode does not have as fields (HTTP binding, 3.1.1). */
  private static final Set<String> IN_BODY = Set.of(DATA, BINARY_DATA, CONTENT_TYPE);

  private static final Pattern JSON =
      Pattern.compile("(?i)\\s*(?:application/(?:[^\\s;/]+\\+)?json)\\s*(?:;|$)");
  private static final Pattern TEXT =
      Pattern.compile("(?i)\\s*(?:text/|application/(?:[^\\s;/]+\\+)?xml)");
  private static final Pattern CHARSET =
      Pattern.compile("(?i);\\s*charset\\s*=\\s*\"?([a-z0-9_.:+-]+)\"?");

  private final RequestContext context;
  private final ExternalEvents events;
  private final CallbackEndpoint lateAnswers;

  /**
   * Endpoints of a context.
   *
   * @param lateAnswers receives events that answer calls
   */
  EventEndpoints(RequestContext context, CallbackEndpoint lateAnswers) {
    this.context = context;
    this.lateAnswers = lateAnswers;
    this.events = context.ports().services().events();
  }

  /** Takes one event or a batch. */
  // their outcome comes back on the event loop of the exchange
  @SuppressWarnings("FutureReturnValueIgnored")
  void post(HttpExchange httpExchange) throws ProblemException {
    String namespace = httpExchange.variable(0);
    if (!NAMESPACE.matcher(namespace).matches()) {
      throw new ProblemException(
          ProblemType.NOT_FOUND,
          "expected the name of a namespace, found " + Problem.quoted(namespace));
    }
    requireRoom();
    List<Payload> posted = read(httpExchange);
    if (posted.stream().anyMatch(CallbackEndpoint::isLateAnswer)) {
      answerCall(httpExchange, posted);
      return;
    }
    events
        .post(namespace, posted)
        .whenComplete(
            (eventReceipt, failure) ->
                httpExchange.onLoop(
                    () -> {
                      if (eventReceipt == null) {
                        throw new IllegalStateException("the lane of events failed", failure);
                      }
                      answer(httpExchange, eventReceipt);
                    }));
  }

  /**
   * Checks, before a body becomes values, that there is room for them. Memory held by instances
   * does not count: some events are answers that instances wait for.
   */
  private void requireRoom() throws ProblemException {
    if (!context.heap().hasRoomForResponses()) {
      throw new ProblemException(Problem.overload("kernel.maxHeldBytes"));
    }
  }

  /** Passes an event that is the answer of a service to its call; it is not stored. */
  private void answerCall(HttpExchange httpExchange, List<Payload> posted) throws ProblemException {
    if (posted.size() > 1) {
      throw new ProblemException(
          ProblemType.BAD_BODY,
          "expected an event of the type "
              + CallbackAddresses.EVENT_TYPE
              + " by itself, found it in a batch of "
              + posted.size());
    }
    lateAnswers.answered(
        httpExchange, posted.getFirst(), () -> answer(httpExchange, new EventReceipt.Stored(1, 0)));
  }

  private List<Payload> read(HttpExchange httpExchange) throws ProblemException {
    String type = httpExchange.header("content-type");
    String essence = type == null ? null : MediaTypes.essence(type);
    if (MediaTypes.CLOUD_EVENT.equals(essence)) {
      return List.of(context.json().read(httpExchange.body()));
    }
    if (MediaTypes.CLOUD_EVENTS.equals(essence)) {
      return RequestJson.items(context.json().read(httpExchange.body()), "events");
    }
    if (httpExchange.header(VERSION_FIELD) == null) {
      throw new ProblemException(
          MediaTypes.JSON.equals(essence) || !httpExchange.body().isReadable()
              ? ProblemType.BAD_BODY
              : ProblemType.UNSUPPORTED_MEDIA_TYPE,
          "expected an event: a Content-Type of "
              + MediaTypes.CLOUD_EVENT
              + " or "
              + MediaTypes.CLOUD_EVENTS
              + ", or the field "
              + VERSION_FIELD
              + ", found neither");
    }
    return List.of(binary(httpExchange, type));
  }

  /** The event of the header fields (HTTP binding of CloudEventWriter, 3.1). */
  private Payload binary(HttpExchange httpExchange, @Nullable String type) throws ProblemException {
    Map<String, Payload> event = new TreeMap<>();
    for (Map.Entry<String, String> field : httpExchange.request().headers()) {
      String name = field.getKey().toLowerCase(Locale.ROOT);
      if (name.startsWith(ATTRIBUTE)) {
        String attribute = name.substring(ATTRIBUTE.length());
        Payload value = Payload.of(decoded(name, field.getValue()));
        if (IN_BODY.contains(attribute) || event.put(attribute, value) != null) {
          throw new ProblemException(
              ProblemType.BAD_BODY,
              "expected each attribute once, data as the body, and their type as Content-Type,"
                  + " found "
                  + Problem.quoted(name)
                  + " besides");
        }
      }
    }
    if (type != null) {
      event.put(CONTENT_TYPE, Payload.of(type));
    }
    if (httpExchange.body().isReadable()) {
      putData(event, type, httpExchange.body());
    }
    return Payload.object(event);
  }

  /** Adds JSON as its value, text as a string, and anything else in base 64. */
  private void putData(Map<String, Payload> event, @Nullable String type, ByteBuf body)
      throws ProblemException {
    if (type == null || JSON.matcher(type).lookingAt()) {
      event.put(DATA, context.json().read(body));
      return;
    }
    byte[] bytes = ByteBufUtil.getBytes(body);
    String text = TEXT.matcher(type).lookingAt() ? text(type, bytes) : null;
    event.put(
        text == null ? BINARY_DATA : DATA,
        Payload.of(text == null ? Base64.getEncoder().encodeToString(bytes) : text));
  }

  /** The text of some bytes, or null when they are none in the charset of the type. */
  private static @Nullable String text(String type, byte[] bytes) {
    Matcher charset = CHARSET.matcher(type);
    try {
      return Charset.forName(charset.find() ? charset.group(1) : "UTF-8")
          .newDecoder()
          .decode(ByteBuffer.wrap(bytes))
          .toString();
    } catch (CharacterCodingException | IllegalArgumentException e) {
      return null;
    }
  }

  /** The value of a header field (HTTP binding of CloudEventWriter, 3.1.3.2). */
  private static String decoded(String name, String field) throws ProblemException {
    boolean quoted = field.length() > 1 && field.startsWith("\"") && field.endsWith("\"");
    String value =
        quoted ? ESCAPE.matcher(field.substring(1, field.length() - 1)).replaceAll("$1") : field;
    if (PRINTABLE.matcher(value).matches()) {
      try {
        return PercentEncoding.decode(value);
      } catch (ProblemException e) {
        // reported below
      }
    }
    throw new ProblemException(
        ProblemType.BAD_BODY,
        "expected percent-encoded UTF-8 in printable ASCII in the field "
            + name
            + ", found "
            + Problem.quoted(field));
  }

  private void answer(HttpExchange httpExchange, EventReceipt eventReceipt)
      throws ProblemException {
    switch (eventReceipt) {
      case EventReceipt.Stored(int accepted, int repeated) ->
          httpExchange.respond(
              Response.of(
                  202,
                  MediaTypes.JSON,
                  context
                      .json()
                      .bytes(
                          Payload.object(
                              Map.of(
                                  "accepted",
                                  Payload.of(accepted),
                                  "repeated",
                                  Payload.of(repeated))))));
      case EventReceipt.Malformed(String message) ->
          throw new ProblemException(ProblemType.BAD_BODY, message);
      case EventReceipt.ContentConflict(String message) ->
          throw new ProblemException(ProblemType.EVENT_CONFLICT, message);
      case EventReceipt.QueueFull(String limit) ->
          throw new ProblemException(
              Problem.of(
                      ProblemType.TOO_MANY_EVENTS,
                      "the limit " + limit + " is reached; repeat the request later")
                  .with("limit", Payload.of(limit))
                  .field("retry-after", "1"));
      case EventReceipt.StoreFull(String limit) ->
          throw new ProblemException(Problem.overload(limit));
      case EventReceipt.NoDiskSpace _ -> throw new ProblemException(Problem.diskFull());
      case EventReceipt.StoreUnavailable(String reason) ->
          throw new ProblemException(
              Problem.of(ProblemType.EVENTS_UNAVAILABLE, reason).field("retry-after", "5"));
    }
  }

  /** The operation, for the route table. */
  RouteEntry route(int maxBytes) {
    SequencedMap<String, String> content = new LinkedHashMap<>();
    content.put(MediaTypes.CLOUD_EVENT, "CloudEvent");
    content.put(MediaTypes.CLOUD_EVENTS, "CloudEventBatch");
    Route.Operation operation =
        new Route.Operation(
            "postEvents",
            "Takes external events (CloudEvents 1.0), all of a batch or none. Also takes one in"
                + " binary mode: attributes in ce- fields, data as the body.",
            List.of(),
            new Route.BodySpec(content, List.of(MediaTypes.ANY), true, maxBytes),
            List.of(
                json(
                    202, "they are on disk, and reach every instance that listens", "EventReceipt"),
                problem(404, "an answer to a call: no token of this engine as subject"),
                problem(409, "an event of this source and id was different"),
                problem(410, "an answer to a call that does not wait for it, or not any more"),
                problem(429, "too many events wait to be stored; Retry-After says when to repeat"),
                problem(503, "events cannot be kept now, or no more of them")));
    Route route =
        new Route("POST", new PathTemplate("/v1/namespaces/{namespace}/events"), operation, false);
    return new RouteEntry(route, this::post);
  }
}
