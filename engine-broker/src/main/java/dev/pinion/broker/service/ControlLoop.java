package dev.pinion.broker.service;

import dev.pinion.broker.analyse.AdaptationDecision;
import dev.pinion.broker.analyse.AdaptationRule;
import dev.pinion.broker.analyse.Analyzer;
import dev.pinion.broker.analyse.Calibration;
import dev.pinion.broker.analyse.Cause;
import dev.pinion.broker.analyse.DecisionLog;
import dev.pinion.broker.analyse.SolveQueue;
import dev.pinion.broker.monitor.BrokerMonitor;
import dev.pinion.broker.monitor.LivenessMonitor;
import dev.pinion.broker.registry.PlanInForce;
import dev.pinion.broker.registry.RegisteredService;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;

/**
 * The MAPE-K loop of the broker.
 *
 * <pre>
 *   Monitor            Analyse           Plan                    Execute
 *   Monitors,       ─▶ Analyst       ─▶ SolveQueue ─▶ Planner ─▶ table ─▶ replicas
 *   LivenessMonitor    (rules)           optimiser, hysteresis
 *         │                 ╰────── down: Planner.repair ──────────▲
 *         ╰──▶ Knowledge: Calibration, registry, contracts, decisions
 * </pre>
 *
 * <p>Only {@link #onProbes} may be called by any thread; the rest, one at a time.
 */
final class ControlLoop {
  private final BrokerMonitor brokerMonitor;
  private final LivenessMonitor liveness;
  private final Analyzer analyzer;
  private final SolveQueue gate = new SolveQueue();
  private final Registrar registrar;
  private final Planner planner;
  private final DecisionLog log;

  /** Services that have gone or come back since the last turn. */
  private final Queue<Cause> changes = new ConcurrentLinkedQueue<>();

  /**
   * A loop that continues an earlier one.
   *
   * @param known its observations
   */
  ControlLoop(
      BrokerMonitor brokerMonitor,
      LivenessMonitor liveness,
      Registrar registrar,
      Planner planner,
      DecisionLog log,
      Calibration known) {
    this.brokerMonitor = brokerMonitor;
    this.liveness = liveness;
    this.analyzer = new Analyzer(brokerMonitor, known);
    this.registrar = registrar;
    this.planner = planner;
    this.log = log;
  }

  /** Runs one turn: to be called about once a second. */
  void tick() {
    liveness.retain(registrar.registry().services().stream().map(RegisteredService::id).toList());
    analyzer.down(liveness.down());
    for (Cause each = changes.poll(); each != null; each = changes.poll()) {
      if (each.rule() == AdaptationRule.SERVICE_UP) {
        analyzer.returned(each.subject());
      }
      gate.offer(each);
    }
    planner.promised().ifPresent(problem -> analyzer.analyze(problem).forEach(this::take));
    planner.calibrate(analyzer.calibration());
    double began = brokerMonitor.nowSeconds();
    List<Cause> causes = gate.pass(began, registrar::isUrgent);
    if (!causes.isEmpty()) {
      PlanInForce before = planner.inForce();
      decide(causes, before, registrar.adapt(describe(causes)));
      gate.solved(began, brokerMonitor.nowSeconds());
      if (planner.inForce().version() != before.version()) {
        gate.adopted(began);
      }
    }
  }

  private void take(Cause cause) {
    switch (cause.rule().action()) {
      case NOTE ->
          decide(
              List.of(cause),
              planner.inForce(),
              new Planner.PlanningOutcome(
                  AdaptationDecision.AdaptationOutcome.NOTED, "a new plan would not help"));
      case SOLVE, REPAIR_AND_SOLVE -> gate.offer(cause);
    }
  }

  private static String describe(List<Cause> causes) {
    return causes.stream()
        .map(each -> each.rule().label() + " " + each.subject())
        .collect(Collectors.joining(", "));
  }

  private void decide(
      List<Cause> causes, PlanInForce before, Planner.PlanningOutcome planningOutcome) {
    log.add(
        new AdaptationDecision(
            registrar.now(),
            causes,
            planningOutcome.outcome(),
            planningOutcome.detail(),
            before,
            planner.inForce()));
  }

  /**
   * Handles a round of probes, in which answered calls count as probes. The table is repaired at
   * once, if a service has gone, and a solution follows. Any thread: does not wait for a solution
   * under way.
   */
  void onProbes(Map<String, Boolean> alive) {
    List<Cause> found = new ArrayList<>();
    alive.forEach(
        (service, answers) ->
            liveness
                .probed(service, answers)
                .ifPresent(change -> found.add(cause(service, change))));
    List<Cause> gone =
        found.stream()
            .filter(each -> each.rule().action() == AdaptationRule.Action.REPAIR_AND_SOLVE)
            .toList();
    if (!gone.isEmpty()) {
      log.add(planner.repair(gone, describe(gone), registrar.registry(), registrar.now()));
    }
    changes.addAll(found);
  }

  private static Cause cause(String service, LivenessMonitor.Change change) {
    return switch (change) {
      case DOWN ->
          new Cause(
              AdaptationRule.SERVICE_DOWN,
              service,
              LivenessMonitor.TO_DOWN + " probes in a row were not answered");
      case UP ->
          new Cause(
              AdaptationRule.SERVICE_UP,
              service,
              LivenessMonitor.TO_UP + " probes in a row were answered");
    };
  }
}
