package dev.pinion.broker.registry;

import java.time.Instant;

/** A fact with its time. Immutable. */
public sealed interface Fact {
  /** Time of the fact. */
  Instant at();

  /**
   * A plan came into force, or the state of the one in force changed.
   *
   * @param version version of its table; 0 for none
   * @param state its state, such as {@code optimal}
   * @param cause its cause
   * @param document the plan as JSON
   */
  record PlanMade(Instant at, long version, String state, String cause, String document)
      implements Fact {}

  /**
   * A change was decided about.
   *
   * @param change the requested change, such as {@code PUT slas/a}
   * @param outcome its outcome, such as {@code not_admitted}
   * @param plan version of the table then
   * @param document the decision as JSON
   */
  record DecisionMade(Instant at, String change, String outcome, long plan, String document)
      implements Fact {}

  /**
   * Statistics of a service for a class over a period.
   *
   * @param at end of the period
   * @param service the concrete service
   * @param serviceClass the class
   * @param calls number of ended calls, 0 or more
   * @param failures number of failed ones
   * @param meanSeconds mean time of all of them, failed or not; not a number when there are none
   */
  record Observation(
      Instant at,
      String service,
      String serviceClass,
      long calls,
      long failures,
      double meanSeconds)
      implements Fact {}

  /**
   * A document of the data folder was replaced.
   *
   * @param name {@code registry}: services; {@code contracts}: model, classes and contracts
   * @param version its version, which grows; a copy of a lower one never replaces a higher one
   * @param document the document as JSON
   */
  record DocumentSaved(Instant at, String name, long version, String document) implements Fact {}
}
