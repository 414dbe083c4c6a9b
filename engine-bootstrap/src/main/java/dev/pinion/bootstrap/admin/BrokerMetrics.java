package dev.pinion.bootstrap.admin;

import dev.pinion.bootstrap.protocol.Heartbeat;
import dev.pinion.bootstrap.supervise.BrokerSupervisor;
import dev.pinion.bootstrap.supervise.ReplicaStatus;
import java.util.List;

/** The plan in force, and the replicas that bind by it, in the text format of Prometheus. */
final class BrokerMetrics {
  private static final List<String> STATES =
      List.of("unknown", "none", "optimal", "relaxed", "repaired", "last-good");

  private BrokerMetrics() {}

  static String of(BrokerSupervisor.BrokerStatus broker, List<ReplicaStatus> replicas) {
    StringBuilder text = new StringBuilder();
    gauge(text, "pinion_broker_up", "Whether the broker runs.");
    text.append("pinion_broker_up ").append(broker.pid() >= 0 ? 1 : 0).append('\n');
    text.append("# HELP pinion_broker_starts_total Starts of the broker.\n");
    text.append("# TYPE pinion_broker_starts_total counter\n");
    text.append("pinion_broker_starts_total ").append(broker.starts()).append('\n');
    gauge(text, "pinion_broker_plan_version", "Version of the plan in force.");
    text.append("pinion_broker_plan_version ").append(broker.plan().version()).append('\n');
    gauge(text, "pinion_broker_plan_state", "1 for what the plan in force is worth.");
    for (String state : STATES) {
      text.append("pinion_broker_plan_state{state=\"").append(state).append("\"} ");
      text.append(state.equals(broker.plan().state()) ? 1 : 0).append('\n');
    }
    gauge(text, "pinion_binding_table_version", "Version of the table that a replica binds by.");
    for (ReplicaStatus each : replicas) {
      Heartbeat heartbeat = each.lastBeat();
      if (heartbeat != null) {
        text.append("pinion_binding_table_version{replica=\"").append(each.index()).append("\"} ");
        text.append(heartbeat.bindingVersion()).append('\n');
      }
    }
    return text.toString();
  }

  private static void gauge(StringBuilder text, String name, String help) {
    text.append("# HELP ").append(name).append(' ').append(help).append('\n');
    text.append("# TYPE ").append(name).append(" gauge\n");
  }
}
