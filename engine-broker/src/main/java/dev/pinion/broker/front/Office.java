package dev.pinion.broker.front;

import dev.pinion.broker.adapt.SolvePace;
import dev.pinion.broker.admission.Admission;
import dev.pinion.broker.admission.Decision;
import dev.pinion.broker.contract.Contracts;
import dev.pinion.broker.contract.PlanState;
import dev.pinion.broker.contract.Sla;
import dev.pinion.broker.document.FrontJson;
import dev.pinion.broker.document.ProblemMaker;
import dev.pinion.broker.document.Reading;
import dev.pinion.broker.model.AdmissionRequest;
import dev.pinion.broker.model.BrokerProblem;
import dev.pinion.broker.model.ServiceClass;
import dev.pinion.broker.optimise.MaxRate;
import dev.pinion.broker.optimise.Optimum;
import dev.pinion.broker.optimise.Result;
import dev.pinion.broker.registry.Registry;
import dev.pinion.core.model.Clock;
import dev.pinion.core.spi.BrokerFront.Outcome;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What stands of services and contracts, and how it changes: checked, decided, forced to disk,
 * planned, in this order. One thread at a time, but for {@link #registry} and {@link #now}.
 */
final class Office {
  /** By how much an offer stays below the greatest rate, so that it is not refused by rounding. */
  private static final double OFFER_MARGIN = 1e-6;

  private static final double NANOS_PER_SECOND = 1e9;

  private final KnowledgeFiles files;
  private final Planner planner;
  private final Admission admission;
  private final MaxRate maxRate;
  private final Clock clock;
  private final SolvePace pace = new SolvePace();
  private Contracts contracts;
  private volatile Registry registry;

  /** What a plan is to be made for as soon as the pace allows; empty for nothing. */
  private String waiting = "";

  Office(KnowledgeFiles files, Planner planner, Admission admission, MaxRate maxRate, Clock clock)
      throws IOException {
    this.files = files;
    this.planner = planner;
    this.admission = admission;
    this.maxRate = maxRate;
    this.clock = clock;
    this.contracts = files.contracts();
    this.registry = files.registry();
  }

  Contracts contracts() {
    return contracts;
  }

  Registry registry() {
    return registry;
  }

  Instant now() {
    return Instant.ofEpochMilli(clock.epochMillis());
  }

  /** Makes the plan anew. */
  void plan(String cause) {
    waiting = "";
    planner.plan(contracts, registry, cause, now());
  }

  /** Plans for changes of services that wait for it, if the time has come. */
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

  /** What is promised and contracted, and the ways that requests go. */
  Reading contracted() {
    return planner.contracted(contracts, registry, now());
  }

  /** Whether the plan in force is so bad under what is known now that a new one must not wait. */
  boolean isUrgent() {
    return planner.isUrgent(contracts, registry, now());
  }

  /** Looks for a better plan, because of what was observed. */
  Planner.Outcome adapt(String cause) {
    return planner.adapt(contracts, registry, cause, now());
  }

  /** Takes what others have changed of the registry, and what has ended, into account. */
  void refresh() throws IOException {
    registry = files.registry();
    end(contracts.at(now()));
  }

  private void end(Contracts left) throws IOException {
    if (left.version() != contracts.version()) {
      files.save(left);
      contracts = left;
    }
  }

  /** A fact that takes a service away: it is taken whatever it means for contracts. */
  void change(KnowledgeFiles.RegistryChange change, String cause) throws IOException {
    registry = files.change(change);
    plan(cause);
  }

  /**
   * A fact that providers tell, taken likewise. It is planned for at once, or, when that was just
   * done, soon and together with what follows: a storm of changes must not keep solvers busy.
   */
  void changeSoon(KnowledgeFiles.RegistryChange change, String cause) throws IOException {
    registry = files.change(change);
    waiting = waiting.isEmpty() || waiting.equals(cause) ? cause : "several services";
    planWaiting();
  }

  /** A change that only takes away: it can always be kept. */
  Verdict less(Contracts next, String cause) throws IOException {
    save(next);
    plan(cause);
    return new Verdict.Done();
  }

  /**
   * A fact that deployments tell, taken likewise.
   *
   * @param behaviour document of the process that definitions make; empty for none
   * @return whether it counts: a registered process goes before it
   */
  boolean deployed(String behaviour) throws IOException {
    save(contracts.withBehaviour(behaviour));
    boolean counts = !ProblemMaker.hasRegisteredProcess(contracts);
    if (counts) {
      plan("definitions");
    }
    return counts;
  }

  /** A change of classes or model: all contracts must hold then. */
  Verdict redefine(Contracts next, String cause) throws IOException {
    if (planner.isWithoutProcess(next, registry, now())) {
      return switch (planner.withoutProcess(next)) {
        case Reading.Invalid invalid -> Verdict.invalid(invalid.problems());
        case Reading.Valid _ -> less(next, cause);
      };
    }
    return switch (planner.contracted(next, registry, now())) {
      case Reading.Invalid invalid -> Verdict.invalid(invalid.problems());
      case Reading.Valid(BrokerProblem problem) when problem.classes().isEmpty() ->
          less(next, cause);
      case Reading.Valid(BrokerProblem problem) ->
          switch (admission.before(problem)) {
            case Result.Optimal(Optimum optimum) -> adopt(next, optimum, cause);
            case Result.Infeasible _ ->
                Verdict.notAdmitted("expected what keeps all contracts, found what does not", "");
            case Result.Unknown unknown -> undecided(unknown.reasons());
          };
    };
  }

  /** A contract that is new, or wants other than it had. */
  Verdict admit(Sla wished, String cause) throws IOException {
    Contracts next = contracts.withSla(wished);
    if (next.slas().size() > Contracts.MAX_SLAS) {
      return Verdict.refused(
          Outcome.FULL, "the limit of " + Contracts.MAX_SLAS + " contracts is reached");
    }
    Sla before = contracts.slas().get(wished.id());
    if (before != null && wished.asksNoMoreThan(before)) {
      return less(next, cause);
    }
    return switch (planner.contracted(next, registry, now())) {
      case Reading.Invalid invalid -> Verdict.invalid(invalid.problems());
      case Reading.Valid(BrokerProblem problem) -> decide(problem, wished, next, cause);
    };
  }

  private Verdict decide(BrokerProblem wanted, Sla wished, Contracts next, String cause)
      throws IOException {
    Optional<ServiceClass> known = wanted.serviceClass(wished.serviceClass());
    if (known.isEmpty()) {
      return Verdict.refused(
          Outcome.INVALID,
          "expected a class that there is (PUT /v1/broker/classes/ID), found \""
              + wished.serviceClass()
              + "\"");
    }
    BrokerProblem others = without(wanted, wished);
    boolean joins = others.serviceClass(wished.serviceClass()).isPresent();
    ServiceClass candidate = known.get().withRate(wished.rate());
    Decision decision =
        admission.decide(others, standing(others, wished), new AdmissionRequest(candidate, joins));
    return switch (decision) {
      case Decision.Admitted admitted -> adopt(next, admitted.plan(), cause);
      case Decision.Infeasible _ ->
          Verdict.notAdmitted(
              "its promises cannot be kept beside those of the others", offer(others, candidate));
      case Decision.Loss loss ->
          Verdict.notAdmitted(
              String.format(
                  Locale.ROOT, "it would cost more than it earns, by %.6g/s", -loss.gain()),
              "");
      case Decision.Undecided undecided -> undecided(undecided.reasons());
    };
  }

  /**
   * What a contract must not lose against: the best plan of all that stands, also of the contract
   * that it replaces; without that one where not everything that stands can be kept.
   */
  private Result standing(BrokerProblem others, Sla wished) {
    boolean replaces = contracts.slas().containsKey(wished.id());
    return replaces
            && contracted() instanceof Reading.Valid(BrokerProblem problem)
            && admission.before(problem) instanceof Result.Optimal optimal
        ? optimal
        : admission.before(others);
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

  private String offer(BrokerProblem others, ServiceClass candidate) {
    return switch (maxRate.of(others, candidate)) {
      case MaxRate.Finding.Most most when most.rate() > 0 ->
          FrontJson.offer(most.rate() * (1 - OFFER_MARGIN));
      case MaxRate.Finding.Most _, MaxRate.Finding.Unknown _ -> "";
    };
  }

  private static Verdict undecided(List<String> reasons) {
    return Verdict.refused(
        Outcome.UNAVAILABLE,
        "no solver gave an answer that can be proved: " + String.join("; ", reasons));
  }

  private Verdict adopt(Contracts next, Optimum optimum, String cause) throws IOException {
    save(next);
    if (planner.plansByPromises()) {
      waiting = "";
      planner.adopt(optimum, contracts, registry, cause, now());
    } else {
      plan(cause);
    }
    return new Verdict.Done();
  }

  private void save(Contracts next) throws IOException {
    files.save(next);
    contracts = next;
  }
}
