package dev.pinion.broker.front;

import dev.pinion.broker.adapt.Adaptation;
import dev.pinion.broker.adapt.Analyst;
import dev.pinion.broker.adapt.Calibration;
import dev.pinion.broker.adapt.Cause;
import dev.pinion.broker.adapt.DecisionLog;
import dev.pinion.broker.adapt.Rule;
import dev.pinion.broker.adapt.SolveGate;
import dev.pinion.broker.contract.PlanInForce;
import dev.pinion.broker.monitor.LivenessMonitor;
import dev.pinion.broker.monitor.Monitors;
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
 *   Monitors,       ─▶ Analyst       ─▶ SolveGate ─▶ Planner ─▶ table ─▶ replicas
 *   LivenessMonitor    (rules)           optimiser, hysteresis
 *         │                 ╰────── down: Planner.repair ──────────▲
 *         ╰──▶ Knowledge: Calibration, registry, contracts, decisions
 * </pre>
 *
 * <p>Only {@link #probed} may be called by any thread; the rest, one at a time.
 */
final class ControlLoop {
  private final Monitors monitors;
  private final LivenessMonitor liveness;
  private final Analyst analyst;
  private final SolveGate gate = new SolveGate();
  private final Office office;
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
      Monitors monitors,
      LivenessMonitor liveness,
      Office office,
      Planner planner,
      DecisionLog log,
      Calibration known) {
    this.monitors = monitors;
    this.liveness = liveness;
    this.analyst = new Analyst(monitors, known);
    this.office = office;
    this.planner = planner;
    this.log = log;
  }

  /** Runs one turn: to be called about once a second. */
  void look() {
    liveness.keep(office.registry().services().stream().map(RegisteredService::id).toList());
    analyst.down(liveness.down());
    for (Cause each = changes.poll(); each != null; each = changes.poll()) {
      if (each.rule() == Rule.SERVICE_UP) {
        analyst.returned(each.subject());
      }
      gate.ask(each);
    }
    planner.promised().ifPresent(problem -> analyst.look(problem).forEach(this::take));
    planner.calibrate(analyst.calibration());
    double began = monitors.nowSeconds();
    List<Cause> causes = gate.pass(began, office::isUrgent);
    if (!causes.isEmpty()) {
      PlanInForce before = planner.inForce();
      decide(causes, before, office.adapt(told(causes)));
      gate.solved(began, monitors.nowSeconds());
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
              new Planner.Outcome(Adaptation.Outcome.NOTED, "a new plan would not help"));
      case SOLVE, REPAIR_AND_SOLVE -> gate.ask(cause);
    }
  }

  private static String told(List<Cause> causes) {
    return causes.stream()
        .map(each -> each.rule().label() + " " + each.subject())
        .collect(Collectors.joining(", "));
  }

  private void decide(List<Cause> causes, PlanInForce before, Planner.Outcome outcome) {
    log.add(
        new Adaptation(
            office.now(), causes, outcome.outcome(), outcome.detail(), before, planner.inForce()));
  }

  /**
   * Handles a round of probes, in which answered calls count as probes. The table is repaired at
   * once, if a service has gone, and a solution follows. Any thread: does not wait for a solution
   * under way.
   */
  void probed(Map<String, Boolean> alive) {
    List<Cause> found = new ArrayList<>();
    alive.forEach(
        (service, answers) ->
            liveness
                .probed(service, answers)
                .ifPresent(change -> found.add(cause(service, change))));
    List<Cause> gone =
        found.stream()
            .filter(each -> each.rule().action() == Rule.Action.REPAIR_AND_SOLVE)
            .toList();
    if (!gone.isEmpty()) {
      log.add(planner.repair(gone, told(gone), office.registry(), office.now()));
    }
    changes.addAll(found);
  }

  private static Cause cause(String service, LivenessMonitor.Change change) {
    return switch (change) {
      case DOWN ->
          new Cause(
              Rule.SERVICE_DOWN,
              service,
              LivenessMonitor.TO_DOWN + " probes in a row were not answered");
      case UP ->
          new Cause(
              Rule.SERVICE_UP, service, LivenessMonitor.TO_UP + " probes in a row were answered");
    };
  }
}
