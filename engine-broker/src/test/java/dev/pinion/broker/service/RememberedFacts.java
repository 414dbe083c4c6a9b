package dev.pinion.broker.service;

import dev.pinion.broker.registry.Fact;
import dev.pinion.broker.registry.KnowledgeBase;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Knowledge in memory, which survives the broker service. */
final class RememberedFacts implements KnowledgeBase {
  private final List<Fact> facts = new ArrayList<>();

  @Override
  public synchronized void save(Fact fact) {
    facts.addFirst(fact);
  }

  /** The latest facts of a type, the newest first. */
  synchronized <T extends Fact> List<T> latest(Class<T> type, Predicate<T> which, int most) {
    return facts.stream()
        .filter(type::isInstance)
        .map(type::cast)
        .filter(which)
        .limit(most)
        .toList();
  }

  @Override
  public List<Fact.PlanMade> plans(int most) {
    return latest(Fact.PlanMade.class, _ -> true, most);
  }

  @Override
  public List<Fact.DecisionMade> decisions(int most) {
    return latest(Fact.DecisionMade.class, _ -> true, most);
  }

  @Override
  public List<Fact.Observation> observations(String service, int most) {
    return latest(Fact.Observation.class, each -> each.service().equals(service), most);
  }
}
