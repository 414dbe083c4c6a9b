package dev.pinion.broker.registry;

import java.util.List;

/**
 * The broker's memory beyond its data folder. Several engines may share a database; each sees only
 * its own facts. Any thread.
 */
public interface KnowledgeBase extends AutoCloseable {
  /** Stores nothing. */
  KnowledgeBase NONE =
      new KnowledgeBase() {
        @Override
        public void save(Fact fact) {
          // Nothing reads it later.
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
   * Stores a fact, soon. Never waits: an unavailable database delays no decision. Facts that could
   * not be stored in the end are counted and logged.
   */
  void save(Fact fact);

  /**
   * The latest plans of this engine, the newest first. Waits for the database; empty without it.
   */
  List<Fact.PlanMade> plans(int most);

  /** The latest decisions of this engine, the newest first. Waits; empty without the database. */
  List<Fact.DecisionMade> decisions(int most);

  /** The latest observations of a service, the newest first. Waits; empty without the database. */
  List<Fact.Observation> observations(String service, int most);

  /** Writes the pending facts, for a short while at most. */
  @Override
  default void close() {}
}
