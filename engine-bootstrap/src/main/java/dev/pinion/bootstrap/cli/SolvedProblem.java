package dev.pinion.bootstrap.cli;

import dev.pinion.broker.admission.Decision;
import dev.pinion.broker.model.AdmissionRequest;
import dev.pinion.broker.model.BrokerProblem;
import dev.pinion.broker.optimise.Optimum;
import dev.pinion.broker.optimise.Result;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A problem, and all that {@code broker solve} found.
 *
 * @param problem the problem
 * @param result best plan, or that there is none
 * @param relaxed the best plan that breaks bounds; null where none has to be broken
 * @param requests contracts asked for
 */
record SolvedProblem(
    BrokerProblem problem, Result result, @Nullable Optimum relaxed, List<Request> requests) {
  /** Copies the list. */
  SolvedProblem {
    requests = List.copyOf(requests);
  }

  /**
   * A contract asked for.
   *
   * @param request the wish
   * @param decision what becomes of it
   * @param maxRate requests/s of its class that would fit; may be infinite
   */
  record Request(AdmissionRequest request, Decision decision, double maxRate) {}
}
