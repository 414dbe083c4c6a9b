package dev.pinion.core.api;

import dev.pinion.core.http.ExchangeInterception;
import dev.pinion.core.http.HeadAdmission;
import dev.pinion.core.http.HttpExchange;
import dev.pinion.core.http.Route;
import dev.pinion.core.http.message.MediaTypes;
import dev.pinion.core.http.message.Problem;
import dev.pinion.core.http.message.ProblemException;
import dev.pinion.core.http.message.ProblemType;
import dev.pinion.core.http.message.RequestJson;
import dev.pinion.core.http.message.Response;
import dev.pinion.core.interception.HttpMessage;
import dev.pinion.core.interception.InterceptionPoint;
import dev.pinion.core.interception.InterceptionVerdict;
import dev.pinion.core.interception.Interceptor;
import dev.pinion.core.interception.MessageBody;
import dev.pinion.core.interception.MessageContext;
import dev.pinion.core.interception.OneShotContinuation;
import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.core.peer.PeerDefinitionHeader;
import dev.pinion.core.peer.PeerLoads;
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
import java.util.function.IntSupplier;

/**
 * Takes requests and answers through handlers, and back to their event loop. Handlers run in the
 * replica of the client, before a request goes to another replica and after that has answered.
 *
 * <p>While handlers have a message, its exchange counts as a request under way and the connection
 * reads nothing further, so answers keep their order. An exchange that ends meanwhile, because its
 * client has gone or the replica stops, ignores the decisions of handlers.
 */
final class RequestInterception implements ExchangeInterception {
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

  private final Interceptor interceptor;
  private final DefinitionSubject subjects;
  private final IntSupplier load;
  private final RequestJson json;
  private final boolean nothing;

  /**
   * The interception of one event loop.
   *
   * @param interceptor the handlers
   * @param subjects the definition of a request
   * @param load requests under way in this replica
   */
  RequestInterception(
      Interceptor interceptor, DefinitionSubject subjects, IntSupplier load, RequestJson json) {
    this.interceptor = interceptor;
    this.subjects = subjects;
    this.load = load;
    this.json = json;
    this.nothing = interceptor.equals(Interceptor.NONE);
  }

  @Override
  public boolean acceptsAnyContent(Route route) {
    return !nothing && route.interceptable();
  }

  /**
   * Whether a request may proceed unchanged. Its definition, if the path names one, is looked up
   * once, for handlers and the endpoint alike.
   *
   * @throws ProblemException when its route does not accept its body
   */
  @Override
  public boolean bypasses(HttpExchange httpExchange) throws ProblemException {
    DefinitionKey definition = subjects.of(httpExchange);
    httpExchange.setSubject(definition);
    if (nothing) {
      return true;
    }
    if (!httpExchange.fromPeer()
        && (interceptor.handles(InterceptionPoint.REQUEST_IN, definition)
            || httpExchange.request().headers().contains(Interceptor.CHAIN_FIELD))) {
      return false;
    }
    HeadAdmission.checkContent(httpExchange.route(), httpExchange.request());
    return true;
  }

  @Override
  public void interceptRequest(HttpExchange httpExchange, HttpExchange.ExchangeStep proceed) {
    httpExchange.detach(Problem::shuttingDown);
    HttpMessage arrived = arrived(httpExchange);
    interceptor.handle(
        arrived,
        new OneShotContinuation(
            interceptionVerdict ->
                httpExchange.onLoop(
                    () -> onIn(httpExchange, arrived, interceptionVerdict, proceed))));
  }

