package dev.pinion.core.request;

import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.core.spi.Around;
import dev.pinion.core.spi.Content;
import dev.pinion.core.spi.Decision;
import dev.pinion.core.spi.Once;
import dev.pinion.core.spi.Passage;
import dev.pinion.core.spi.Subject;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpRequest;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Takes requests and answers through handlers, and back to their event loop. Handlers run in the
 * replica of the client, before a request goes to another replica and after that has answered.
 *
 * <p>While handlers have a message, its exchange counts as a request under way and the connection
 * reads nothing further, so answers keep their order. An exchange that ends meanwhile, because its
 * client has gone or the replica stops, ignores the decisions of handlers.
 */
final class Attachments {
  /** Fields that frame a message or belong to one connection; handlers neither see nor set them. */
  private static final Set<String> FRAMING =
      Set.of(
          "connection",
          "keep-alive",
          "proxy-connection",
          "te",
          "trailer",
          "transfer-encoding",
          "upgrade",
          "expect",
          "content-length",
          "content-type",
          "date");

  private static final String UNKNOWN_TYPE = "application/octet-stream";

  private final RequestHandler handler;
  private final Around around;
  private final boolean nothing;

  Attachments(RequestHandler handler, Around around) {
    this.handler = handler;
    this.around = around;
    this.nothing = around.equals(Around.NOTHING);
  }

  /** The next step of a request that handlers have let through. */
  @FunctionalInterface
  interface Next {
    void proceed() throws Refusal;
  }

  /** Whether the body of a request may be of any type until handlers have replaced it. */
  boolean takesAnyContent(Route route) {
    return !nothing && route.attachable();
  }

  /**
   * Whether a request may proceed unchanged; if not, {@link #in} takes it through handlers.
   *
   * @param definition the definition of the request, or null when not known
   * @throws Refusal when its route does not accept its body
   */
  boolean pass(Exchange exchange, @Nullable DefinitionKey definition) throws Refusal {
    exchange.about(definition);
    if (nothing) {
      return true;
    }
    if (!exchange.fromPeer()
        && (around.handles(Around.Point.REQUEST_IN, definition)
            || exchange.request().headers().contains(Around.CHAIN_FIELD))) {
      return false;
    }
    Admission.checkContent(exchange.match().route(), exchange.request());
    return true;
  }

  /** Takes a request through handlers and continues with the result. */
  void in(Exchange exchange, Next next) {
    handler.handled(exchange);
    Passage arrived = arrived(exchange);
    around.handle(
        arrived,
        new Once(decision -> exchange.onLoop(() -> onIn(exchange, arrived, decision, next))));
  }

  private static Passage arrived(Exchange exchange) {
    HttpRequest request = exchange.request();
    String type = request.headers().get(HttpHeaderNames.CONTENT_TYPE);
    byte[] body = ByteBufUtil.getBytes(exchange.body());
    return new Passage(
        exchange.id(),
        Around.Point.REQUEST_IN,
        Subject.of(exchange.definition()),
        request.method().name(),
        request.uri(),
        exchange.client(),
        0,
        fields(request.headers()),
        Content.of(body, type == null ? "" : type));
  }

  private static SortedMap<String, String> fields(Iterable<Map.Entry<String, String>> headers) {
    SortedMap<String, String> fields = new TreeMap<>();
    for (Map.Entry<String, String> field : headers) {
      String name = field.getKey().toLowerCase(Locale.ROOT);
      if (!FRAMING.contains(name)) {
        fields.merge(name, field.getValue(), (before, more) -> before + ", " + more);
      }
    }
    return fields;
  }

  private void onIn(Exchange exchange, Passage arrived, Decision decision, Next next)
      throws Refusal {
    handler.unhandled(exchange);
    switch (decision) {
      case Decision.Proceed(Passage message) -> {
        replace(exchange, arrived, message);
        String caller = message.about().caller();
        if (caller != null) {
          exchange.sentBy(caller);
        }
        Admission.checkContent(exchange.match().route(), exchange.request());
        next.proceed();
      }
      case Decision.Answered(Passage answer) -> exchange.answer(answer(answer));
      case Decision.Refused(WorkflowError problem) -> exchange.answer(refusal(problem));
      case Decision.Overloaded(String limit, int seconds) -> throw overloaded(limit, seconds);
    }
  }

