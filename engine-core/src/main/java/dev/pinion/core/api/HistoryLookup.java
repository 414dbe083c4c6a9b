package dev.pinion.core.api;

import dev.pinion.core.api.instance.InstanceProblems;
import dev.pinion.core.api.instance.InstanceRenderer;
import dev.pinion.core.api.port.HistoryAccess;
import dev.pinion.core.http.HttpExchange;
import dev.pinion.core.http.message.Problem;
import dev.pinion.core.http.message.ProblemException;
import dev.pinion.core.http.message.ProblemType;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.instance.InstanceView;
import dev.pinion.core.spi.History;
import dev.pinion.core.spi.HistoryUnavailableException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * Asks the history for instances that their kernel does not keep any more, so that a client need
 * not know where the end of its instance is stored. Event loop only.
 */
final class HistoryLookup {
  /** Greatest lead of the clock that made an id. */
  private static final long CLOCK_SKEW_MILLIS = 60_000;

  private final RequestContext context;
  private final HistoryAccess history;
  private final long keptMillis;

  /** Starts an instance like the one found. */
  interface RerunStarter {
    void of(InstanceView found, Payload input) throws ProblemException;
  }

  /** A question to the history, and the step for its answer on the event loop. */
  private interface LookupQuery {
    HttpExchange.ExchangeStep ask(History history) throws HistoryUnavailableException;
  }

  /**
   * Asks the history of a context.
   *
   * @param keepSeconds time for which an ended instance is kept
   */
  HistoryLookup(RequestContext context, int keepSeconds) {
    this.context = context;
    this.history = context.ports().services().history();
    this.keptMillis = TimeUnit.SECONDS.toMillis(keepSeconds);
  }

  /**
   * Answers a request about an instance that no kernel has.
   *
   * @param forgotten whether it certainly existed
   * @param instanceRenderer shows the instance found
   */
  void ask(
      HttpExchange httpExchange,
      InstanceId id,
      boolean forgotten,
      InstanceRenderer instanceRenderer)
      throws ProblemException {
    ask(
        httpExchange,
        id,
        forgotten,
        history -> {
          InstanceView found = history.ended(id);
          if (found == null) {
            return nothing(history, id, forgotten);
          }
          return () -> show(httpExchange, found, instanceRenderer);
        });
  }

  /**
   * Starts another instance like one that no kernel has any more.
   *
   * @param forgotten whether it certainly existed
   */
  void rerun(HttpExchange httpExchange, InstanceId id, boolean forgotten, RerunStarter rerunStarter)
      throws ProblemException {
    ask(
        httpExchange,
        id,
        forgotten,
        history -> {
          InstanceView found = history.ended(id);
          if (found == null) {
            return nothing(history, id, forgotten);
          }
          Payload input = history.input(id);
          return () -> {
            if (input == null) {
              throw new ProblemException(
                  ProblemType.FORGOTTEN,
                  "the instance has ended, and its input is no longer kept: it was longer than the"
                      + " history keeps (history.maxValueChars)");
            }
            rerunStarter.of(found, input);
          };
        });
  }

  private void ask(
      HttpExchange httpExchange, InstanceId id, boolean forgotten, LookupQuery lookupQuery)
      throws ProblemException {
    if (history.history().equals(History.NONE) || !mayHaveBegun(id)) {
      throw unknown(id, forgotten);
    }
    try {
      history.executor().execute(() -> answer(httpExchange, lookupQuery));
    } catch (RejectedExecutionException e) {
      throw new ProblemException(Problem.overload("history.maxQuestions"));
    }
  }

  /** Runs on a thread of the history. Every failure there must reach the client. */
  private void answer(HttpExchange httpExchange, LookupQuery lookupQuery) {
    try {
      httpExchange.onLoop(lookupQuery.ask(history.history()));
    } catch (HistoryUnavailableException e) {
      String reason = String.valueOf(e.getMessage());
      httpExchange.onLoop(
          () -> {
            throw unavailable(reason);
          });
    } catch (RuntimeException e) {
      httpExchange.onLoop(
          () -> {
            throw new IllegalStateException("a question to the history failed", e);
          });
    }
  }

  /** The step for a request when the history has no end of the instance. */
  private static HttpExchange.ExchangeStep nothing(
      History history, InstanceId id, boolean forgotten) throws HistoryUnavailableException {
    ProblemException problemException =
        history.lacksEnd(id) ? lost(id) : unknown(id, forgotten || history.knows(id));
    return () -> {
      throw problemException;
    };
  }

  private void show(
      HttpExchange httpExchange, InstanceView found, InstanceRenderer instanceRenderer)
      throws ProblemException {
    if (context.epochMillis() - found.endedAtEpochMillis() >= keptMillis) {
      throw InstanceProblems.forgotten(found.id());
    }
    instanceRenderer.show(httpExchange, found);
  }

  /** Whether instances may have been started at the time of an id. */
  private boolean mayHaveBegun(InstanceId id) {
    long started = id.startedAtEpochMillis();
    return started > 0 && started <= context.epochMillis() + CLOCK_SKEW_MILLIS;
  }

  private static ProblemException unknown(InstanceId id, boolean forgotten) {
    return forgotten ? InstanceProblems.forgotten(id) : InstanceProblems.notFound(id.toString());
  }

  private static ProblemException lost(InstanceId id) {
    return new ProblemException(
        Problem.of(
                ProblemType.FORGOTTEN,
                "the instance existed, but its end is not known: the history has"
                    + " not all of its events (GET /v1/instances/{id}/events)")
            .with("id", Payload.of(id.toString())));
  }

  private static ProblemException unavailable(String reason) {
    return new ProblemException(
        Problem.of(ProblemType.HISTORY_UNAVAILABLE, reason).field("retry-after", "5"));
  }
}
