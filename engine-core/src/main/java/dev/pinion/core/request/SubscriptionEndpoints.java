package dev.pinion.core.request;

import dev.pinion.core.model.DiskFull;
import dev.pinion.core.model.Payload;
import dev.pinion.core.spi.History;
import dev.pinion.core.spi.Subscriptions;
import java.util.List;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/** Subscriptions to events of instances: made, renewed and ended off the event loops. */
final class SubscriptionEndpoints {
  private static final String PATH = "/v1/subscriptions/";

  private final RequestHandler handler;
  private final HistoryDesk desk;

  SubscriptionEndpoints(RequestHandler handler) {
    this.handler = handler;
    this.desk = handler.ports().history();
  }

  /** An operation on subscriptions. */
  private interface Work {
    @Nullable Payload with(Subscriptions subscriptions)
        throws Subscriptions.Refused, History.Unavailable;
  }

  /** Makes an HTTP answer of the outcome. */
  private interface Rendering {
    void render(@Nullable Payload outcome) throws Refusal;
  }

  /** Subscribes. */
  void create(Exchange exchange) throws Refusal {
    Payload wish = handler.json().read(exchange.body());
    perform(
        exchange,
        subscriptions -> subscriptions.create(wish),
        made -> {
          Payload subscription = present(made, "");
          String id = RequestJson.text(subscription, "id");
          exchange.answer(json(201, subscription).field("location", PATH + id));
        });
  }

  /** Lists subscriptions. */
  void list(Exchange exchange) throws Refusal {
    perform(
        exchange,
        subscriptions -> Payload.array(subscriptions.list()),
        all -> exchange.answer(json(200, Payload.object(Map.of("items", present(all, ""))))));
  }

  /** Shows a subscription. */
  void get(Exchange exchange) throws Refusal {
    String id = exchange.variable(0);
    perform(
        exchange,
        subscriptions -> subscriptions.find(id),
        found -> exchange.answer(json(200, present(found, id))));
  }

  /** Renews a subscription and changes it. */
  void change(Exchange exchange) throws Refusal {
    String id = exchange.variable(0);
    Payload changes =
        RequestJson.isBlank(exchange.body())
            ? Payload.EMPTY_OBJECT
            : handler.json().read(exchange.body());
    perform(
        exchange,
        subscriptions -> subscriptions.change(id, changes),
        changed -> exchange.answer(json(200, present(changed, id))));
  }

  /** Ends a subscription. */
  void delete(Exchange exchange) throws Refusal {
    String id = exchange.variable(0);
    perform(
        exchange,
        subscriptions -> subscriptions.delete(id) ? Payload.TRUE : null,
        ended -> {
          present(ended, id);
          exchange.answer(Answer.empty(204));
        });
  }

  private static Payload present(@Nullable Payload found, String id) throws Refusal {
    if (found == null) {
      throw new Refusal(
          ProblemType.NOT_FOUND,
          "expected the id of a subscription that has not expired, found " + Problem.quoted(id));
    }
    return found;
  }

  private Answer json(int status, Payload body) {
    return Answer.of(status, MediaTypes.JSON, handler.json().bytes(body));
  }

  private void perform(Exchange exchange, Work work, Rendering rendering) throws Refusal {
    try {
      desk.threads().execute(() -> answer(exchange, work, rendering));
    } catch (RejectedExecutionException e) {
      throw new Refusal(Problem.overload("history.maxQuestions"));
    }
  }

  /** Runs on a thread of the desk. Every failure there must reach the client. */
  private void answer(Exchange exchange, Work work, Rendering rendering) {
    try {
      Payload outcome = work.with(desk.history().subscriptions());
      exchange.onLoop(() -> rendering.render(outcome));
    } catch (Subscriptions.Refused e) {
      exchange.onLoop(
          () -> {
            throw refusal(e);
          });
    } catch (History.Unavailable e) {
      Problem problem =
          DiskFull.caused(e)
              ? Problem.diskFull()
              : Problem.of(ProblemType.HISTORY_UNAVAILABLE, String.valueOf(e.getMessage()))
                  .field("retry-after", "5");
      exchange.onLoop(
          () -> {
            throw new Refusal(problem);
          });
    } catch (RuntimeException e) {
      exchange.onLoop(
          () -> {
            throw new IllegalStateException("work on subscriptions failed", e);
          });
    }
  }

  private static Refusal refusal(Subscriptions.Refused refused) {
    String limit = refused.limit();
    return limit == null
        ? new Refusal(ProblemType.BAD_BODY, String.valueOf(refused.getMessage()))
        : new Refusal(Problem.overload(limit));
  }

  /** Every operation on subscriptions, for the route table. */
  List<Route> routes(int maxBytes) {
    Route.Body wish = Route.Body.of(List.of(MediaTypes.JSON), true, "SubscriptionWish", maxBytes);
    Route.Body changes =
        Route.Body.of(
            List.of(MediaTypes.JSON, MediaTypes.MERGE_PATCH),
            false,
            "SubscriptionChanges",
            maxBytes);
    Route.Response unavailable =
        Route.Response.problem(503, "no history is kept, or it cannot be asked now");
    Route.Response unknown = Route.Response.problem(404, "no such subscription, or it has expired");
    String one = PATH + "{id}";
    return List.of(
        route(
            "POST",
            "/v1/subscriptions",
            "subscribe",
            "Subscribes to what instances do; each event is sent to the sink as a CloudEvent.",
            wish,
            List.of(Route.Response.json(201, "made", "Subscription"), unavailable),
            this::create),
        route(
            "GET",
            "/v1/subscriptions",
            "listSubscriptions",
            "Lists subscriptions by id.",
            Route.Body.none(),
            List.of(Route.Response.json(200, "all of them", "SubscriptionList"), unavailable),
            this::list),
        route(
            "GET",
            one,
            "getSubscription",
            "Shows a subscription, how far it is and what its sink last failed with.",
            Route.Body.none(),
            List.of(
                Route.Response.json(200, "the subscription", "Subscription"), unknown, unavailable),
            this::get),
        route(
            "PATCH",
            one,
            "renewSubscription",
            "Renews a subscription, and replaces the members that the body has.",
            changes,
            List.of(
                Route.Response.json(200, "the subscription", "Subscription"), unknown, unavailable),
            this::change),
        route(
            "DELETE",
            one,
            "unsubscribe",
            "Ends a subscription.",
            Route.Body.nothing(),
            List.of(Route.Response.empty(204, "ended"), unknown, unavailable),
            this::delete));
  }

  private static Route route(
      String method,
      String path,
      String operation,
      String summary,
      Route.Body body,
      List<Route.Response> responses,
      Route.Endpoint endpoint) {
    return new Route(
        method,
        new PathTemplate(path),
        operation,
        summary,
        List.of(),
        body,
        responses,
        false,
        endpoint);
  }
}