  /** Replaces the request by the result of handlers. */
  private void replace(Exchange exchange, Passage arrived, Passage message) throws Refusal {
    Content content = message.content();
    Content before = arrived.content();
    if (!Arrays.equals(content.bytes(), before.bytes())) { // otherwise it is read as it arrived
      handler.json().requireOnce(before.mediaType(), before.bytes());
    }
    int most = exchange.match().route().body().maxBytes();
    if (content.bytes().length > most && most > 0) {
      throw new Refusal(
          ProblemType.BODY_TOO_LARGE,
          "expected handlers to leave a body of at most " + most + " bytes, found a larger one");
    }
    HttpRequest request = exchange.request();
    if (!message.equals(arrived)) {
      request = request(request, message);
    }
    exchange.replace(request, Unpooled.wrappedBuffer(content.bytes()));
  }

  private static HttpRequest request(HttpRequest before, Passage message) {
    HttpRequest after =
        new DefaultHttpRequest(before.protocolVersion(), before.method(), before.uri());
    HttpHeaders headers = copy(message.fields(), after.headers());
    Content content = message.content();
    headers.set(HttpHeaderNames.CONTENT_LENGTH, content.bytes().length);
    if (!content.mediaType().isEmpty()) {
      headers.set(HttpHeaderNames.CONTENT_TYPE, content.mediaType());
    }
    return after;
  }

  private static HttpHeaders copy(SortedMap<String, String> fields, HttpHeaders into) {
    fields.forEach(
        (name, value) -> {
          if (!FRAMING.contains(name.toLowerCase(Locale.ROOT))) {
            into.set(name, value);
          }
        });
    return into;
  }

  /** Whether an answer must pass through handlers before it is sent. */
  boolean concerns(Exchange exchange) {
    return !nothing
        && exchange.isAttachable()
        && !exchange.fromPeer()
        && around.handles(Around.Point.RESPONSE_OUT, exchange.definition());
  }

  /** Reports the definition of an answer to the replica that asked, where handlers process it. */
  void tellPeer(Exchange exchange, Answer answer) {
    DefinitionKey definition = exchange.definition();
    if (!nothing && definition != null && exchange.isAttachable()) {
      PeerDefinition.tell(answer, definition);
    }
  }

  /** Takes an answer through handlers and sends the result. */
  void out(Exchange exchange, Answer answer) {
    String type = answer.mediaType();
    byte[] body = ByteBufUtil.getBytes(answer.body());
    Passage leaving =
        new Passage(
            exchange.id(),
            Around.Point.RESPONSE_OUT,
            Subject.of(exchange.definition()),
            exchange.request().method().name(),
            exchange.request().uri(),
            exchange.client(),
            answer.status(),
            fields(answer.fieldMap().entrySet()),
            Content.of(body, type == null ? "" : type));
    handler.handled(exchange);
    around.handle(
        leaving,
        new Once(
            decision ->
                exchange.onLoop(
                    () -> {
                      handler.unhandled(exchange);
                      exchange.answer(left(decision));
                    })));
  }

  private Answer left(Decision decision) {
    return switch (decision) {
      case Decision.Proceed(Passage message) -> answer(message);
      case Decision.Answered(Passage instead) -> answer(instead);
      case Decision.Refused(WorkflowError problem) -> refusal(problem);
      case Decision.Overloaded(String limit, int seconds) ->
          handler.answer(overloaded(limit, seconds).problem());
    };
  }

  private static Answer answer(Passage message) {
    int status = message.status();
    if (status < 200 || status > 599) {
      throw new IllegalArgumentException(
          "expected handlers to leave a status from 200 to 599, found " + status);
    }
    Content content = message.content();
    String type = content.mediaType();
    Answer answer =
        content.bytes().length == 0
            ? Answer.empty(status)
            : Answer.of(status, type.isEmpty() ? UNKNOWN_TYPE : type, content.bytes());
    copy(message.fields(), new DefaultHttpHeaders()) // checks names and values
        .forEach(field -> answer.field(field.getKey(), field.getValue()));
    return answer;
  }

  private Answer refusal(WorkflowError problem) {
    return Answer.of(
        problem.status(), MediaTypes.PROBLEM, handler.json().bytes(problem.toPayload()));
  }

  private static Refusal overloaded(String limit, int seconds) {
    return new Refusal(Problem.overload(limit, seconds));
  }
}
