package dev.pinion.broker.front;

import dev.pinion.broker.adapt.Adaptation;
import dev.pinion.broker.adapt.Calibration;
import dev.pinion.broker.contract.Contracts;
import dev.pinion.broker.contract.PlanInForce;
import dev.pinion.broker.contract.PlanState;
import dev.pinion.broker.document.ProblemMaker;
import dev.pinion.broker.document.Reading;
import dev.pinion.broker.model.BrokerProblem;
import dev.pinion.broker.model.Mode;
import dev.pinion.broker.model.ServiceClass;
import dev.pinion.broker.optimise.ClassLevel;
import dev.pinion.broker.optimise.Optimizer;
import dev.pinion.broker.optimise.Optimum;
import dev.pinion.broker.optimise.PlanReview;
import dev.pinion.broker.optimise.Result;
import dev.pinion.broker.registry.PublishedTable;
import dev.pinion.broker.registry.Registry;
import dev.pinion.core.model.BindingTable;
import java.io.IOException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Makes plans and publishes their tables: the optimal one, else the relaxed one, else what stands
 * stays. One thread at a time.
 */
final class Planner {
  /** Gain below which a plan that keeps all bounds stays, relatively. */
  static final double LEAST_GAIN = 0.005;

  /**
   * Part of a bound by which a plan may break it, under what is known now, and stays: estimates are
   * no better than that, and bounds at which a plan stands are broken by the least change of them.
   */
  static final double LEAST_BREACH = 0.005;

  /** Part of a bound beyond which a new plan does not wait for the time between tables. */
  static final double URGENT_BREACH = 0.03;

  /** Of a class's rate, what is more than an error of adding up. */
  private static final double LEAST_RATE = 1e-9;

  /** Part of a class's requests by which solvers may miss that all are served. */
  private static final double WHOLE = 1e-6;

  private final ProblemMaker maker;
  private final Optimizer optimizer;
  private final KnowledgeFiles files;
  private final Chronicle chronicle;
  private PlanInForce inForce;

  /** What plans are made with instead of promises. */
  private Calibration calibration = Calibration.NONE;

  /** What was promised and contracted when the last plan was made; null before the first. */
  private @Nullable BrokerProblem promised;

  /** Whether the table that stands cannot be read. */
  private boolean damaged;

  Planner(ProblemMaker maker, Optimizer optimizer, KnowledgeFiles files, Chronicle chronicle) {
    this.maker = maker;
    this.optimizer = optimizer;
    this.files = files;
    this.chronicle = chronicle;
    PublishedTable stands = standing();
    inForce =
        new PlanInForce(
            stands == null ? 0 : stands.version(),
            PlanState.NONE,
            "start",
            "",
            Instant.EPOCH,
            Double.NaN,
            List.of());
  }

  PlanInForce inForce() {
    return inForce;
  }

  /** Takes what is observed into account from now on. */
  void calibrate(Calibration observed) {
    calibration = observed;
  }

  /** What was promised and contracted, and the ways that requests go as they were observed. */
  Reading contracted(Contracts contracts, Registry registry, Instant now) {
    return switch (maker.make(contracts, registry, now)) {
      case Reading.Valid(BrokerProblem problem) -> new Reading.Valid(calibration.paths(problem));
      case Reading.Invalid invalid -> invalid;
    };
  }

  /** Whether there is nothing that requests could invoke. */
  boolean isWithoutProcess(Contracts contracts, Registry registry, Instant now) {
    return maker.isWithoutProcess(contracts, registry, now);
  }

  /** Whether what does not depend on a process is sound. */
  Reading withoutProcess(Contracts contracts) {
    return maker.withoutProcess(contracts);
  }

  /** Whether plans are made by promises alone. */
  boolean plansByPromises() {
    return calibration.isNone();
  }

  /** What was promised and contracted when the last plan was made. */
  Optional<BrokerProblem> promised() {
    return Optional.ofNullable(promised);
  }

