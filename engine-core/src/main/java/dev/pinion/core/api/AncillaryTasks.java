package dev.pinion.core.api;

import dev.pinion.core.http.HttpExchange;
import dev.pinion.core.http.message.Problem;
import dev.pinion.core.http.message.ProblemException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/** Work of requests that is too slow for event loops. Every failure of it reaches the client. */
final class AncillaryTasks {
  private final Executor executor;

  AncillaryTasks(RequestContext context) {
    this.executor = context.ports().replica().ancillary();
  }

  /**
   * Runs a task on an ancillary thread; it returns to the event loop by {@link
   * HttpExchange#onLoop}.
   *
   * @param failure what is logged when it fails
   * @throws ProblemException when too many tasks wait
   */
  void execute(HttpExchange httpExchange, String failure, Runnable task) throws ProblemException {
    try {
      executor.execute(
          () -> {
            try {
              task.run();
            } catch (RuntimeException | StackOverflowError e) {
              httpExchange.onLoop(
                  () -> {
                    throw new IllegalStateException(failure, e);
                  });
            }
          });
    } catch (RejectedExecutionException e) {
      throw new ProblemException(Problem.overload("deployments under way"));
    }
  }
}
