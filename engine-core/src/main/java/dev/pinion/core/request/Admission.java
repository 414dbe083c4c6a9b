package dev.pinion.core.request;

import dev.pinion.core.model.Callbacks;
import dev.pinion.core.model.EngineLimits;
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
final class Admission {
  private final Router router;
  private final EngineLimits.Request limits;
  private final Attachments attachments;
  private final SiteCheck sites;

  /**
   * The result for a head: a route, or a problem.
   *
   * @param mediaType the type of a successful answer that the client prefers
   * @param maxBodyBytes most bytes of the body
   */
  record Verdict(
      Router.@Nullable Match match,
      @Nullable Problem problem,
      String mediaType,
      int maxBodyBytes) {}

  Admission(Router router, EngineLimits.Request limits, Attachments attachments, SiteCheck sites) {
    this.router = router;
    this.limits = limits;
    this.attachments = attachments;
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
  Verdict judge(HttpRequest request, boolean fromPeer) {
    try {
      if (!fromPeer) {
        sites.check(request);
      }
      HttpHeaders headers = request.headers();
      checkOnce(headers, HttpHeaderNames.CONTENT_TYPE);
      checkOnce(headers, Callbacks.STATUS_FIELD);
      Router.Match match = match(request);
      checkConditions(match.route(), headers);
      if (!attachments.takesAnyContent(match.route())) {
        checkContent(match.route(), request);
      }
      Route.Body body = match.route().body();
      int maxBytes = body.mediaTypes().isEmpty() ? limits.maxBodyBytes() : body.maxBytes();
      return new Verdict(match, null, accepted(headers, match.offers()), maxBytes);
    } catch (Refusal e) {
      return new Verdict(null, e.problem(), MediaTypes.JSON, limits.maxBodyBytes());
    }
  }

  /** Refuses a duplicate of a single-valued field: two readers may each take another value. */
  private static void checkOnce(HttpHeaders headers, CharSequence field) throws Refusal {
    Iterator<? extends CharSequence> values = headers.valueCharSequenceIterator(field);
    if (values.hasNext()) {
      values.next();
      if (values.hasNext()) {
        throw new Refusal(
            ProblemType.MALFORMED_HTTP, "expected one field " + field + ", found several");
      }
    }
  }

  private Router.Match match(HttpRequest request) throws Refusal {
    Target target = Target.parse(request.uri());
    String method = request.method().name();
    if (method.equals("OPTIONS")) {
      return options(target);
    }
    if (target.asterisk()) {
      throw Router.notFound(target);
    }
    return router.match(method, target);
  }

  private Router.Match options(Target target) throws Refusal {
    String allowed = router.allowed(target);
    if (allowed.isEmpty()) {
      throw Router.notFound(target);
    }
    Route route =
        new Route(
            "OPTIONS",
            new PathTemplate("/"),
            "options",
            "",
            List.of(),
            Route.Body.none(),
            List.of(),
            false,
            exchange -> exchange.answer(Answer.empty(204).field("allow", allowed)));
    return new Router.Match(route, List.of(), Query.NONE, List.of());
  }

  private static String accepted(HttpHeaders headers, List<String> offers) throws Refusal {
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
      throw new Refusal(
          ProblemType.NOT_ACCEPTABLE,
          "expected Accept to take "
              + String.join(" or ", offers)
              + ", found "
              + Problem.quoted(accept));
    }
    return chosen;
  }

  private static void checkConditions(Route route, HttpHeaders headers) throws Refusal {
    for (Route.Parameter parameter : route.parameters()) {
      if (parameter.schema().equals("EntityTags") && headers.contains(parameter.name())) {
        Conditions.check(parameter.name(), headers.getAll(parameter.name()));
      }
    }
    if (!SiteCheck.changes(route.method())) {
      return;
    }
    boolean heeded = route.parameters().stream().anyMatch(each -> each.name().equals("If-Match"));
    if (!heeded && headers.contains(HttpHeaderNames.IF_MATCH)) {
      throw new Refusal(ProblemType.NOT_SUPPORTED, "the field If-Match is not supported yet");
    }
  }

  /** Refuses a body that its route does not accept. */
  static void checkContent(Route route, HttpRequest request) throws Refusal {
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

  private static Refusal unsupported(String expected, String found) {
    return new Refusal(
        ProblemType.UNSUPPORTED_MEDIA_TYPE, "expected " + expected + ", found " + found);
  }
}
