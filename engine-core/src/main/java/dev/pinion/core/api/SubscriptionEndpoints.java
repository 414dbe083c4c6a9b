package dev.pinion.core.api;

import dev.pinion.core.api.port.HistoryAccess;
import dev.pinion.core.http.Endpoint;
import dev.pinion.core.http.HttpExchange;
import dev.pinion.core.http.Route;
import dev.pinion.core.http.RouteEntry;
import dev.pinion.core.http.message.MediaTypes;
import dev.pinion.core.http.message.PathTemplate;
import dev.pinion.core.http.message.Problem;
import dev.pinion.core.http.message.ProblemException;
import dev.pinion.core.http.message.ProblemType;
import dev.pinion.core.http.message.RequestJson;
import dev.pinion.core.http.message.Response;
import dev.pinion.core.model.DiskFullDetector;
import dev.pinion.core.model.Payload;
import dev.pinion.core.spi.HistoryUnavailableException;
import dev.pinion.core.spi.Subscriptions;
import java.util.List;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/** Subscriptions to events of instances: made, renewed and ended off the event loops. */
final class SubscriptionEndpoints {
  private static final String PATH = "/v1/subscriptions/";

  private final RequestContext context;
  private final HistoryAccess history;

  SubscriptionEndpoints(RequestContext context) {
    this.context = context;
    this.history = context.ports().services().history();
  }

  /** An operation on subscriptions. */
  private interface SubscriptionTask {
    @Nullable Payload with(Subscriptions subscriptions)
        throws Subscriptions.InvalidSubscriptionException, HistoryUnavailableException;
  }

  /** Makes an HTTP answer of the outcome. */
  private interface SubscriptionRendering {
    void render(@Nullable Payload outcome) throws ProblemException;
  }

  /** Subscribes. */
  void create(HttpExchange httpExchange) throws ProblemException {
    Payload wish = context.json().read(httpExchange.body());
    perform(
        httpExchange,
        subscriptions -> subscriptions.subscription(wish),
        made -> {
          Payload subscription = present(made, "");
          String id = RequestJson.text(subscription, "id");
          httpExchange.respond(json(201, subscription).field("location", PATH + id));
        });
  }

  /** Lists subscriptions. */
  void list(HttpExchange httpExchange) throws ProblemException {
    perform(
        httpExchange,
        subscriptions -> Payload.array(subscriptions.list()),
        all -> httpExchange.respond(json(200, Payload.object(Map.of("items", present(all, ""))))));
  }

  /** Shows a subscription. */
  void get(HttpExchange httpExchange) throws ProblemException {
    String id = httpExchange.variable(0);
    perform(
        httpExchange,
        subscriptions -> subscriptions.find(id),
        found -> httpExchange.respond(json(200, present(found, id))));
  }

  /** Renews a subscription and changes it. */
  void change(HttpExchange httpExchange) throws ProblemException {
    String id = httpExchange.variable(0);
    Payload changes =
        RequestJson.isBlank(httpExchange.body())
            ? Payload.EMPTY_OBJECT
            : context.json().read(httpExchange.body());
    perform(
        httpExchange,
        subscriptions -> subscriptions.change(id, changes),
        changed -> httpExchange.respond(json(200, present(changed, id))));
  }

  /** Ends a subscription. */
  void delete(HttpExchange httpExchange) throws ProblemException {
    String id = httpExchange.variable(0);
    perform(
        httpExchange,
        subscriptions -> subscriptions.delete(id) ? Payload.TRUE : null,
        ended -> {
          present(ended, id);
          httpExchange.respond(Response.empty(204));
        });
  }

  private static Payload present(@Nullable Payload found, String id) throws ProblemException {
    if (found == null) {
      throw new ProblemException(
          ProblemType.NOT_FOUND,
          "expected the id of a subscription that has not expired, found " + Problem.quoted(id));
    }
    return found;
  }

  private Response json(int status, Payload body) {
    return Response.of(status, MediaTypes.JSON, context.json().bytes(body));
  }

  private void perform(
      HttpExchange httpExchange,
      SubscriptionTask subscriptionTask,
      SubscriptionRendering subscriptionRendering)
      throws ProblemException {
    try {
      history
          .executor()
          .execute(() -> answer(httpExchange, subscriptionTask, subscriptionRendering));
    } catch (RejectedExecutionException e) {
      throw new ProblemException(Problem.overload("history.maxQuestions"));
    }
  }

