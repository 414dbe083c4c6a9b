package dev.pinion.core.request;

import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.InstanceView;
import dev.pinion.core.model.Payload;
import dev.pinion.core.spi.History;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * Asks the history for instances that their kernel does not keep any more, so that a client need
 * not know where the end of its instance is stored. Event loop only.
 */
final class PastInstances {
  /** Greatest lead of the clock that made an id. */
  private static final long CLOCK_SKEW_MILLIS = 60_000;

  private final RequestHandler handler;
  private final HistoryDesk desk;
  private final long keptMillis;

  /** Starts an instance like the one found. */
  interface Rerun {
    void of(InstanceView found, Payload input) throws Refusal;
  }

  /** A question to the history, and the step for its answer on the event loop. */
  private interface Question {
    Exchange.Step ask(History history) throws History.Unavailable;
  }

  /**
   * Asks the history of a handler.
   *
   * @param keepSeconds time for which an ended instance is kept
   */
  PastInstances(RequestHandler handler, int keepSeconds) {
    this.handler = handler;
    this.desk = handler.ports().history();
    this.keptMillis = TimeUnit.SECONDS.toMillis(keepSeconds);
  }

  /**
   * Answers a request about an instance that no kernel has.
   *
   * @param forgotten whether it certainly existed
   * @param view shows the instance found
   */
  void ask(Exchange exchange, InstanceId id, boolean forgotten, InstanceOperation.View view)
      throws Refusal {
    ask(
        exchange,
        id,
        forgotten,
        history -> {
          InstanceView found = history.ended(id);
          if (found == null) {
            return nothing(history, id, forgotten);
          }
          return () -> show(exchange, found, view);
        });
  }

  /**
   * Starts another instance like one that no kernel has any more.
   *
   * @param forgotten whether it certainly existed
   */
  void rerun(Exchange exchange, InstanceId id, boolean forgotten, Rerun rerun) throws Refusal {
    ask(
        exchange,
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
              throw new Refusal(
                  ProblemType.FORGOTTEN,
                  "the instance has ended, and its input is no longer kept: it was longer than the"
                      + " history keeps (history.maxValueChars)");
            }
            rerun.of(found, input);
          };
        });
  }

  private void ask(Exchange exchange, InstanceId id, boolean forgotten, Question question)
      throws Refusal {
    if (desk.history().equals(History.NONE) || !mayHaveBegun(id)) {
      throw unknown(id, forgotten);
    }
    try {
      desk.threads().execute(() -> answer(exchange, question));
    } catch (RejectedExecutionException e) {
      throw new Refusal(Problem.overload("history.maxQuestions"));
    }
  }

  /** Runs on a thread of the desk. Every failure there must reach the client. */
  private void answer(Exchange exchange, Question question) {
    try {
      exchange.onLoop(question.ask(desk.history()));
    } catch (History.Unavailable e) {
      String reason = String.valueOf(e.getMessage());
      exchange.onLoop(
          () -> {
            throw unavailable(reason);
          });
    } catch (RuntimeException e) {
      exchange.onLoop(
          () -> {
            throw new IllegalStateException("a question to the history failed", e);
          });
    }
  }

  /** The step for a request when the history has no end of the instance. */
  private static Exchange.Step nothing(History history, InstanceId id, boolean forgotten)
      throws History.Unavailable {
    Refusal refusal = history.lacksEnd(id) ? lost(id) : unknown(id, forgotten || history.knows(id));
    return () -> {
      throw refusal;
    };
  }

  private void show(Exchange exchange, InstanceView found, InstanceOperation.View view)
      throws Refusal {
    if (handler.epochMillis() - found.endedAtEpochMillis() >= keptMillis) {
      throw InstanceEndpoints.forgotten(found.id());
    }
    view.show(exchange, found);
  }

  /** Whether instances may have been started at the time of an id. */
  private boolean mayHaveBegun(InstanceId id) {
    long started = id.startedAtEpochMillis();
    return started > 0 && started <= handler.epochMillis() + CLOCK_SKEW_MILLIS;
  }

  private static Refusal unknown(InstanceId id, boolean forgotten) {
    return forgotten ? InstanceEndpoints.forgotten(id) : InstanceEndpoints.notFound(id.toString());
  }

  private static Refusal lost(InstanceId id) {
    return new Refusal(
        Problem.of(
                ProblemType.FORGOTTEN,
                "the instance existed, but its end is not known: the history has"
                    + " not all of its events (GET /v1/instances/{id}/events)")
            .with("id", Payload.of(id.toString())));
  }

  private static Refusal unavailable(String reason) {
    return new Refusal(
        Problem.of(ProblemType.HISTORY_UNAVAILABLE, reason).field("retry-after", "5"));
  }
}
