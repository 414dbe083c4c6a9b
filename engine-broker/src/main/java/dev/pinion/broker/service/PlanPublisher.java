package dev.pinion.broker.service;

import dev.pinion.broker.analyse.AdaptationDecision;
import dev.pinion.broker.analyse.Cause;
import dev.pinion.broker.model.BrokerProblem;
import dev.pinion.broker.registry.PlanInForce;
import dev.pinion.broker.registry.PlanState;
import dev.pinion.broker.registry.PublishedTable;
import dev.pinion.broker.registry.ServiceRegistry;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Publishes tables, and provides the plan in force. Any thread: nothing here waits for solvers, so
 * that a table is repaired while a solution is under way. A plan solved before a service had gone
 * is published without that service.
 */
final class PlanPublisher {
  private final BrokerRepository files;
  private final AuditLog auditLog;
  private final Supplier<Set<String>> down;
  private volatile PlanInForce inForce;

  /** Whether the stored table cannot be read. */
  private boolean damaged;

  /**
   * Begins with the stored table.
   *
   * @param down the services that are down
   */
  PlanPublisher(BrokerRepository files, AuditLog auditLog, Supplier<Set<String>> down) {
    this.files = files;
    this.auditLog = auditLog;
    this.down = down;
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

  /**
   * Publishes the table of a plan.
   *
   * @param plan the plan; its version is ignored
   * @param table its table; its version is ignored
   * @param problem the solved problem
   */
  synchronized void publish(
      PlanInForce plan,
      PublishedTable table,
      ServiceRegistry serviceRegistry,
      Optional<BrokerProblem> problem) {
    PublishedTable left = without(down.get(), table, serviceRegistry, plan.at());
    boolean asSolved = left.bindings().equals(table.bindings());
    try {
      long version = write(asSolved ? table : left, plan.at());
      push(
          asSolved
              ? at(plan, version)
              : repaired(plan, version, plan.cause(), left, serviceRegistry, problem));
    } catch (IOException e) {
      String why = "the table cannot be published: " + e.getMessage();
      stay(PlanState.LAST_GOOD, plan.cause(), why, plan.at());
    }
  }

  /**
   * Publishes the stored table without services that are down, without any solution.
   *
   * @param gone the services that have gone, with the evidence
   * @param cause the same, in short
   * @param problem problem in which the plan is evaluated again
   */
  synchronized AdaptationDecision repair(
      List<Cause> gone,
      String cause,
      ServiceRegistry serviceRegistry,
      Instant now,
      Optional<BrokerProblem> problem) {
    PlanInForce before = inForce;
    PublishedTable stands = standing();
    if (stands == null) {
      return kept(gone, "there is no table", now);
    }
    PublishedTable left = without(down.get(), stands, serviceRegistry, now);
    if (left.bindings().equals(stands.bindings())) {
      return kept(gone, "no share calls a service that is down, or no other service can", now);
    }
    try {
      PlanInForce plan = before.as(PlanState.REPAIRED, cause, "", now);
      push(repaired(plan, write(left, now), cause, left, serviceRegistry, problem));
      return new AdaptationDecision(
          now,
          gone,
          AdaptationDecision.AdaptationOutcome.REPAIRED,
          inForce.reason(),
          before,
          inForce);
    } catch (IOException e) {
      return kept(gone, "the table cannot be published: " + e.getMessage(), now);
    }
  }

  private AdaptationDecision kept(List<Cause> gone, String why, Instant now) {
    return new AdaptationDecision(
        now, gone, AdaptationDecision.AdaptationOutcome.KEPT, why, inForce, inForce);
  }

  /** The plan of a repaired table; its levels are computed once it is published. */
  private PlanInForce repaired(
      PlanInForce plan,
      long version,
      String cause,
      PublishedTable left,
      ServiceRegistry serviceRegistry,
      Optional<BrokerProblem> problem) {
    return new PlanInForce(
        version,
        PlanState.REPAIRED,
        cause,
        "without " + String.join(", ", new TreeSet<>(down.get())) + ", not solved again yet",
        plan.at(),
        Double.NaN,
        RepairedLevels.reviewed(RepairedLevels.of(plan.classes(), left, serviceRegistry), problem));
  }

  /** Keeps the last good table, except for services in it that are gone. */
  synchronized void keepLastGood(
      ServiceRegistry serviceRegistry, String cause, String why, Instant now) {
    PublishedTable before = standing();
    PublishedTable left = before == null ? null : without(down.get(), before, serviceRegistry, now);
    if (before == null || left == null || left.bindings().equals(before.bindings())) {
      boolean repaired = inForce.state() == PlanState.REPAIRED;
      stay(repaired ? PlanState.REPAIRED : PlanState.LAST_GOOD, cause, why, now);
      return;
    }
    try {
      PlanInForce last = inForce;
      push(
          new PlanInForce(
              write(left, now),
              PlanState.REPAIRED,
              cause,
              why + "; services that are gone were left out",
              now,
              Double.NaN,
              RepairedLevels.of(last.classes(), left, serviceRegistry)));
    } catch (IOException e) {
      stay(PlanState.LAST_GOOD, cause, "the table cannot be published: " + e.getMessage(), now);
    }
  }

  /** Leaves the table unchanged. */
  synchronized void stay(PlanState state, String cause, String why, Instant now) {
    PlanInForce before = inForce;
    if (before.state() != state || !before.reason().equals(why)) {
      push(before.as(state, cause, why, now));
    }
  }

  private static PublishedTable without(
      Set<String> down, PublishedTable table, ServiceRegistry serviceRegistry, Instant now) {
    return new TableRepair(serviceRegistry, now, down).of(table);
  }

  /** Writes a table unless it is in force already; returns its version. */
  private long write(PublishedTable table, Instant now) throws IOException {
    PublishedTable before = standing();
    long known = Math.max(inForce.version(), before == null ? 0 : before.version());
    if (before != null && before.at(0).equals(table.at(0))) {
      return before.version();
    }
    // Replicas accept no version below theirs, and a damaged table does not reveal it.
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

  private static PlanInForce at(PlanInForce plan, long version) {
    return new PlanInForce(
        version,
        plan.state(),
        plan.cause(),
        plan.reason(),
        plan.at(),
        plan.objective(),
        plan.classes());
  }

  private void push(PlanInForce plan) {
    inForce = plan;
    auditLog.addPlan(plan);
  }
}
