package dev.pinion.broker.front;

import dev.pinion.broker.contract.Contracts;
import dev.pinion.broker.contract.PlanInForce;
import dev.pinion.broker.contract.PlanState;
import dev.pinion.broker.document.ProblemMaker;
import dev.pinion.broker.document.Reading;
import dev.pinion.broker.model.BrokerProblem;
import dev.pinion.broker.model.Mode;
import dev.pinion.broker.optimise.ClassLevel;
import dev.pinion.broker.optimise.Optimizer;
import dev.pinion.broker.optimise.Optimum;
import dev.pinion.broker.optimise.Result;
import dev.pinion.broker.registry.PublishedTable;
import dev.pinion.broker.registry.Registry;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes plans and publishes their tables: the optimal one, else the relaxed one, else what stands
 * stays. One thread at a time.
 */
final class Planner {
  private final ProblemMaker maker;
  private final Optimizer optimizer;
  private final KnowledgeFiles files;
  private final Chronicle chronicle;
  private PlanInForce inForce;

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

  /** Makes a plan for what is agreed on, and publishes it. */
  void plan(Contracts contracts, Registry registry, String cause, Instant now) {
    switch (maker.make(contracts, registry, now)) {
      case Reading.Invalid _ when contracts.model().isEmpty() ->
          stay(PlanState.NONE, cause, "there is no model of a process", now);
      case Reading.Invalid invalid ->
          keep(registry, cause, invalid.problems().getFirst().message(), now);
      case Reading.Valid(BrokerProblem problem) when problem.classes().isEmpty() ->
          stay(PlanState.NONE, cause, "no class has contracts or a rate", now);
      case Reading.Valid(BrokerProblem problem) -> solve(problem, contracts, registry, cause, now);
    }
  }

  private void solve(
      BrokerProblem problem, Contracts contracts, Registry registry, String cause, Instant now) {
    switch (optimizer.optimise(problem.withOptions(problem.options().withMode(Mode.STRICT)))) {
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
    PublishedTable left = before == null ? null : new TableRepair(registry, now).of(before);
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
              last.classes()));
    } catch (IOException e) {
      stay(PlanState.LAST_GOOD, cause, "the table cannot be published: " + e.getMessage(), now);
    }
  }

  /** Publishes a plan that is known to be the best. */
  void adopt(Optimum optimum, Contracts contracts, Registry registry, String cause, Instant now) {
    publish(new Draft(PlanState.OPTIMAL, cause, "", now, optimum), contracts, registry);
  }

  /** A plan that is not published yet. */
  private record Draft(PlanState state, String cause, String reason, Instant at, Optimum optimum) {}

  private void publish(Draft draft, Contracts contracts, Registry registry) {
    List<ClassLevel> served =
        draft.optimum().classes().stream().filter(each -> !each.shares().isEmpty()).toList();
    if (served.isEmpty()) {
      stay(PlanState.LAST_GOOD, draft.cause(), "nothing could be served", draft.at());
      return;
    }
    try {
      long version = publish(table(served, contracts, registry), draft.at());
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

  private PublishedTable table(List<ClassLevel> served, Contracts contracts, Registry registry) {
    String wished = maker.defaultClass(contracts);
    boolean there = served.stream().anyMatch(each -> each.id().equals(wished));
    String others = there ? wished : served.getFirst().id();
    return PublishedTable.of(0, others, registry, served).withCallers(contracts.callers());
  }

  /** Publishes a table unless it is in force already; returns its version. */
  private long publish(PublishedTable table, Instant now) throws IOException {
    PublishedTable before = standing();
    long known = Math.max(inForce().version(), before == null ? 0 : before.version());
    if (before != null && at(before, 0).equals(at(table, 0))) {
      return before.version();
    }
    // Replicas take no version below theirs, which a damaged table does not tell.
    boolean lost = damaged && known == 0;
    long version = lost ? now.getEpochSecond() : known + 1;
    files.publish(at(table, version));
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

  /** A registry in a table has the version of that. */
  private static PublishedTable at(PublishedTable table, long version) {
    Registry registry =
        new Registry(version, table.registry().services(), table.registry().stateful());
    return new PublishedTable(
        version, table.defaultClass(), registry, table.bindings(), table.callers());
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
