package dev.pinion.core.request;

import static dev.pinion.core.request.Route.Response.json;
import static dev.pinion.core.request.Route.Response.problem;

import dev.pinion.core.model.Callbacks;
import dev.pinion.core.model.Payload;
import dev.pinion.core.spi.ExternalEvents;
import dev.pinion.core.spi.ExternalEvents.Outcome;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Takes external events over HTTP: CloudEvents 1.0 with data in JSON, in structured, binary and
 * batched mode. Their content is checked behind the port.
 */
final class EventEndpoints {
  private static final Pattern NAMESPACE =
      Pattern.compile("[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?");
  private static final Pattern ESCAPE = Pattern.compile("\\\\(.)");
  private static final Pattern PRINTABLE = Pattern.compile("[ -~]*");
  private static final String ATTRIBUTE = "ce-";
  private static final String VERSION_FIELD = "ce-specversion";
  private static final String DATA = "data";

  private final RequestHandler handler;
  private final ExternalEvents events;
  private final LateAnswerEndpoints lateAnswers;

  /**
   * Endpoints of a handler.
   *
   * @param lateAnswers receives events that answer calls
   */
  EventEndpoints(RequestHandler handler, LateAnswerEndpoints lateAnswers) {
    this.handler = handler;
    this.lateAnswers = lateAnswers;
    this.events = handler.ports().events();
  }

  /** Takes one event or a batch. */
  // their outcome comes back on the event loop of the exchange
  @SuppressWarnings("FutureReturnValueIgnored")
  void post(Exchange exchange) throws Refusal {
    String namespace = exchange.variable(0);
    if (!NAMESPACE.matcher(namespace).matches()) {
      throw new Refusal(
          ProblemType.NOT_FOUND,
          "expected the name of a namespace, found " + Problem.quoted(namespace));
    }
    requireRoom();
    List<Payload> posted = read(exchange);
    if (posted.stream().anyMatch(LateAnswerEndpoints::isLateAnswer)) {
      answerCall(exchange, posted);
      return;
    }
    events
        .post(namespace, posted)
        .whenComplete(
            (outcome, failure) ->
                exchange.onLoop(
                    () -> {
                      if (outcome == null) {
                        throw new IllegalStateException("the lane of events failed", failure);
                      }
                      answer(exchange, outcome);
                    }));
  }

  /**
   * Checks, before a body becomes values, that there is room for them. Memory held by instances
   * does not count: some events are answers that instances wait for.
   */
  private void requireRoom() throws Refusal {
    if (!handler.ports().heap().hasRoomForAnswers()) {
      throw new Refusal(Problem.overload("kernel.maxHeldBytes"));
    }
  }

  /** Passes an event that is the answer of a service to its call; it is not stored. */
  private void answerCall(Exchange exchange, List<Payload> posted) throws Refusal {
    if (posted.size() > 1) {
      throw new Refusal(
          ProblemType.BAD_BODY,
          "expected an event of the type "
              + Callbacks.EVENT_TYPE
              + " by itself, found it in a batch of "
              + posted.size());
    }
    lateAnswers.answered(
        exchange, posted.getFirst(), () -> answer(exchange, new Outcome.Accepted(1, 0)));
  }

  private List<Payload> read(Exchange exchange) throws Refusal {
    String type = exchange.header("content-type");
    String essence = type == null ? null : MediaTypes.essence(type);
    if (MediaTypes.CLOUD_EVENT.equals(essence)) {
      return List.of(handler.json().read(exchange.body()));
    }
    if (MediaTypes.CLOUD_EVENTS.equals(essence)) {
      return RequestJson.items(handler.json().read(exchange.body()), "events");
    }
    if (exchange.header(VERSION_FIELD) == null) {
      throw new Refusal(
          ProblemType.BAD_BODY,
          "expected an event: a Content-Type of "
              + MediaTypes.CLOUD_EVENT
              + " or "
              + MediaTypes.CLOUD_EVENTS
              + ", or the field "
              + VERSION_FIELD
              + ", found neither");
    }
    return List.of(binary(exchange, type));
  }

