package dev.pinion.broker.front;

import dev.pinion.broker.adapt.Adaptation;
import dev.pinion.broker.adapt.DecisionLog;
import dev.pinion.broker.contract.DeskEntry;
import dev.pinion.broker.contract.PlanInForce;
import dev.pinion.broker.document.DecisionJson;
import dev.pinion.broker.document.FrontJson;
import dev.pinion.broker.knowledge.Fact;
import dev.pinion.broker.knowledge.Knowledge;
import dev.pinion.broker.monitor.Entry;
import dev.pinion.broker.monitor.Tally;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The latest plans and decisions, including those of earlier processes, as far as the knowledge has
 * them. Any thread.
 */
final class Chronicle implements DecisionLog {
  /** The most plans shown. */
  static final int MAX_PLANS = 100;

  /** The most decisions shown. */
  static final int MAX_DECISIONS = 256;

  private final Knowledge knowledge;
  private final Deque<String> plans = new ArrayDeque<>();
  private final Deque<String> decisions = new ArrayDeque<>();

  /** Begins with those of earlier processes. */
  Chronicle(Knowledge knowledge) {
    this.knowledge = knowledge;
    knowledge.plans(MAX_PLANS).forEach(each -> plans.add(each.document()));
    knowledge.decisions(MAX_DECISIONS).forEach(each -> decisions.add(each.document()));
  }

  synchronized void planned(PlanInForce plan) {
    String document = FrontJson.plan(plan);
    push(plans, document, MAX_PLANS);
    knowledge.keep(
        new Fact.PlanMade(plan.at(), plan.version(), plan.state().label(), plan.cause(), document));
  }

  synchronized void decided(DeskEntry entry) {
    String document = FrontJson.entry(entry);
    push(decisions, document, MAX_DECISIONS);
    knowledge.keep(
        new Fact.DecisionMade(entry.at(), entry.change(), entry.outcome(), entry.plan(), document));
  }

  @Override
  public synchronized void add(Adaptation decision) {
    String document = DecisionJson.adaptation(decision);
    push(decisions, document, MAX_DECISIONS);
    String causes =
        decision.causes().stream()
            .map(each -> each.rule().label() + " " + each.subject())
            .collect(Collectors.joining(", "));
    knowledge.keep(
        new Fact.DecisionMade(
            decision.at(),
            causes,
            decision.outcome().label(),
            decision.after().version(),
            document));
  }

  /** Stores observations of services until now. */
  void observed(List<Entry> entries, Instant now) {
    for (Entry each : entries) {
      Tally tally = each.tally();
      knowledge.keep(
          new Fact.Observation(
              now,
              each.service(),
              each.serviceClass(),
              Math.round(tally.count()),
              Math.round(tally.failures()),
              tally.mean()));
    }
  }

  private static void push(Deque<String> told, String document, int most) {
    told.push(document);
    if (told.size() > most) {
      told.removeLast();
    }
  }

  /** Documents of plans, the newest first. */
  synchronized List<String> plans() {
    return List.copyOf(plans);
  }

  /** Documents of decisions, the newest first. */
  synchronized List<String> decisions() {
    return List.copyOf(decisions);
  }
}
