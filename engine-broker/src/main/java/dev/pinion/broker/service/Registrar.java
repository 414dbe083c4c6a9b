package dev.pinion.broker.service;

import dev.pinion.broker.analyse.SolveRateLimiter;
import dev.pinion.broker.document.BrokerJson;
import dev.pinion.broker.document.ProblemBuilder;
import dev.pinion.broker.document.ProblemReading;
import dev.pinion.broker.model.AdmissionRequest;
import dev.pinion.broker.model.BrokerProblem;
import dev.pinion.broker.model.ServiceClass;
import dev.pinion.broker.optimise.AdmissionControl;
import dev.pinion.broker.optimise.AdmissionDecision;
import dev.pinion.broker.optimise.MaxRateSolver;
import dev.pinion.broker.optimise.OptimalPlan;
import dev.pinion.broker.optimise.OptimisationResult;
import dev.pinion.broker.registry.Contracts;
import dev.pinion.broker.registry.PlanState;
import dev.pinion.broker.registry.RegisteredService;
import dev.pinion.broker.registry.ServiceRegistry;
import dev.pinion.broker.registry.Sla;
import dev.pinion.core.model.Clock;
import dev.pinion.core.spi.BrokerGateway.BrokerStatus;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Services and contracts, and their changes: checked, decided, forced to disk, planned, in this
 * order. One thread at a time, except for {@link #serviceRegistry} and {@link #now}.
 */
final class Registrar {
  /** Relative margin of an offer below the greatest rate, so that rounding does not refuse it. */
  private static final double OFFER_MARGIN = 1e-6;

  private static final double NANOS_PER_SECOND = 1e9;

  /**
   * Time after which no further moment is solved for: callers wait for 30 s, and no other decision
   * is made meanwhile.
   */
  static final double LONGEST_DECISION_SECONDS = 20;

  private static final List<String> OUT_OF_TIME =
      List.of("there are too many moments at which contracts begin to solve for each in time");

  private final BrokerRepository files;
  private final Planner planner;
  private final AdmissionControl admissionControl;
  private final MaxRateSolver maxRateSolver;
  private final Clock clock;
  private final SolveRateLimiter pace = new SolveRateLimiter();
  private Contracts contracts;
  private volatile ServiceRegistry serviceRegistry;

  /** The moment for which the latest plan was made. */
  private Instant planned = Instant.MIN;

  /** Cause of a plan to be made as soon as the pace allows; empty for none. */
  private String waiting = "";

  Registrar(
      BrokerRepository files,
      Planner planner,
      AdmissionControl admissionControl,
      MaxRateSolver maxRateSolver,
      Clock clock)
      throws IOException {
    this.files = files;
    this.planner = planner;
    this.admissionControl = admissionControl;
    this.maxRateSolver = maxRateSolver;
    this.clock = clock;
    this.contracts = files.contracts();
    this.serviceRegistry = files.registry();
  }

  Contracts contracts() {
    return contracts;
  }

  ServiceRegistry registry() {
    return serviceRegistry;
  }

  Instant now() {
    return Instant.ofEpochMilli(clock.epochMillis());
  }

  /** Makes a new plan. */
  void plan(String cause) {
    waiting = "";
    planned = now();
    planner.plan(contracts, serviceRegistry, cause, planned);
  }

  /** Whether time alone has changed the input of the plan since it was made. */
  boolean isOverdue(Instant moment) {
    return hasBegun(moment) || !validAt(moment).equals(validAt(planned));
  }

  /** Whether a contract has begun since a plan was made. */
  boolean hasBegun(Instant moment) {
    return !moment.isBefore(contracts.nextBeginning(planned));
  }

  /** The services that are valid at a moment. */
  List<RegisteredService> validAt(Instant moment) {
    return serviceRegistry.services().stream().filter(each -> each.isValidAt(moment)).toList();
  }

  /** Plans for waiting changes of services, if the pace allows. */
  void planWaiting() {
    double began = seconds();
    if (waiting.isEmpty() || !pace.isOpen(began)) {
      return;
    }
    plan(waiting);
    if (planner.inForce().state() != PlanState.NONE) {
      pace.solved(began, seconds());
    }
  }

  private double seconds() {
    return clock.nanoTime() / NANOS_PER_SECOND;
  }

  /** The promises and contracts, with the observed paths of requests. */
  ProblemReading contracted() {
    return planner.contracted(contracts, serviceRegistry, now());
  }

  /** Whether the plan in force is so bad by the observations that a new one must not wait. */
  boolean isUrgent() {
    return planner.isUrgent(contracts, serviceRegistry, now());
  }

  /** Looks for a better plan, because of observations. */
  Planner.PlanningOutcome adapt(String cause) {
    return planner.adapt(contracts, serviceRegistry, cause, now());
  }

  /** Adopts the registry as changed by others, and drops ended contracts. */
  void refresh() throws IOException {
    serviceRegistry = files.registry();
    end(contracts.withoutEnded(now()));
  }

  /** Whether a stored contract has ended. */
  boolean hasEnded(Instant moment) {
    return contracts.withoutEnded(moment).version() != contracts.version();
  }

  private void end(Contracts left) throws IOException {
    if (left.version() != contracts.version()) {
      files.save(left);
      contracts = left;
    }
  }

  /** Removes a service: a fact, accepted whatever it means for contracts. */
  void change(BrokerRepository.RegistryChange change, String cause) throws IOException {
    serviceRegistry = files.change(change);
    plan(cause);
  }

  /**
   * Changes a service: a fact from its provider, accepted as well. It is planned for at once, or,
   * when that was just done, soon and together with later ones: a storm of changes must not keep
   * solvers busy.
   */
  void changeDeferred(BrokerRepository.RegistryChange change, String cause) throws IOException {
    serviceRegistry = files.change(change);
    waiting = waiting.isEmpty() || waiting.equals(cause) ? cause : "several services";
    planWaiting();
  }

  /** A change that only reduces promises: it can always be kept. */
  ChangeOutcome reduce(Contracts next, String cause) throws IOException {
    save(next);
    plan(cause);
    return new ChangeOutcome.Done();
  }

  /**
   * Changes the deployed process: a fact, accepted as well.
   *
   * @param behaviour document of the process of the definitions; empty for none
   * @return whether it counts: a registered process has precedence
   */
  boolean onDeployment(String behaviour) throws IOException {
    save(contracts.withBehaviour(behaviour));
    boolean counts = !ProblemBuilder.hasRegisteredProcess(contracts);
    if (counts) {
      plan("definitions");
    }
    return counts;
  }

  /** A change of classes or model: all contracts must be kept then, also those that begin later. */
  ChangeOutcome redefine(Contracts next, String cause) throws IOException {
    Instant now = now();
    double limit = seconds() + LONGEST_DECISION_SECONDS;
    OptimalPlan current = null;
    for (Instant moment : next.beginnings(now, null)) {
      ProblemReading problemReading =
          planner.isWithoutProcess(next, serviceRegistry, moment)
              ? planner.withoutProcess(next)
              : planner.contracted(next, serviceRegistry, moment);
      switch (problemReading) {
        case ProblemReading.InvalidProblem invalidProblem -> {
          return unreadable(invalidProblem, moment, now);
        }
        case ProblemReading.ValidProblem(BrokerProblem problem)
            when problem.classes().isEmpty()
                || planner.isWithoutProcess(next, serviceRegistry, moment) -> {
          // nobody may use any class then, or there is nothing to use it for
        }
        case ProblemReading.ValidProblem _ when seconds() > limit -> {
          return undecided(OUT_OF_TIME);
        }
        case ProblemReading.ValidProblem(BrokerProblem problem) -> {
          switch (admissionControl.before(problem)) {
            case OptimisationResult.Optimal(OptimalPlan optimalPlan) ->
                current = moment.equals(now) ? optimalPlan : current;
            case OptimisationResult.Infeasible _ -> {
              return ChangeOutcome.notAdmitted(
                  "expected a change that keeps all contracts, found one that does not"
                      + when(moment, now),
                  "");
            }
            case OptimisationResult.Unknown unknown -> {
              return undecided(unknown.reasons());
            }
          }
        }
      }
    }
    return adopt(next, current, cause, now);
  }

  /** Unreadable now is the caller's mistake; at a later moment, services are gone. */
  private static ChangeOutcome unreadable(
      ProblemReading.InvalidProblem invalidProblem, Instant moment, Instant now) {
    return moment.equals(now)
        ? ChangeOutcome.invalid(invalidProblem.problems())
        : ChangeOutcome.notAdmitted(
            invalidProblem.problems().getFirst().message() + when(moment, now), "");
  }

  /** Decides about a contract that is new, or has other demands than before. */
  ChangeOutcome admit(Sla wished, String cause) throws IOException {
    Instant now = now();
    Contracts next = contracts.withSla(wished);
    if (next.slas().size() > Contracts.MAX_SLAS) {
      return ChangeOutcome.refused(
          BrokerStatus.FULL, "the limit of " + Contracts.MAX_SLAS + " contracts is reached");
    }
    if (next.beginnings(now, null).size() - 1 > Contracts.MAX_BEGINNINGS) {
      return ChangeOutcome.refused(
          BrokerStatus.FULL,
          "the limit of "
              + Contracts.MAX_BEGINNINGS
              + " moments to come at which contracts begin is reached");
    }
    Sla before = contracts.slas().get(wished.id());
    if (before != null && wished.isCoveredBy(before, now)) {
      return reduce(next, cause);
    }
    List<AdmissionCase> candidacies = new ArrayList<>();
    for (Instant moment : next.beginnings(wished.beginning(now), wished.until())) {
      switch (planner.contracted(next, serviceRegistry, moment)) {
        case ProblemReading.InvalidProblem invalidProblem -> {
          return unreadable(invalidProblem, moment, now);
        }
        case ProblemReading.ValidProblem(BrokerProblem wanted)
            when wanted.serviceClass(wished.serviceClass()).isEmpty() -> {
          return ChangeOutcome.refused(
              BrokerStatus.INVALID,
              "expected a class that there is (PUT /v1/broker/classes/ID), found \""
                  + wished.serviceClass()
                  + "\"");
        }
        case ProblemReading.ValidProblem(BrokerProblem wanted) ->
            candidacies.add(AdmissionCase.of(moment, wanted, wished));
      }
    }
    return decide(candidacies, wished, next, now, cause);
  }

  /**
   * A request for a contract at a moment.
   *
   * @param others the other contracts then
   * @param candidate its class, at its rate
   */
  private record AdmissionCase(Instant moment, BrokerProblem others, ServiceClass candidate) {
    static AdmissionCase of(Instant moment, BrokerProblem wanted, Sla wished) {
      ServiceClass known = wanted.serviceClass(wished.serviceClass()).orElseThrow();
      return new AdmissionCase(moment, without(wanted, wished), known.withRate(wished.rate()));
    }

    AdmissionRequest request() {
      return new AdmissionRequest(candidate, others.serviceClass(candidate.id()).isPresent());
    }
  }

  private ChangeOutcome decide(
      List<AdmissionCase> candidacies, Sla wished, Contracts next, Instant now, String cause)
      throws IOException {
    double limit = seconds() + LONGEST_DECISION_SECONDS;
    OptimalPlan current = null;
    for (AdmissionCase each : candidacies) {
      if (seconds() > limit) {
        return undecided(OUT_OF_TIME);
      }
      String when = when(each.moment(), now);
      switch (admissionControl.decide(each.others(), standing(each, wished), each.request())) {
        case AdmissionDecision.Admitted(OptimalPlan plan, _) ->
            current = each.moment().equals(now) ? plan : current;
        case AdmissionDecision.Unattainable _ -> {
          return ChangeOutcome.notAdmitted(
              "its promises cannot be kept together with those of the others" + when,
              offer(candidacies, limit));
        }
        case AdmissionDecision.Loss loss -> {
          return ChangeOutcome.notAdmitted(
              String.format(
                      Locale.ROOT, "it would cost more than it earns, by %.6g/s", -loss.gain())
                  + when,
              "");
        }
        case AdmissionDecision.Undecided undecided -> {
          return undecided(undecided.reasons());
        }
      }
    }
    return adopt(next, current, cause, now);
  }

  private static String when(Instant moment, Instant now) {
    return moment.equals(now) ? "" : ", from " + moment + " on";
  }

  /**
   * The plan with which a contract is compared: the best of all existing contracts, including the
   * one that it replaces; without that one when not all existing ones can be kept.
   */
  private OptimisationResult standing(AdmissionCase admissionCase, Sla wished) {
    boolean replaces = contracts.slas().containsKey(wished.id());
    return replaces
            && planner.contracted(contracts, serviceRegistry, admissionCase.moment())
                instanceof ProblemReading.ValidProblem(BrokerProblem problem)
            && admissionControl.before(problem) instanceof OptimisationResult.Optimal optimal
        ? optimal
        : admissionControl.before(admissionCase.others());
  }

  /** The same problem without this contract. */
  private static BrokerProblem without(BrokerProblem wanted, Sla wished) {
    List<ServiceClass> others = new ArrayList<>();
    for (ServiceClass each : wanted.classes()) {
      double left = each.rate() - wished.rate();
      if (!each.id().equals(wished.serviceClass())) {
        others.add(each);
      } else if (left > Math.ulp(each.rate())) {
        others.add(each.withRate(left));
      }
    }
    return wanted.withClasses(others);
  }

  /** The greatest rate that fits at each of these moments; none when not found in time. */
  private String offer(List<AdmissionCase> candidacies, double limit) {
    double most = Double.POSITIVE_INFINITY;
    for (AdmissionCase each : candidacies) {
      if (seconds() > limit) {
        return "";
      }
      switch (maxRateSolver.of(each.others(), each.candidate())) {
        case MaxRateSolver.MaxRateResult.MaximumRate(double rate) -> most = Math.min(most, rate);
        case MaxRateSolver.MaxRateResult.UnknownRate _ -> {
          return "";
        }
      }
    }
    return most > 0 ? BrokerJson.offer(most * (1 - OFFER_MARGIN)) : "";
  }

  private static ChangeOutcome undecided(List<String> reasons) {
    return ChangeOutcome.refused(
        BrokerStatus.UNAVAILABLE,
        "no solver gave an answer that can be proved: " + String.join("; ", reasons));
  }

  /**
   * Admits promises that can be kept.
   *
   * @param optimalPlan the best plan by promises for now; null when there is none to be made
   */
  private ChangeOutcome adopt(
      Contracts next, @Nullable OptimalPlan optimalPlan, String cause, Instant now)
      throws IOException {
    save(next);
    if (optimalPlan != null && planner.plansByPromises()) {
      waiting = "";
      planned = now;
      planner.adopt(optimalPlan, contracts, serviceRegistry, cause, now);
    } else {
      plan(cause);
    }
    return new ChangeOutcome.Done();
  }

  private void save(Contracts next) throws IOException {
    files.save(next);
    contracts = next;
  }
}