  /**
   * What came of a look for a better plan.
   *
   * @param detail why nothing else
   */
  record Outcome(Adaptation.Outcome outcome, String detail) {}

  /**
   * Looks for a better plan, because of what was observed. It is taken only when the one in force
   * breaks a bound by more than {@link #LEAST_BREACH} under what is known now, or gains less by
   * {@link #LEAST_GAIN}.
   */
  Outcome adapt(Contracts contracts, Registry registry, String cause, Instant now) {
    if (inForce().state() != PlanState.OPTIMAL
        || !(maker.make(contracts, registry, now) instanceof Reading.Valid(BrokerProblem made))
        || made.classes().isEmpty()) {
      return replaced(contracts, registry, cause, now);
    }
    promised = made;
    BrokerProblem strict = strict(calibration.applied(made));
    Optional<PlanReview> old = PlanReview.of(strict, inForce().classes());
    boolean keeps = old.isPresent() && old.get().breach() <= LEAST_BREACH;
    return switch (optimizer.optimise(strict)) {
      case Result.Optimal(Optimum optimum) -> {
        if (keeps && !gains(old.get(), optimum)) {
          yield new Outcome(
              Adaptation.Outcome.KEPT,
              String.format(
                  Locale.ROOT,
                  "%s, and the best plan reaches %.6g where it reaches %.6g",
                  kept(old.get()),
                  optimum.objective(),
                  old.get().objective()));
        }
        publish(new Draft(PlanState.OPTIMAL, cause, "", now, optimum), contracts, registry);
        yield outcome(
            !keeps
                ? "the plan before does not keep all bounds any more"
                : String.format(
                    Locale.ROOT,
                    "%.6g instead of %.6g",
                    optimum.objective(),
                    old.get().objective()));
      }
      case Result.Infeasible _ when keeps ->
          new Outcome(Adaptation.Outcome.KEPT, kept(old.get()) + ", and no plan keeps all");
      case Result.Infeasible _, Result.Unknown _ -> replaced(contracts, registry, cause, now);
    };
  }

  private static String kept(PlanReview review) {
    return review.feasible()
        ? "it keeps all bounds"
        : String.format(
            Locale.ROOT, "it breaks no bound by more than %.2g %%", 100 * review.breach());
  }

  /** Whether a plan that observation asks for must not wait for the time between tables. */
  boolean isUrgent(Contracts contracts, Registry registry, Instant now) {
    return switch (inForce().state()) {
      case RELAXED, NONE -> false; // it breaks bounds because it must
      case REPAIRED, LAST_GOOD -> true;
      case OPTIMAL ->
          maker.make(contracts, registry, now) instanceof Reading.Valid(BrokerProblem made)
              && PlanReview.of(strict(calibration.applied(made)), inForce().classes())
                  .map(each -> each.breach() > URGENT_BREACH)
                  .orElse(true);
    };
  }

  private static boolean gains(PlanReview old, Optimum optimum) {
    return optimum.objective() - old.objective() > LEAST_GAIN * Math.abs(old.objective());
  }

  private Outcome replaced(Contracts contracts, Registry registry, String cause, Instant now) {
    plan(contracts, registry, cause, now);
    return outcome(inForce().reason());
  }

  private Outcome outcome(String detail) {
    boolean stays = inForce().state() == PlanState.LAST_GOOD || inForce().state() == PlanState.NONE;
    return stays
        ? new Outcome(Adaptation.Outcome.KEPT, inForce().reason())
        : new Outcome(Adaptation.Outcome.ADOPTED, detail);
  }

  private static BrokerProblem strict(BrokerProblem problem) {
    return problem.withOptions(problem.options().withMode(Mode.STRICT));
  }

