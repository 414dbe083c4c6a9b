package dev.pinion.broker.knowledge;

import java.util.List;

/**
 * The one way to what the broker remembers beyond its data folder. Several engines may share a
 * database; each sees its own. Any thread.
 */
public interface Knowledge extends AutoCloseable {
  /** Remembers nothing. */
  Knowledge NONE =
      new Knowledge() {
        @Override
        public void keep(Fact fact) {
          // Nobody asks for it later.
        }

        @Override
        public List<Fact.PlanMade> plans(int most) {
          return List.of();
        }

        @Override
        public List<Fact.DecisionMade> decisions(int most) {
          return List.of();
        }

        @Override
        public List<Fact.Observation> observations(String service, int most) {
          return List.of();
        }
      };

  /**
   * Remembers a fact, soon. Never waits: a database that is away costs no decision anything. What
   * could not be kept in the end is counted and logged.
   */
  void keep(Fact fact);

  /**
   * The latest plans of this engine, the newest first. Waits for the database; empty without it.
   */
  List<Fact.PlanMade> plans(int most);

  /** The latest decisions of this engine, the newest first. Waits; empty without the database. */
  List<Fact.DecisionMade> decisions(int most);

  /** The latest observations of a service, the newest first. Waits; empty without the database. */
  List<Fact.Observation> observations(String service, int most);

  /** Writes what is left, for a short while at most. */
  @Override
  default void close() {}
}
