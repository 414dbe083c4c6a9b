package dev.pinion.core.api;

import dev.pinion.core.api.filter.HistoryFilter;
import dev.pinion.core.api.instance.InstanceProblems;
import dev.pinion.core.api.port.HistoryAccess;
import dev.pinion.core.http.HttpExchange;
import dev.pinion.core.http.message.MediaTypes;
import dev.pinion.core.http.message.Problem;
import dev.pinion.core.http.message.ProblemException;
import dev.pinion.core.http.message.ProblemType;
import dev.pinion.core.http.message.RequestJson;
import dev.pinion.core.http.message.Response;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
import dev.pinion.core.spi.History;
import dev.pinion.core.spi.HistoryUnavailableException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Events of instances and searches for instances, from the history: it lags behind the other
 * routes, and is the same for every replica.
 */
final class HistoryEndpoints {
  private final RequestContext context;
  private final HistoryAccess history;
  private final int maxEvents;

  HistoryEndpoints(RequestContext context, int maxEvents) {
    this.context = context;
    this.history = context.ports().services().history();
    this.maxEvents = maxEvents;
  }

  /** A question to the history. */
  private interface HistoryQuery {
    History.@Nullable HistoryPage ask(History history) throws HistoryUnavailableException;
  }

  /** Makes an HTTP answer from the history's answer. */
  private interface HistoryRendering {
    void render(History.@Nullable HistoryPage historyPage) throws ProblemException;
  }

  /** Returns the events of an instance. */
  void events(HttpExchange httpExchange) throws ProblemException {
    String text = httpExchange.variable(0);
    InstanceId id = InstanceId.parse(text).orElseThrow(() -> InstanceProblems.notFound(text));
    int limit = httpExchange.query().number("limit", 1, maxEvents, Math.min(100, maxEvents));
    long after = after(httpExchange.query().get("after"));
    ask(
        httpExchange,
        history -> history.events(id, after, limit),
        historyPage -> {
          if (historyPage == null) {
            throw InstanceProblems.notFound(text);
          }
          String last = historyPage.more() ? lastOf(historyPage, "sequence") : null;
          String next =
              last == null
                  ? null
                  : "/v1/instances/" + id + "/events?limit=" + limit + "&after=" + last;
          show(httpExchange, historyPage, last, next);
        });
  }

  private static long after(@Nullable String text) throws ProblemException {
    if (text == null) {
      return -1;
    }
    if (!text.matches("[0-9]{1,18}")) {
      throw new ProblemException(
          ProblemType.BAD_PARAMETER,
          "expected after to be the sequence of an event, found " + Problem.quoted(text));
    }
    return Long.parseLong(text);
  }

  /** Finds instances. */
  void search(HttpExchange httpExchange) throws ProblemException {
    HistoryFilter filter = HistoryFilter.of(httpExchange.query(), context.limits().maxListed());
    ask(
        httpExchange,
        history -> history.instances(filter.search()),
        historyPage -> {
          if (historyPage == null) {
            throw new IllegalStateException("expected a page of a search, found none");
          }
          String cursor = historyPage.more() ? filter.cursorAfter(lastOf(historyPage, "id")) : null;
          String next = cursor == null ? null : "/v1/history/instances" + filter.nextQuery(cursor);
          show(httpExchange, historyPage, cursor, next);
        });
  }

  private static String lastOf(History.HistoryPage historyPage, String member) {
    return RequestJson.text(historyPage.items().getLast(), member);
  }

  private void ask(
      HttpExchange httpExchange, HistoryQuery historyQuery, HistoryRendering historyRendering)
      throws ProblemException {
    try {
      history.executor().execute(() -> answer(httpExchange, historyQuery, historyRendering));
    } catch (RejectedExecutionException e) {
      throw new ProblemException(Problem.overload("history.maxQuestions"));
    }
  }

  /** Runs on a thread of the history. Every failure there must reach the client. */
  private void answer(
      HttpExchange httpExchange, HistoryQuery historyQuery, HistoryRendering historyRendering) {
    try {
      History.HistoryPage historyPage = historyQuery.ask(history.history());
      httpExchange.onLoop(() -> historyRendering.render(historyPage));
    } catch (HistoryUnavailableException e) {
      String reason = String.valueOf(e.getMessage());
      httpExchange.onLoop(
          () -> {
            throw new ProblemException(
                Problem.of(ProblemType.HISTORY_UNAVAILABLE, reason).field("retry-after", "5"));
          });
    } catch (RuntimeException e) {
      httpExchange.onLoop(
          () -> {
            throw new IllegalStateException("a question to the history failed", e);
          });
    }
  }

  private void show(
      HttpExchange httpExchange,
      History.HistoryPage historyPage,
      @Nullable String next,
      @Nullable String link) {
    Map<String, Payload> state = new LinkedHashMap<>();
    state.put("lagRecords", Payload.of(historyPage.lagRecords()));
    state.put("asOf", Payload.of(Instant.ofEpochMilli(historyPage.asOfEpochMillis()).toString()));
    state.put("complete", Payload.of(historyPage.complete()));
    Map<String, Payload> members = new LinkedHashMap<>();
    members.put("items", Payload.array(historyPage.items()));
    if (next != null) {
      members.put("next", Payload.of(next));
    }
    members.put("history", Payload.object(state));
    Response response =
        Response.of(200, MediaTypes.JSON, context.json().bytes(Payload.object(members)));
    httpExchange.respond(
        link == null ? response : response.field("link", "<" + link + ">; rel=\"next\""));
  }
}