  /** Publishes the table that stands without services that are down, without any solution. */
  Outcome repair(Registry registry, Set<String> down, String cause, Instant now) {
    PublishedTable before = standing();
    if (before == null) {
      return new Outcome(Adaptation.Outcome.KEPT, "there is no table");
    }
    PublishedTable repaired = new TableRepair(registry, now, down).of(before);
    if (repaired.bindings().equals(before.bindings())) {
      return new Outcome(Adaptation.Outcome.KEPT, "no share calls who is down, or nobody else can");
    }
    try {
      long version = publish(repaired, now);
      PlanInForce old = inForce();
      String why = "without " + String.join(", ", new TreeSet<>(down)) + ", not solved again yet";
      push(
          new PlanInForce(
              version,
              PlanState.REPAIRED,
              cause,
              why,
              now,
              Double.NaN,
              RepairedLevels.reviewed(
                  RepairedLevels.of(old.classes(), repaired, registry),
                  promised().map(each -> strict(calibration.applied(each))))));
      return new Outcome(Adaptation.Outcome.REPAIRED, why);
    } catch (IOException e) {
      return new Outcome(
          Adaptation.Outcome.KEPT, "the table cannot be published: " + e.getMessage());
    }
  }

  /** Makes a plan for what is agreed on, and publishes it. */
  void plan(Contracts contracts, Registry registry, String cause, Instant now) {
    switch (maker.make(contracts, registry, now)) {
      case Reading.Invalid _
          when inForce().classes().isEmpty() && maker.isWithoutProcess(contracts, registry, now) ->
          stay(PlanState.NONE, cause, "there is no process that anybody serves", now);
      case Reading.Invalid invalid ->
          keep(registry, cause, invalid.problems().getFirst().message(), now);
      case Reading.Valid(BrokerProblem problem) when problem.classes().isEmpty() ->
          stay(PlanState.NONE, cause, "no class has contracts or a rate", now);
      case Reading.Valid(BrokerProblem problem) -> solve(problem, contracts, registry, cause, now);
    }
  }

  private void solve(
      BrokerProblem made, Contracts contracts, Registry registry, String cause, Instant now) {
    promised = made;
    BrokerProblem problem = calibration.applied(made);
    switch (optimizer.optimise(strict(problem))) {
      case Result.Optimal(Optimum optimum) -> adopt(optimum, contracts, registry, cause, now);
      case Result.Infeasible _ -> {
        if (optimizer.relaxed(problem) instanceof Result.Optimal(Optimum relaxed)) {
          String why = "not everything can be kept; broken: " + relaxed.slacks().keySet();
          Draft draft = new Draft(PlanState.RELAXED, cause, why, now, relaxed);
          publish(draft, contracts, registry);
        } else {
          keep(registry, cause, "not everything can be kept, and no less either", now);
        }
      }
      case Result.Unknown unknown ->
          keep(registry, cause, String.join("; ", unknown.reasons()), now);
    }
  }

  /** Keeps the last good table, but for services in it that are gone. */
  private void keep(Registry registry, String cause, String why, Instant now) {
    PublishedTable before = standing();
    PublishedTable left =
        before == null ? null : new TableRepair(registry, now, Set.of()).of(before);
    if (before == null || left == null || left.bindings().equals(before.bindings())) {
      boolean repaired = inForce().state() == PlanState.REPAIRED;
      stay(repaired ? PlanState.REPAIRED : PlanState.LAST_GOOD, cause, why, now);
      return;
    }
    try {
      PlanInForce last = inForce();
      push(
          new PlanInForce(
              publish(left, now),
              PlanState.REPAIRED,
              cause,
              why + "; services that are gone were left out",
              now,
              Double.NaN,
              RepairedLevels.of(last.classes(), left, registry)));
    } catch (IOException e) {
      stay(PlanState.LAST_GOOD, cause, "the table cannot be published: " + e.getMessage(), now);
    }
  }

  /** Publishes a plan that is known to be the best. */
  void adopt(Optimum optimum, Contracts contracts, Registry registry, String cause, Instant now) {
    if (maker.make(contracts, registry, now) instanceof Reading.Valid(BrokerProblem made)) {
      promised = made;
    }
    publish(new Draft(PlanState.OPTIMAL, cause, "", now, optimum), contracts, registry);
  }

