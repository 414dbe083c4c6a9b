package dev.pinion.core.http;

import dev.pinion.core.http.message.EntityTags;
import dev.pinion.core.http.message.MediaTypes;
import dev.pinion.core.http.message.PathTemplate;
import dev.pinion.core.http.message.Problem;
import dev.pinion.core.http.message.ProblemException;
import dev.pinion.core.http.message.ProblemType;
import dev.pinion.core.http.message.QueryParameters;
import dev.pinion.core.http.message.RequestTarget;
import dev.pinion.core.http.message.Response;
import dev.pinion.core.limits.RequestLimits;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpRequest;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides by the head alone whether a request may proceed to its route. A refused request is still
 * well framed, so the connection stays open.
 */
public final class HeadAdmission {
  private static final Route OPTIONS =
      new Route(
          "OPTIONS",
          new PathTemplate("/"),
          new Route.Operation("options", "", List.of(), Route.BodySpec.none(), List.of()),
          false);

  private final Router router;
  private final RequestLimits limits;
  private final ExchangeInterception exchangeInterception;
  private final CrossSiteCheck sites;

  /**
   * The result for a head: a route, or a problem.
   *
   * @param mediaType the type of a successful answer that the client prefers
   * @param maxBodyBytes most bytes of the body
   */
  record RoutedHead(
      Router.@Nullable Match match,
      @Nullable Problem problem,
      String mediaType,
      int maxBodyBytes) {}

  HeadAdmission(
      Router router,
      RequestLimits limits,
      ExchangeInterception exchangeInterception,
      CrossSiteCheck sites) {
    this.router = router;
    this.limits = limits;
    this.exchangeInterception = exchangeInterception;
    this.sites = sites;
  }

  /** The routes of the interface. */
  List<Route> routes() {
    return router.routes();
  }

  /**
   * Judges a head.
   *
   * @param fromPeer whether another replica sends it, which has checked its origin
   */
  RoutedHead admit(HttpRequest request, boolean fromPeer) {
    try {
      if (!fromPeer) {
        sites.check(request);
      }
      HttpHeaders headers = request.headers();
      checkOnce(headers, HttpHeaderNames.CONTENT_TYPE);
      Router.Match match = match(request);
      checkConditions(match.route(), headers);
      if (!exchangeInterception.acceptsAnyContent(match.route())) {
        checkContent(match.route(), request);
      }
      Route.BodySpec bodySpec = match.route().body();
      int maxBytes = bodySpec.mediaTypes().isEmpty() ? limits.maxBodyBytes() : bodySpec.maxBytes();
      return new RoutedHead(
          match, null, accepted(headers, match.route().operation().offers()), maxBytes);
    } catch (ProblemException e) {
      return new RoutedHead(null, e.problem(), MediaTypes.JSON, limits.maxBodyBytes());
    }
  }

  /** Refuses a duplicate of a single-valued field: two readers may each take another value. */
  static void checkOnce(HttpHeaders headers, CharSequence field) throws ProblemException {
    Iterator<? extends CharSequence> values = headers.valueCharSequenceIterator(field);
    if (values.hasNext()) {
      values.next();
      if (values.hasNext()) {
        throw new ProblemException(
            ProblemType.MALFORMED_HTTP, "expected one field " + field + ", found several");
      }
    }
  }

  private Router.Match match(HttpRequest request) throws ProblemException {
    RequestTarget requestTarget = RequestTarget.parse(request.uri());
    String method = request.method().name();
    if (method.equals("OPTIONS")) {
      return options(requestTarget);
    }
    if (requestTarget.asterisk()) {
      throw Router.notFound(requestTarget);
    }
    return router.match(method, requestTarget);
  }

  private Router.Match options(RequestTarget requestTarget) throws ProblemException {
    String allowed = router.allowed(requestTarget);
    if (allowed.isEmpty()) {
      throw Router.notFound(requestTarget);
    }
    Endpoint endpoint =
        httpExchange -> httpExchange.respond(Response.empty(204).field("allow", allowed));
    return new Router.Match(new RouteEntry(OPTIONS, endpoint), List.of(), QueryParameters.NONE);
  }

  private static String accepted(HttpHeaders headers, List<String> offers) throws ProblemException {
    String accept = headers.get(HttpHeaderNames.ACCEPT);
    if (offers.isEmpty()) {
      return MediaTypes.JSON;
    }
    if (accept == null) {
      return offers.getFirst();
    }
    String chosen =
        MediaTypes.choose(String.join(",", headers.getAll(HttpHeaderNames.ACCEPT)), offers);
    if (chosen == null) {
      throw new ProblemException(
          ProblemType.NOT_ACCEPTABLE,
          "expected Accept to take "
              + String.join(" or ", offers)
              + ", found "
              + Problem.quoted(accept));
    }
    return chosen;
  }

  private static void checkConditions(Route route, HttpHeaders headers) throws ProblemException {
    for (Route.ParameterSpec parameterSpec : route.operation().parameters()) {
      if (parameterSpec.schema().equals("EntityTags") && headers.contains(parameterSpec.name())) {
        EntityTags.check(parameterSpec.name(), headers.getAll(parameterSpec.name()));
      }
    }
    if (!CrossSiteCheck.isUnsafe(route.method())) {
      return;
    }
    boolean heeded =
        route.operation().parameters().stream().anyMatch(each -> each.name().equals("If-Match"));
    if (!heeded && headers.contains(HttpHeaderNames.IF_MATCH)) {
      throw new ProblemException(
          ProblemType.NOT_SUPPORTED, "the field If-Match is not supported yet");
    }
  }

  /** Refuses a body that its route does not accept. */
  public static void checkContent(Route route, HttpRequest request) throws ProblemException {
    HttpHeaders headers = request.headers();
    String length = headers.get(HttpHeaderNames.CONTENT_LENGTH);
    boolean hasBody =
        length == null ? headers.contains(HttpHeaderNames.TRANSFER_ENCODING) : isPositive(length);
    if (!hasBody || route.body().mediaTypes().isEmpty() || route.body().isNothing()) {
      return;
    }
    String coding = headers.get(HttpHeaderNames.CONTENT_ENCODING);
    if (coding != null && !coding.equalsIgnoreCase("identity")) {
      throw unsupported("no Content-Encoding", coding);
    }
    List<String> takes = route.body().mediaTypes();
    if (takes.contains(MediaTypes.ANY)) {
      return;
    }
    String type = headers.get(HttpHeaderNames.CONTENT_TYPE);
    String expected = "a Content-Type of " + String.join(" or ", takes);
    if (type == null) {
      throw unsupported(expected, "none");
    }
    String essence = MediaTypes.essence(type);
    if (essence == null || !takes.contains(essence)) {
      throw unsupported(expected + " in UTF-8", Problem.quoted(type));
    }
  }

  private static boolean isPositive(String digits) {
    for (int i = 0; i < digits.length(); i++) {
      if (digits.charAt(i) != '0') {
        return true;
      }
    }
    return false;
  }

  private static ProblemException unsupported(String expected, String found) {
    return new ProblemException(
        ProblemType.UNSUPPORTED_MEDIA_TYPE, "expected " + expected + ", found " + found);
  }
}