  /** Runs on a thread of the history. Every failure there must reach the client. */
  private void answer(
      HttpExchange httpExchange,
      SubscriptionTask subscriptionTask,
      SubscriptionRendering subscriptionRendering) {
    try {
      Payload outcome = subscriptionTask.with(history.history().subscriptions());
      httpExchange.onLoop(() -> subscriptionRendering.render(outcome));
    } catch (Subscriptions.InvalidSubscriptionException e) {
      httpExchange.onLoop(
          () -> {
            throw refusal(e);
          });
    } catch (HistoryUnavailableException e) {
      Problem problem =
          DiskFullDetector.isDiskFull(e)
              ? Problem.diskFull()
              : Problem.of(ProblemType.HISTORY_UNAVAILABLE, String.valueOf(e.getMessage()))
                  .field("retry-after", "5");
      httpExchange.onLoop(
          () -> {
            throw new ProblemException(problem);
          });
    } catch (RuntimeException e) {
      httpExchange.onLoop(
          () -> {
            throw new IllegalStateException("work on subscriptions failed", e);
          });
    }
  }

  private static ProblemException refusal(
      Subscriptions.InvalidSubscriptionException invalidSubscriptionException) {
    String limit = invalidSubscriptionException.limit();
    return limit == null
        ? new ProblemException(
            ProblemType.BAD_BODY, String.valueOf(invalidSubscriptionException.getMessage()))
        : new ProblemException(Problem.overload(limit));
  }

  /** Every operation on subscriptions, for the route table. */
  List<RouteEntry> routes(int maxBytes) {
    Route.BodySpec wish =
        Route.BodySpec.of(List.of(MediaTypes.JSON), true, "SubscriptionWish", maxBytes);
    Route.BodySpec changes =
        Route.BodySpec.of(
            List.of(MediaTypes.JSON, MediaTypes.MERGE_PATCH),
            false,
            "SubscriptionChanges",
            maxBytes);
    Route.ResponseSpec unavailable =
        Route.ResponseSpec.problem(503, "no history is kept, or it cannot be asked now");
    Route.ResponseSpec unknown =
        Route.ResponseSpec.problem(404, "no such subscription, or it has expired");
    String one = PATH + "{id}";
    return List.of(
        route(
            "POST",
            "/v1/subscriptions",
            "subscribe",
            "Subscribes to what instances do; each event is sent to the sink as a CloudEvent.",
            wish,
            List.of(Route.ResponseSpec.json(201, "made", "Subscription"), unavailable),
            this::create),
        route(
            "GET",
            "/v1/subscriptions",
            "listSubscriptions",
            "Lists subscriptions by id.",
            Route.BodySpec.none(),
            List.of(Route.ResponseSpec.json(200, "all of them", "SubscriptionList"), unavailable),
            this::list),
        route(
            "GET",
            one,
            "getSubscription",
            "Shows a subscription, how far it is and what its sink last failed with.",
            Route.BodySpec.none(),
            List.of(
                Route.ResponseSpec.json(200, "the subscription", "Subscription"),
                unknown,
                unavailable),
            this::get),
        route(
            "PATCH",
            one,
            "renewSubscription",
            "Renews a subscription, and replaces the members that the body has.",
            changes,
            List.of(
                Route.ResponseSpec.json(200, "the subscription", "Subscription"),
                unknown,
                unavailable),
            this::change),
        route(
            "DELETE",
            one,
            "unsubscribe",
            "Ends a subscription.",
            Route.BodySpec.nothing(),
            List.of(Route.ResponseSpec.empty(204, "ended"), unknown, unavailable),
            this::delete));
  }

  private static RouteEntry route(
      String method,
      String path,
      String operation,
      String summary,
      Route.BodySpec bodySpec,
      List<Route.ResponseSpec> responses,
      Endpoint endpoint) {
    Route.Operation description =
        new Route.Operation(operation, summary, List.of(), bodySpec, responses);
    return new RouteEntry(new Route(method, new PathTemplate(path), description, false), endpoint);
  }
}
