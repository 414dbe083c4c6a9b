package dev.pinion.broker.knowledge;

import java.time.Instant;

/** Something that the broker knows from a moment on. Immutable. */
public sealed interface Fact {
  /** Since when. */
  Instant at();

  /**
   * A plan came into force, or what the one in force is worth changed.
   *
   * @param version version of its table; 0 for none
   * @param state what it is worth, such as {@code optimal}
   * @param cause what it was made for
   * @param document the plan as JSON
   */
  record PlanMade(Instant at, long version, String state, String cause, String document)
      implements Fact {}

  /**
   * A change was decided about.
   *
   * @param change what was asked for, such as {@code PUT slas/a}
   * @param outcome what came of it, such as {@code not_admitted}
   * @param plan version of the table then
   * @param document the decision as JSON
   */
  record DecisionMade(Instant at, String change, String outcome, long plan, String document)
      implements Fact {}

  /**
   * How a service did for a class over a while.
   *
   * @param at the end of the while
   * @param service the concrete service
   * @param serviceClass the class
   * @param calls how many calls ended, 0 or more
   * @param failures how many of them failed
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
