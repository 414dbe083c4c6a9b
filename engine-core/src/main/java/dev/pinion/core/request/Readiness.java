package dev.pinion.core.request;

import java.util.List;

/** Whether the replica would take a start now, check by check. Any thread; must not block. */
@FunctionalInterface
public interface Readiness {
  /** Ready without any check. */
  Readiness ALWAYS = List::of;

  /** Every check; the replica is ready when all of them are. */
  List<Check> checks();

  /**
   * One check.
   *
   * @param name what is checked, a short word
   * @param ready whether it lets a start through
   * @param detail one sentence for operators
   */
  record Check(String name, boolean ready, String detail) {}
}
