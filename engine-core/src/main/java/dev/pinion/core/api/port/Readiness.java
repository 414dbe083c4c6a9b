package dev.pinion.core.api.port;

import java.util.List;

/** Whether the replica would accept a start now, check by check. Any thread; must not block. */
@FunctionalInterface
public interface Readiness {
  /** Ready without any check. */
  Readiness ALWAYS = List::of;

  /** Every check; the replica is ready when all required checks are. */
  List<Check> checks();

  /**
   * One check.
   *
   * @param name subject of the check, a short word
   * @param ready whether the check passes
   * @param required whether starts are refused while it fails
   * @param detail one sentence for operators
   */
  record Check(String name, boolean ready, boolean required, String detail) {}
}
