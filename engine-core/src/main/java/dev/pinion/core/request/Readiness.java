package dev.pinion.core.request;

import java.util.List;

/** Whether the replica would take a start now, check by check. Any thread; must not block. */
@FunctionalInterface
public interface Readiness {
  /** Ready without any check. */
  Readiness ALWAYS = List::of;

  /** Every check; the replica is ready when all of them are that are required. */
  List<Check> checks();

  /**
   * One check.
   *
   * @param name what is checked, a short word
   * @param ready whether all is well with it
   * @param required whether starts are refused while it is not
   * @param detail one sentence for operators
   */
  record Check(String name, boolean ready, boolean required, String detail) {}
}
