package dev.pinion.bootstrap.supervise;

import dev.pinion.bootstrap.protocol.HealthCheck;

/** Health of the processes beside the replicas. No start is refused because of them. */
public final class AuxiliaryHealthChecks {
  private AuxiliaryHealthChecks() {}

  /**
   * Health of the history.
   *
   * @param kept whether a history is configured
   */
  public static HealthCheck history(boolean kept, HistorySupervisor.HistoryStatus now) {
    String name = "history";
    if (!kept) {
      return new HealthCheck(name, true, false, "none is kept (--history none)");
    }
    if (now.pid() < 0) {
      return new HealthCheck(name, false, false, "its process does not run and is started again");
    }
    if (!now.failure().isEmpty()) {
      return new HealthCheck(name, false, false, now.failure());
    }
    return now.lagRecords() < 0
        ? new HealthCheck(
            name, false, false, "it starts, sends nothing, or cannot report its progress")
        : new HealthCheck(name, true, false, now.lagRecords() + " records behind the journals");
  }

  /**
   * Health of the broker.
   *
   * @param runs whether a broker is configured
   */
  public static HealthCheck broker(boolean runs, BrokerSupervisor.BrokerStatus now) {
    String name = "broker";
    if (!runs) {
      return new HealthCheck(name, true, false, "none runs (--broker)");
    }
    if (now.pid() < 0) {
      return new HealthCheck(name, false, false, "its process does not run and is started again");
    }
    return new HealthCheck(
        name,
        now.ready(),
        false,
        now.ready() ? "plan " + now.plan().state() : "it starts and answers soon, or says nothing");
  }
}
