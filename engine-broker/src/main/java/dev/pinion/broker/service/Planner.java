package dev.pinion.broker.service;

import dev.pinion.broker.analyse.AdaptationDecision;
import dev.pinion.broker.analyse.Calibration;
import dev.pinion.broker.analyse.Cause;
import dev.pinion.broker.document.ProblemBuilder;
import dev.pinion.broker.document.ProblemReading;
import dev.pinion.broker.model.BrokerProblem;
import dev.pinion.broker.model.PromiseMode;
import dev.pinion.broker.model.ServiceClass;
import dev.pinion.broker.optimise.ClassLevel;
import dev.pinion.broker.optimise.OptimalPlan;
import dev.pinion.broker.optimise.OptimisationResult;
import dev.pinion.broker.optimise.Optimizer;
import dev.pinion.broker.optimise.PlanReview;
import dev.pinion.broker.registry.Contracts;
import dev.pinion.broker.registry.PlanInForce;
import dev.pinion.broker.registry.PlanState;
import dev.pinion.broker.registry.PublishedTable;
import dev.pinion.broker.registry.ServiceRegistry;
import dev.pinion.core.binding.BindingTable;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Makes plans and publishes their tables: the optimal one, else the relaxed one, else the existing
 * one stays. One thread at a time, except for {@link #repair}.
 */
final class Planner {
  /** Relative gain below which a plan that keeps all bounds stays. */
  static final double LEAST_GAIN = 0.005;

  /**
   * Greatest relative violation of a bound, by the observations, with which a plan stays: estimates
   * are no better than that, and bounds that a plan reaches exactly are violated by their least
   * change.
   */
  static final double LEAST_BREACH = 0.005;

  /**
   * Relative violation of a bound beyond which a new plan does not wait for the time between
   * tables.
   */
  static final double URGENT_BREACH = 0.03;

  /**
   * Part of each bound of a mean time that plans from observations leave free if possible: among
   * similar services the ones with too good estimates are chosen.
   */
  static final double RESERVE = 0.02;

  /** Part of a class's rate below which it is a rounding error. */
  private static final double LEAST_RATE = 1e-9;

  /** Part of a class's requests that solvers may miss although all are served. */
  private static final double WHOLE = 1e-6;

  private final ProblemBuilder maker;
  private final Optimizer optimizer;
  private final PlanPublisher publisher;

  /** The observations that replace promises in plans. */
  private volatile Calibration calibration = Calibration.NONE;

  /** Promises and contracts at the last plan; null before the first. */
  private volatile @Nullable BrokerProblem promised;

  Planner(ProblemBuilder maker, Optimizer optimizer, PlanPublisher publisher) {
    this.maker = maker;
    this.optimizer = optimizer;
    this.publisher = publisher;
  }

  PlanInForce inForce() {
    return publisher.inForce();
  }

  /** Sets the observations in force from now on. */
  void calibrate(Calibration observed) {
    calibration = observed;
  }

  /** The observations that replace promises in plans. */
  Calibration calibration() {
    return calibration;
  }

  /** The promises and contracts, with the observed paths of requests. */
  ProblemReading contracted(Contracts contracts, ServiceRegistry serviceRegistry, Instant now) {
    return switch (maker.make(contracts, serviceRegistry, now)) {
      case ProblemReading.ValidProblem(BrokerProblem problem) ->
          new ProblemReading.ValidProblem(calibration.paths(problem));
      case ProblemReading.InvalidProblem invalidProblem -> invalidProblem;
    };
  }

  /** Whether there is no task that requests could invoke. */
  boolean isWithoutProcess(Contracts contracts, ServiceRegistry serviceRegistry, Instant now) {
    return maker.isWithoutProcess(contracts, serviceRegistry, now);
  }

  /** Checks all parts that do not depend on a process. */
  ProblemReading withoutProcess(Contracts contracts) {
    return maker.withoutProcess(contracts);
  }

  /** Whether plans are made from promises alone. */
  boolean plansByPromises() {
    return calibration.isNone();
  }

  /** Promises and contracts at the last plan. */
  Optional<BrokerProblem> promised() {
    return Optional.ofNullable(promised);
  }

  /**
   * Outcome of looking for a better plan.
   *
   * @param detail the reason
   */
  record PlanningOutcome(AdaptationDecision.AdaptationOutcome outcome, String detail) {}

  /**
   * Looks for a better plan, because of observations. It is adopted only when the plan in force
   * violates a bound by more than {@link #LEAST_BREACH} under them, or gains less by {@link
   * #LEAST_GAIN}.
   */
  PlanningOutcome adapt(
      Contracts contracts, ServiceRegistry serviceRegistry, String cause, Instant now) {
    if (inForce().state() != PlanState.OPTIMAL
        || !(maker.make(contracts, serviceRegistry, now)
            instanceof ProblemReading.ValidProblem(BrokerProblem made))
        || made.classes().isEmpty()) {
      return replaced(contracts, serviceRegistry, cause, now);
    }
    promised = made;
    Solved solved = solved(made);
    Optional<PlanReview> old = PlanReview.of(solved.problem(), inForce().classes());
    boolean keeps = old.isPresent() && old.get().breach() <= LEAST_BREACH;
    return switch (solved.result()) {
      case OptimisationResult.Optimal(OptimalPlan optimalPlan) -> {
        if (keeps && !gains(old.get(), optimalPlan)) {
          yield new PlanningOutcome(
              AdaptationDecision.AdaptationOutcome.KEPT,
              String.format(
                  Locale.ROOT,
                  "%s, and the best plan reaches %.6g where it reaches %.6g",
                  retained(old.get()),
                  optimalPlan.objective(),
                  old.get().objective()));
        }
        publish(
            new PlanCandidate(PlanState.OPTIMAL, cause, "", now, optimalPlan),
            contracts,
            serviceRegistry);
        yield outcome(
            !keeps
                ? "the plan before does not keep all bounds any more"
                : String.format(
                    Locale.ROOT,
                    "%.6g instead of %.6g",
                    optimalPlan.objective(),
                    old.get().objective()));
      }
      case OptimisationResult.Infeasible _ when keeps ->
          new PlanningOutcome(
              AdaptationDecision.AdaptationOutcome.KEPT,
              retained(old.get()) + ", and no plan keeps all");
      case OptimisationResult.Infeasible _, OptimisationResult.Unknown _ ->
          replaced(contracts, serviceRegistry, cause, now);
    };
  }

  /**
   * The result for a problem.
   *
   * @param problem in strict mode, with the bounds that the plan must keep
   */
  private record Solved(BrokerProblem problem, OptimisationResult result) {}

  /** The best plan by observations, with {@link #RESERVE} if there is one. */
  private Solved solved(BrokerProblem made) {
    BrokerProblem strict = strict(calibration.applied(made));
    if (!plansByPromises()) {
      BrokerProblem reserving = reserving(strict);
      OptimisationResult optimisationResult = optimizer.optimise(reserving);
      if (optimisationResult instanceof OptimisationResult.Optimal) {
        return new Solved(reserving, optimisationResult);
      }
    }
    return new Solved(strict, optimizer.optimise(strict));
  }

  private static BrokerProblem reserving(BrokerProblem problem) {
    return problem.withClasses(
        problem.classes().stream()
            .map(each -> each.withMaxResponse(each.maxResponse() * (1 - RESERVE)))
            .toList());
  }

  private static String retained(PlanReview review) {
    return review.feasible()
        ? "it keeps all bounds"
        : String.format(
            Locale.ROOT, "it breaks no bound by more than %.2g %%", 100 * review.breach());
  }

  /** Whether a plan because of observations must not wait for the time between tables. */
  boolean isUrgent(Contracts contracts, ServiceRegistry serviceRegistry, Instant now) {
    return switch (inForce().state()) {
      case RELAXED, NONE -> false; // it violates bounds because it must
      case REPAIRED, LAST_GOOD -> true;
      case OPTIMAL ->
          maker.make(contracts, serviceRegistry, now)
                  instanceof ProblemReading.ValidProblem(BrokerProblem made)
              && PlanReview.of(strict(calibration.applied(made)), inForce().classes())
                  .map(each -> each.breach() > URGENT_BREACH)
                  .orElse(true);
    };
  }

  private static boolean gains(PlanReview old, OptimalPlan optimalPlan) {
    return optimalPlan.objective() - old.objective() > LEAST_GAIN * Math.abs(old.objective());
  }

  private PlanningOutcome replaced(
      Contracts contracts, ServiceRegistry serviceRegistry, String cause, Instant now) {
    plan(contracts, serviceRegistry, cause, now);
    return outcome(inForce().reason());
  }

  private PlanningOutcome outcome(String detail) {
    boolean stays = inForce().state() == PlanState.LAST_GOOD || inForce().state() == PlanState.NONE;
    return stays
        ? new PlanningOutcome(AdaptationDecision.AdaptationOutcome.KEPT, inForce().reason())
        : new PlanningOutcome(AdaptationDecision.AdaptationOutcome.ADOPTED, detail);
  }

  private static BrokerProblem strict(BrokerProblem problem) {
    return problem.withOptions(problem.options().withMode(PromiseMode.STRICT));
  }

  /**
   * Publishes the stored table without services that are down, without any solution. Any thread,
   * also while a solution is under way.
   */
  AdaptationDecision repair(
      List<Cause> gone, String cause, ServiceRegistry serviceRegistry, Instant now) {
    return publisher.repair(
        gone,
        cause,
        serviceRegistry,
        now,
        promised().map(each -> strict(calibration.applied(each))));
  }

  /** Makes a plan for the contracts, and publishes it. */
  void plan(Contracts contracts, ServiceRegistry serviceRegistry, String cause, Instant now) {
    switch (maker.make(contracts, serviceRegistry, now)) {
      case ProblemReading.InvalidProblem _
          when inForce().classes().isEmpty()
              && maker.isWithoutProcess(contracts, serviceRegistry, now) ->
          publisher.stay(PlanState.NONE, cause, "there is no process with a service", now);
      case ProblemReading.InvalidProblem invalidProblem ->
          publisher.keepLastGood(
              serviceRegistry, cause, invalidProblem.problems().getFirst().message(), now);
      case ProblemReading.ValidProblem(BrokerProblem problem) when problem.classes().isEmpty() ->
          publisher.stay(PlanState.NONE, cause, "no class has contracts or a rate", now);
      case ProblemReading.ValidProblem(BrokerProblem problem) ->
          solve(problem, contracts, serviceRegistry, cause, now);
    }
  }

  private void solve(
      BrokerProblem made,
      Contracts contracts,
      ServiceRegistry serviceRegistry,
      String cause,
      Instant now) {
    promised = made;
    switch (solved(made).result()) {
      case OptimisationResult.Optimal(OptimalPlan optimalPlan) ->
          adopt(optimalPlan, contracts, serviceRegistry, cause, now);
      case OptimisationResult.Infeasible _ -> {
        if (optimizer.relaxed(calibration.applied(made))
            instanceof OptimisationResult.Optimal(OptimalPlan relaxed)) {
          String why = "not everything can be kept; broken: " + relaxed.slacks().keySet();
          PlanCandidate planCandidate =
              new PlanCandidate(PlanState.RELAXED, cause, why, now, relaxed);
          publish(planCandidate, contracts, serviceRegistry);
        } else {
          publisher.keepLastGood(
              serviceRegistry, cause, "not everything can be kept, and no less either", now);
        }
      }
      case OptimisationResult.Unknown unknown ->
          publisher.keepLastGood(serviceRegistry, cause, String.join("; ", unknown.reasons()), now);
    }
  }

  /** Publishes a plan that is known to be the best. */
  void adopt(
      OptimalPlan optimalPlan,
      Contracts contracts,
      ServiceRegistry serviceRegistry,
      String cause,
      Instant now) {
    if (maker.make(contracts, serviceRegistry, now)
        instanceof ProblemReading.ValidProblem(BrokerProblem made)) {
      promised = made;
    }
    publish(
        new PlanCandidate(PlanState.OPTIMAL, cause, "", now, optimalPlan),
        contracts,
        serviceRegistry);
  }

  /** A plan that is not published yet. */
  private record PlanCandidate(
      PlanState state, String cause, String reason, Instant at, OptimalPlan optimum) {}

  private void publish(
      PlanCandidate planCandidate, Contracts contracts, ServiceRegistry serviceRegistry) {
    if (planCandidate.optimum().classes().stream().allMatch(each -> each.shares().isEmpty())) {
      publisher.stay(
          PlanState.LAST_GOOD,
          planCandidate.cause(),
          "nothing could be served",
          planCandidate.at());
      return;
    }
    PlanInForce made =
        new PlanInForce(
            inForce().version(),
            planCandidate.state(),
            planCandidate.cause(),
            planCandidate.reason(),
            planCandidate.at(),
            planCandidate.optimum().objective(),
            planCandidate.optimum().classes());
    publisher.publish(
        made,
        table(planCandidate, contracts, serviceRegistry),
        serviceRegistry,
        promised().map(each -> strict(calibration.applied(each))));
  }

  private PublishedTable table(
      PlanCandidate planCandidate, Contracts contracts, ServiceRegistry serviceRegistry) {
    OptimalPlan optimalPlan = planCandidate.optimum();
    List<ClassLevel> bound =
        optimalPlan.classes().stream().filter(each -> !each.shares().isEmpty()).toList();
    String wished = maker.defaultClass(contracts);
    boolean there = optimalPlan.classes().stream().anyMatch(each -> each.id().equals(wished));
    String others = there ? wished : bound.getFirst().id();
    return PublishedTable.of(0, others, serviceRegistry, bound)
        .withCallers(contracts.callers(planCandidate.at()))
        .withRates(rates(contracts, planCandidate.at()))
        .withServed(served(optimalPlan));
  }

  private static Map<String, Double> served(OptimalPlan optimalPlan) {
    Map<String, Double> served = new LinkedHashMap<>();
    for (ClassLevel each : optimalPlan.classes()) {
      double part = each.shares().isEmpty() ? 0 : each.served();
      if (part < 1 - WHOLE) {
        served.put(each.id(), Math.max(0, part));
      }
    }
    return served;
  }

  /** The planned rates of each class by user, and the rest for all others. */
  private Map<String, Map<String, Double>> rates(Contracts contracts, Instant now) {
    Map<String, Map<String, Double>> rates = new LinkedHashMap<>();
    BrokerProblem planned = promised;
    if (planned != null) {
      planned.classes().forEach(each -> rates.put(each.id(), rates(each, contracts, now)));
    }
    return rates;
  }

  private static Map<String, Double> rates(ServiceClass planned, Contracts contracts, Instant now) {
    Map<String, Double> byUser = new LinkedHashMap<>(contracts.rates(planned.id(), now));
    double named = byUser.values().stream().mapToDouble(Double::doubleValue).sum();
    double others = planned.rate() - named;
    if (others > LEAST_RATE * planned.rate()) { // otherwise it is a rounding error
      byUser.put(BindingTable.OTHERS, others);
    }
    return byUser;
  }
}