  private static HttpMessage arrived(HttpExchange httpExchange) {
    HttpRequest request = httpExchange.request();
    String type = request.headers().get(HttpHeaderNames.CONTENT_TYPE);
    byte[] body = ByteBufUtil.getBytes(httpExchange.body());
    return new HttpMessage(
        httpExchange.id(),
        InterceptionPoint.REQUEST_IN,
        MessageContext.of(DefinitionSubject.definition(httpExchange)),
        request.method().name(),
        request.uri(),
        httpExchange.client(),
        0,
        fields(request.headers()),
        MessageBody.of(body, type == null ? "" : type));
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

  private void onIn(
      HttpExchange httpExchange,
      HttpMessage arrived,
      InterceptionVerdict interceptionVerdict,
      HttpExchange.ExchangeStep proceed)
      throws ProblemException {
    httpExchange.attach();
    switch (interceptionVerdict) {
      case InterceptionVerdict.Proceed(HttpMessage message) -> {
        replace(httpExchange, arrived, message);
        String caller = message.context().caller();
        if (caller != null) {
          httpExchange.setCaller(caller);
        }
        HeadAdmission.checkContent(httpExchange.route(), httpExchange.request());
        proceed.run();
      }
      case InterceptionVerdict.Respond(HttpMessage answer) -> httpExchange.respond(answer(answer));
      case InterceptionVerdict.Reject(WorkflowError problem) ->
          httpExchange.respond(refusal(problem));
      case InterceptionVerdict.Overloaded(String limit, int seconds) ->
          throw overloaded(limit, seconds);
    }
  }

  /** Replaces the request by the result of handlers. */
  private void replace(HttpExchange httpExchange, HttpMessage arrived, HttpMessage message)
      throws ProblemException {
    MessageBody messageBody = message.content();
    MessageBody before = arrived.content();
    if (!Arrays.equals(messageBody.bytes(), before.bytes())) { // otherwise it is read as it arrived
      json.requireOnce(before.mediaType(), before.bytes());
    }
    int most = httpExchange.route().body().maxBytes();
    if (messageBody.bytes().length > most && most > 0) {
      throw new ProblemException(
          ProblemType.BODY_TOO_LARGE,
          "expected handlers to leave a body of at most " + most + " bytes, found a larger one");
    }
    HttpRequest request = httpExchange.request();
    if (!message.equals(arrived)) {
      request = request(request, message);
    }
    httpExchange.replace(request, Unpooled.wrappedBuffer(messageBody.bytes()));
  }

  private static HttpRequest request(HttpRequest before, HttpMessage message) {
    HttpRequest after =
        new DefaultHttpRequest(before.protocolVersion(), before.method(), before.uri());
    HttpHeaders headers = copy(message.fields(), after.headers());
    MessageBody messageBody = message.content();
    headers.set(HttpHeaderNames.CONTENT_LENGTH, messageBody.bytes().length);
    if (!messageBody.mediaType().isEmpty()) {
      headers.set(HttpHeaderNames.CONTENT_TYPE, messageBody.mediaType());
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
  @Override
  public boolean interceptsResponse(HttpExchange httpExchange) {
    return !nothing
        && httpExchange.isInterceptable()
        && !httpExchange.fromPeer()
        && interceptor.handles(
            InterceptionPoint.RESPONSE_OUT, DefinitionSubject.definition(httpExchange));
  }

  /** Reports the load of this replica, and the definition of the answer if handlers need it. */
  @Override
  public void completeForPeer(HttpExchange httpExchange, Response response) {
    response.field(PeerLoads.FIELD, Integer.toString(load.getAsInt()));
    DefinitionKey definition = DefinitionSubject.definition(httpExchange);
    if (!nothing && definition != null && httpExchange.isInterceptable()) {
      PeerDefinitionHeader.tell(response, definition);
    }
  }

  /** Takes an answer through handlers and sends the result. */
  @Override
  public void interceptResponse(HttpExchange httpExchange, Response response) {
    String type = response.mediaType();
    byte[] body = ByteBufUtil.getBytes(response.body());
    HttpMessage leaving =
        new HttpMessage(
            httpExchange.id(),
            InterceptionPoint.RESPONSE_OUT,
            MessageContext.of(DefinitionSubject.definition(httpExchange)),
            httpExchange.request().method().name(),
            httpExchange.request().uri(),
            httpExchange.client(),
            response.status(),
            fields(response.fieldMap().entrySet()),
            MessageBody.of(body, type == null ? "" : type));
    httpExchange.detach(Problem::lostAtShutdown);
    interceptor.handle(
        leaving,
        new OneShotContinuation(
            interceptionVerdict ->
                httpExchange.onLoop(
                    () -> {
                      httpExchange.attach();
                      httpExchange.respond(left(interceptionVerdict));
                    })));
  }

  private Response left(InterceptionVerdict interceptionVerdict) {
    return switch (interceptionVerdict) {
      case InterceptionVerdict.Proceed(HttpMessage message) -> answer(message);
      case InterceptionVerdict.Respond(HttpMessage instead) -> answer(instead);
      case InterceptionVerdict.Reject(WorkflowError problem) -> refusal(problem);
      case InterceptionVerdict.Overloaded(String limit, int seconds) ->
          Response.problem(overloaded(limit, seconds).problem(), json);
    };
  }

  private static Response answer(HttpMessage message) {
    int status = message.status();
    if (status < 200 || status > 599) {
      throw new IllegalArgumentException(
          "expected handlers to leave a status from 200 to 599, found " + status);
    }
    MessageBody messageBody = message.content();
    String type = messageBody.mediaType();
    Response response =
        messageBody.bytes().length == 0
            ? Response.empty(status)
            : Response.of(status, type.isEmpty() ? UNKNOWN_TYPE : type, messageBody.bytes());
    copy(message.fields(), new DefaultHttpHeaders()) // checks names and values
        .forEach(field -> response.field(field.getKey(), field.getValue()));
    return response;
  }

  private Response refusal(WorkflowError problem) {
    return Response.of(problem.status(), MediaTypes.PROBLEM, json.bytes(problem.toPayload()));
  }

  private static ProblemException overloaded(String limit, int seconds) {
    return new ProblemException(Problem.overload(limit, seconds));
  }
}
