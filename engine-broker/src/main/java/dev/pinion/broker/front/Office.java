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
import dev.pinion.broker.registry.RegisteredService;
import dev.pinion.broker.registry.Registry;
import dev.pinion.core.model.Clock;
import dev.pinion.core.spi.BrokerFront.Outcome;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Services and contracts, and their changes: checked, decided, forced to disk, planned, in this
 * order. One thread at a time, except for {@link #registry} and {@link #now}.
 */
final class Office {
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

  private final KnowledgeFiles files;
  private final Planner planner;
  private final Admission admission;
  private final MaxRate maxRate;
  private final Clock clock;
  private final SolvePace pace = new SolvePace();
  private Contracts contracts;
  private volatile Registry registry;

  /** The moment for which the latest plan was made. */
  private Instant planned = Instant.MIN;

  /** Cause of a plan to be made as soon as the pace allows; empty for none. */
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

  /** Makes a new plan. */
  void plan(String cause) {
    waiting = "";
    planned = now();
    planner.plan(contracts, registry, cause, planned);
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
    return registry.services().stream().filter(each -> each.isValidAt(moment)).toList();
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
  Reading contracted() {
    return planner.contracted(contracts, registry, now());
  }

  /** Whether the plan in force is so bad by the observations that a new one must not wait. */
  boolean isUrgent() {
    return planner.isUrgent(contracts, registry, now());
  }

  /** Looks for a better plan, because of observations. */
  Planner.Outcome adapt(String cause) {
    return planner.adapt(contracts, registry, cause, now());
  }

  /** Adopts the registry as changed by others, and drops ended contracts. */
  void refresh() throws IOException {
    registry = files.registry();
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
  void change(KnowledgeFiles.RegistryChange change, String cause) throws IOException {
    registry = files.change(change);
    plan(cause);
  }

  /**
   * Changes a service: a fact from its provider, accepted as well. It is planned for at once, or,
   * when that was just done, soon and together with later ones: a storm of changes must not keep
   * solvers busy.
   */
  void changeSoon(KnowledgeFiles.RegistryChange change, String cause) throws IOException {
    registry = files.change(change);
    waiting = waiting.isEmpty() || waiting.equals(cause) ? cause : "several services";
    planWaiting();
  }

  /** A change that only reduces promises: it can always be kept. */
  Verdict less(Contracts next, String cause) throws IOException {
    save(next);
    plan(cause);
    return new Verdict.Done();
  }

  /**
   * Changes the deployed process: a fact, accepted as well.
   *
   * @param behaviour document of the process of the definitions; empty for none
   * @return whether it counts: a registered process has precedence
   */
  boolean deployed(String behaviour) throws IOException {
    save(contracts.withBehaviour(behaviour));
    boolean counts = !ProblemMaker.hasRegisteredProcess(contracts);
    if (counts) {
      plan("definitions");
    }
    return counts;
  }

  /** A change of classes or model: all contracts must be kept then, also those that begin later. */
  Verdict redefine(Contracts next, String cause) throws IOException {
    Instant now = now();
    double limit = seconds() + LONGEST_DECISION_SECONDS;
    Optimum current = null;
    for (Instant moment : next.beginnings(now, null)) {
      Reading reading =
          planner.isWithoutProcess(next, registry, moment)
              ? planner.withoutProcess(next)
              : planner.contracted(next, registry, moment);
      switch (reading) {
        case Reading.Invalid invalid -> {
          return unreadable(invalid, moment, now);
        }
        case Reading.Valid(BrokerProblem problem)
            when problem.classes().isEmpty()
                || planner.isWithoutProcess(next, registry, moment) -> {
          // nobody may use any class then, or there is nothing to use it for
        }
        case Reading.Valid _ when seconds() > limit -> {
          return undecided(OUT_OF_TIME);
        }
        case Reading.Valid(BrokerProblem problem) -> {
          switch (admission.before(problem)) {
            case Result.Optimal(Optimum optimum) ->
                current = moment.equals(now) ? optimum : current;
            case Result.Infeasible _ -> {
              return Verdict.notAdmitted(
                  "expected a change that keeps all contracts, found one that does not"
                      + when(moment, now),
                  "");
            }
            case Result.Unknown unknown -> {
              return undecided(unknown.reasons());
            }
          }
        }
      }
    }
    return adopt(next, current, cause, now);
  }

  /** Unreadable now is the caller's mistake; at a later moment, services are gone. */
  private static Verdict unreadable(Reading.Invalid invalid, Instant moment, Instant now) {
    return moment.equals(now)
        ? Verdict.invalid(invalid.problems())
        : Verdict.notAdmitted(invalid.problems().getFirst().message() + when(moment, now), "");
  }

  /** Decides about a contract that is new, or has other demands than before. */
  Verdict admit(Sla wished, String cause) throws IOException {
    Instant now = now();
    Contracts next = contracts.withSla(wished);
    if (next.slas().size() > Contracts.MAX_SLAS) {
      return Verdict.refused(
          Outcome.FULL, "the limit of " + Contracts.MAX_SLAS + " contracts is reached");
    }
    if (next.beginnings(now, null).size() - 1 > Contracts.MAX_BEGINNINGS) {
      return Verdict.refused(
          Outcome.FULL,
          "the limit of "
              + Contracts.MAX_BEGINNINGS
              + " moments to come at which contracts begin is reached");
    }
    Sla before = contracts.slas().get(wished.id());
    if (before != null && wished.asksNoMoreThan(before, now)) {
      return less(next, cause);
    }
    List<Candidacy> candidacies = new ArrayList<>();
    for (Instant moment : next.beginnings(wished.beginning(now), wished.until())) {
      switch (planner.contracted(next, registry, moment)) {
        case Reading.Invalid invalid -> {
          return unreadable(invalid, moment, now);
        }
        case Reading.Valid(BrokerProblem wanted)
            when wanted.serviceClass(wished.serviceClass()).isEmpty() -> {
          return Verdict.refused(
              Outcome.INVALID,
              "expected a class that there is (PUT /v1/broker/classes/ID), found \""
                  + wished.serviceClass()
                  + "\"");
        }
        case Reading.Valid(BrokerProblem wanted) ->
            candidacies.add(Candidacy.of(moment, wanted, wished));
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
  private record Candidacy(Instant moment, BrokerProblem others, ServiceClass candidate) {
    static Candidacy of(Instant moment, BrokerProblem wanted, Sla wished) {
      ServiceClass known = wanted.serviceClass(wished.serviceClass()).orElseThrow();
      return new Candidacy(moment, without(wanted, wished), known.withRate(wished.rate()));
    }

    AdmissionRequest request() {
      return new AdmissionRequest(candidate, others.serviceClass(candidate.id()).isPresent());
    }
  }

  private Verdict decide(
      List<Candidacy> candidacies, Sla wished, Contracts next, Instant now, String cause)
      throws IOException {
    double limit = seconds() + LONGEST_DECISION_SECONDS;
    Optimum current = null;
    for (Candidacy each : candidacies) {
      if (seconds() > limit) {
        return undecided(OUT_OF_TIME);
      }
      String when = when(each.moment(), now);
      switch (admission.decide(each.others(), standing(each, wished), each.request())) {
        case Decision.Admitted(Optimum plan, _) ->
            current = each.moment().equals(now) ? plan : current;
        case Decision.Infeasible _ -> {
          return Verdict.notAdmitted(
              "its promises cannot be kept together with those of the others" + when,
              offer(candidacies, limit));
        }
        case Decision.Loss loss -> {
          return Verdict.notAdmitted(
              String.format(
                      Locale.ROOT, "it would cost more than it earns, by %.6g/s", -loss.gain())
                  + when,
              "");
        }
        case Decision.Undecided undecided -> {
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
  private Result standing(Candidacy candidacy, Sla wished) {
    boolean replaces = contracts.slas().containsKey(wished.id());
    return replaces
            && planner.contracted(contracts, registry, candidacy.moment())
                instanceof Reading.Valid(BrokerProblem problem)
            && admission.before(problem) instanceof Result.Optimal optimal
        ? optimal
        : admission.before(candidacy.others());
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
  private String offer(List<Candidacy> candidacies, double limit) {
    double most = Double.POSITIVE_INFINITY;
    for (Candidacy each : candidacies) {
      if (seconds() > limit) {
        return "";
      }
      switch (maxRate.of(each.others(), each.candidate())) {
        case MaxRate.Finding.Most(double rate) -> most = Math.min(most, rate);
        case MaxRate.Finding.Unknown _ -> {
          return "";
        }
      }
    }
    return most > 0 ? FrontJson.offer(most * (1 - OFFER_MARGIN)) : "";
  }

  private static Verdict undecided(List<String> reasons) {
    return Verdict.refused(
        Outcome.UNAVAILABLE,
        "no solver gave an answer that can be proved: " + String.join("; ", reasons));
  }

  /**
   * Admits promises that can be kept.
   *
   * @param optimum the best plan by promises for now; null when there is none to be made
   */
  private Verdict adopt(Contracts next, @Nullable Optimum optimum, String cause, Instant now)
      throws IOException {
    save(next);
    if (optimum != null && planner.plansByPromises()) {
      waiting = "";
      planned = now;
      planner.adopt(optimum, contracts, registry, cause, now);
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