  /** A plan that is not published yet. */
  private record Draft(PlanState state, String cause, String reason, Instant at, Optimum optimum) {}

  private void publish(Draft draft, Contracts contracts, Registry registry) {
    if (draft.optimum().classes().stream().allMatch(each -> each.shares().isEmpty())) {
      stay(PlanState.LAST_GOOD, draft.cause(), "nothing could be served", draft.at());
      return;
    }
    try {
      long version = publish(table(draft.optimum(), contracts, registry), draft.at());
      push(
          new PlanInForce(
              version,
              draft.state(),
              draft.cause(),
              draft.reason(),
              draft.at(),
              draft.optimum().objective(),
              draft.optimum().classes()));
    } catch (IOException e) {
      String why = "the table cannot be published: " + e.getMessage();
      stay(PlanState.LAST_GOOD, draft.cause(), why, draft.at());
    }
  }

  private PublishedTable table(Optimum optimum, Contracts contracts, Registry registry) {
    List<ClassLevel> bound =
        optimum.classes().stream().filter(each -> !each.shares().isEmpty()).toList();
    String wished = maker.defaultClass(contracts);
    boolean there = optimum.classes().stream().anyMatch(each -> each.id().equals(wished));
    String others = there ? wished : bound.getFirst().id();
    return PublishedTable.of(0, others, registry, bound)
        .withCallers(contracts.callers())
        .withRates(rates(contracts))
        .withServed(served(optimum));
  }

  private static Map<String, Double> served(Optimum optimum) {
    Map<String, Double> served = new LinkedHashMap<>();
    for (ClassLevel each : optimum.classes()) {
      double part = each.shares().isEmpty() ? 0 : each.served();
      if (part < 1 - WHOLE) {
        served.put(each.id(), Math.max(0, part));
      }
    }
    return served;
  }

  /** What is planned for of each class is promised to users, and what is left to all others. */
  private Map<String, Map<String, Double>> rates(Contracts contracts) {
    Map<String, Map<String, Double>> rates = new LinkedHashMap<>();
    BrokerProblem planned = promised;
    if (planned != null) {
      planned.classes().forEach(each -> rates.put(each.id(), rates(each, contracts)));
    }
    return rates;
  }

  private static Map<String, Double> rates(ServiceClass planned, Contracts contracts) {
    Map<String, Double> byUser = new LinkedHashMap<>(contracts.rates(planned.id()));
    double named = byUser.values().stream().mapToDouble(Double::doubleValue).sum();
    double others = planned.rate() - named;
    if (others > LEAST_RATE * planned.rate()) { // else it is what adding up has left
      byUser.put(BindingTable.OTHERS, others);
    }
    return byUser;
  }

  /** Publishes a table unless it is in force already; returns its version. */
  private long publish(PublishedTable table, Instant now) throws IOException {
    PublishedTable before = standing();
    long known = Math.max(inForce().version(), before == null ? 0 : before.version());
    if (before != null && before.at(0).equals(table.at(0))) {
      return before.version();
    }
    // Replicas take no version below theirs, which a damaged table does not tell.
    boolean lost = damaged && known == 0;
    long version = lost ? now.getEpochSecond() : known + 1;
    files.publish(table.at(version));
    damaged = false;
    return version;
  }

  private @Nullable PublishedTable standing() {
    try {
      return files.table();
    } catch (IOException e) {
      damaged = true;
      return null;
    }
  }

  private void stay(PlanState state, String cause, String why, Instant now) {
    PlanInForce before = inForce();
    if (before.state() != state || !before.reason().equals(why)) {
      push(before.as(state, cause, why, now));
    }
  }

  private void push(PlanInForce plan) {
    inForce = plan;
    chronicle.planned(plan);
  }
}
