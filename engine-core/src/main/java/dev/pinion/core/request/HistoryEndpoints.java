package dev.pinion.core.request;

import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
import dev.pinion.core.spi.History;
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
  private final RequestHandler handler;
  private final HistoryDesk desk;
  private final int maxEvents;

  HistoryEndpoints(RequestHandler handler, int maxEvents) {
    this.handler = handler;
    this.desk = handler.ports().history();
    this.maxEvents = maxEvents;
  }

  /** A question to the history. */
  private interface Question {
    History.@Nullable Page ask(History history) throws History.Unavailable;
  }

  /** Makes an HTTP answer from the history's answer. */
  private interface Rendering {
    void render(History.@Nullable Page page) throws Refusal;
  }

  /** Returns the events of an instance. */
  void events(Exchange exchange) throws Refusal {
    String text = exchange.variable(0);
    InstanceId id = InstanceId.parse(text).orElseThrow(() -> InstanceEndpoints.notFound(text));
    int limit = exchange.query().number("limit", 1, maxEvents, Math.min(100, maxEvents));
    long after = after(exchange.query().get("after"));
    ask(
        exchange,
        history -> history.events(id, after, limit),
        page -> {
          if (page == null) {
            throw InstanceEndpoints.notFound(text);
          }
          String last = page.more() ? lastOf(page, "sequence") : null;
          String next =
              last == null
                  ? null
                  : "/v1/instances/" + id + "/events?limit=" + limit + "&after=" + last;
          show(exchange, page, last, next);
        });
  }

  private static long after(@Nullable String text) throws Refusal {
    if (text == null) {
      return -1;
    }
    if (!text.matches("[0-9]{1,18}")) {
      throw new Refusal(
          ProblemType.BAD_PARAMETER,
          "expected after to be the sequence of an event, found " + Problem.quoted(text));
    }
    return Long.parseLong(text);
  }

  /** Finds instances. */
  void search(Exchange exchange) throws Refusal {
    HistoryFilter filter = HistoryFilter.of(exchange.query(), handler.limits().maxListed());
    ask(
        exchange,
        history -> history.instances(filter.search()),
        page -> {
          if (page == null) {
            throw new IllegalStateException("expected a page of a search, found none");
          }
          String cursor = page.more() ? filter.cursorAfter(lastOf(page, "id")) : null;
          String next = cursor == null ? null : "/v1/history/instances" + filter.nextQuery(cursor);
          show(exchange, page, cursor, next);
        });
  }

  private static String lastOf(History.Page page, String member) {
    return RequestJson.text(page.items().getLast(), member);
  }

  private void ask(Exchange exchange, Question question, Rendering rendering) throws Refusal {
    try {
      desk.threads().execute(() -> answer(exchange, question, rendering));
    } catch (RejectedExecutionException e) {
      throw new Refusal(Problem.overload("history.maxQuestions"));
    }
  }

  /** Runs on a thread of the desk. Every failure there must reach the client. */
  private void answer(Exchange exchange, Question question, Rendering rendering) {
    try {
      History.Page page = question.ask(desk.history());
      exchange.onLoop(() -> rendering.render(page));
    } catch (History.Unavailable e) {
      String reason = String.valueOf(e.getMessage());
      exchange.onLoop(
          () -> {
            throw new Refusal(
                Problem.of(ProblemType.HISTORY_UNAVAILABLE, reason).field("retry-after", "5"));
          });
    } catch (RuntimeException e) {
      exchange.onLoop(
          () -> {
            throw new IllegalStateException("a question to the history failed", e);
          });
    }
  }

  private void show(
      Exchange exchange, History.Page page, @Nullable String next, @Nullable String link) {
    Map<String, Payload> state = new LinkedHashMap<>();
    state.put("lagRecords", Payload.of(page.lagRecords()));
    state.put("asOf", Payload.of(Instant.ofEpochMilli(page.asOfEpochMillis()).toString()));
    state.put("complete", Payload.of(page.complete()));
    Map<String, Payload> members = new LinkedHashMap<>();
    members.put("items", Payload.array(page.items()));
    if (next != null) {
      members.put("next", Payload.of(next));
    }
    members.put("history", Payload.object(state));
    Answer answer = Answer.of(200, MediaTypes.JSON, handler.json().bytes(Payload.object(members)));
    exchange.answer(link == null ? answer : answer.field("link", "<" + link + ">; rel=\"next\""));
  }
}