  /** The event of the header fields (HTTP binding of CloudEvents, 3.1). */
  private Payload binary(Exchange exchange, @Nullable String type) throws Refusal {
    Map<String, Payload> event = new TreeMap<>();
    for (Map.Entry<String, String> field : exchange.request().headers()) {
      String name = field.getKey().toLowerCase(Locale.ROOT);
      if (name.startsWith(ATTRIBUTE)) {
        String attribute = name.substring(ATTRIBUTE.length());
        Payload value = Payload.of(decoded(name, field.getValue()));
        if (attribute.equals(DATA) || event.put(attribute, value) != null) {
          throw new Refusal(
              ProblemType.BAD_BODY,
              "expected each attribute once and no field ce-data, found "
                  + Problem.quoted(name)
                  + " besides");
        }
      }
    }
    if (type != null) {
      event.put("datacontenttype", Payload.of(type));
    }
    if (exchange.body().isReadable()) {
      event.put(DATA, handler.json().read(exchange.body()));
    }
    return Payload.object(event);
  }

  /** The value of a header field (HTTP binding of CloudEvents, 3.1.3.2). */
  private static String decoded(String name, String field) throws Refusal {
    boolean quoted = field.length() > 1 && field.startsWith("\"") && field.endsWith("\"");
    String value =
        quoted ? ESCAPE.matcher(field.substring(1, field.length() - 1)).replaceAll("$1") : field;
    if (PRINTABLE.matcher(value).matches()) {
      try {
        return PercentCoding.decode(value);
      } catch (Refusal e) {
        // reported below
      }
    }
    throw new Refusal(
        ProblemType.BAD_BODY,
        "expected percent-encoded UTF-8 in printable ASCII in the field "
            + name
            + ", found "
            + Problem.quoted(field));
  }

  private void answer(Exchange exchange, Outcome outcome) throws Refusal {
    switch (outcome) {
      case Outcome.Accepted(int accepted, int repeated) ->
          exchange.answer(
              Answer.of(
                  202,
                  MediaTypes.JSON,
                  handler
                      .json()
                      .bytes(
                          Payload.object(
                              Map.of(
                                  "accepted",
                                  Payload.of(accepted),
                                  "repeated",
                                  Payload.of(repeated))))));
      case Outcome.Malformed(String message) -> throw new Refusal(ProblemType.BAD_BODY, message);
      case Outcome.Conflict(String message) ->
          throw new Refusal(ProblemType.EVENT_CONFLICT, message);
      case Outcome.Busy(String limit) ->
          throw new Refusal(
              Problem.of(
                      ProblemType.TOO_MANY_EVENTS,
                      "the limit " + limit + " is reached; repeat the request later")
                  .with("limit", Payload.of(limit))
                  .field("retry-after", "1"));
      case Outcome.Full(String limit) -> throw new Refusal(Problem.overload(limit));
      case Outcome.DiskFull _ -> throw new Refusal(Problem.diskFull());
      case Outcome.Unavailable(String reason) ->
          throw new Refusal(
              Problem.of(ProblemType.EVENTS_UNAVAILABLE, reason).field("retry-after", "5"));
    }
  }

  /** The operation, for the route table. */
  Route route(int maxBytes) {
    SequencedMap<String, String> content = new LinkedHashMap<>();
    content.put(MediaTypes.CLOUD_EVENT, "CloudEvent");
    content.put(MediaTypes.CLOUD_EVENTS, "CloudEventBatch");
    return new Route(
        "POST",
        new PathTemplate("/v1/namespaces/{namespace}/events"),
        "postEvents",
        "Takes external events (CloudEvents 1.0 with JSON data), all of a batch or none. Also takes"
            + " one in binary mode: attributes in ce- fields, data as application/json.",
        List.of(),
        new Route.Body(content, List.of(MediaTypes.JSON), true, maxBytes),
        List.of(
            json(202, "they are on disk, and every replica will apply them", "EventReceipt"),
            problem(404, "an answer to a call: no token of this engine as subject"),
            problem(409, "an event of this source and id was different"),
            problem(410, "an answer to a call that does not wait for it, or not any more"),
            problem(429, "too many events wait to be stored; Retry-After says when to repeat"),
            problem(503, "events cannot be kept now, or no more of them")),
        false,
        this::post);
  }
}
