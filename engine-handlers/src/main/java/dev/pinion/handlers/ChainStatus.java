package dev.pinion.handlers;

import dev.pinion.core.model.Payload;
import dev.pinion.handlers.plan.ChainPlanPrinter;
import dev.pinion.handlers.run.Chain;
import dev.pinion.handlers.run.StepStatistics;
import java.util.LinkedHashMap;
import java.util.Map;

/** A chain in force, for operators: its plan, its present messages and its statistics. */
final class ChainStatus {
  private ChainStatus() {}

  static Payload of(Chain chain) {
    Map<String, Payload> members = new LinkedHashMap<>();
    members.put("name", Payload.of(chain.plan().name()));
    members.put(
        "plan",
        Payload.array(ChainPlanPrinter.lines(chain.plan()).stream().map(Payload::of).toList()));
    members.put("underWay", Payload.of(chain.inFlight()));
    members.put("waiting", Payload.of(chain.queued()));
    members.put("window", Payload.of(chain.windowSize()));
    members.put(
        "steps", Payload.array(chain.statistics().stream().map(ChainStatus::step).toList()));
    return Payload.object(members);
  }

  private static Payload step(StepStatistics step) {
    Map<String, Payload> members = new LinkedHashMap<>();
    members.put("name", Payload.of(step.name()));
    members.put("calls", Payload.of(step.calls()));
    members.put("recentNanos", Payload.of(step.recentNanos()));
    members.put("failures", Payload.of(step.failures()));
    members.put("timeouts", Payload.of(step.timeouts()));
    members.put("repeats", Payload.of(step.repeats()));
    members.put("skipped", Payload.of(step.skipped()));
    members.put("stops", Payload.of(step.stops()));
    members.put("undone", Payload.of(step.undone()));
    members.put("undoFailures", Payload.of(step.undoFailures()));
    members.put("late", Payload.of(step.late()));
    members.put("dropped", Payload.of(step.dropped()));
    return Payload.object(members);
  }
}
