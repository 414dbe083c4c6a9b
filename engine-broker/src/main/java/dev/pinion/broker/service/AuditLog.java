package dev.pinion.broker.service;

import dev.pinion.broker.analyse.AdaptationDecision;
import dev.pinion.broker.analyse.DecisionLog;
import dev.pinion.broker.document.BrokerJson;
import dev.pinion.broker.document.DecisionJson;
import dev.pinion.broker.monitor.CallStatistics;
import dev.pinion.broker.monitor.IntervalStatistics;
import dev.pinion.broker.registry.AuditLogEntry;
import dev.pinion.broker.registry.Fact;
import dev.pinion.broker.registry.KnowledgeBase;
import dev.pinion.broker.registry.PlanInForce;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The latest plans and decisions, including those of earlier processes, as far as the knowledge has
 * them. Any thread.
 */
final class AuditLog implements DecisionLog {
  /** The most plans shown. */
  static final int MAX_PLANS = 100;

  /** The most decisions shown. */
  static final int MAX_DECISIONS = 256;

  private final KnowledgeBase knowledgeBase;
  private final Deque<String> plans = new ArrayDeque<>();
  private final Deque<String> decisions = new ArrayDeque<>();

  /** Begins with those of earlier processes. */
  AuditLog(KnowledgeBase knowledgeBase) {
    this.knowledgeBase = knowledgeBase;
    knowledgeBase.plans(MAX_PLANS).forEach(each -> plans.add(each.document()));
    knowledgeBase.decisions(MAX_DECISIONS).forEach(each -> decisions.add(each.document()));
  }

  synchronized void addPlan(PlanInForce plan) {
    String document = BrokerJson.plan(plan);
    push(plans, document, MAX_PLANS);
    knowledgeBase.save(
        new Fact.PlanMade(plan.at(), plan.version(), plan.state().label(), plan.cause(), document));
  }

  synchronized void addEntry(AuditLogEntry entry) {
    String document = BrokerJson.entry(entry);
    push(decisions, document, MAX_DECISIONS);
    knowledgeBase.save(
        new Fact.DecisionMade(entry.at(), entry.change(), entry.outcome(), entry.plan(), document));
  }

  @Override
  public synchronized void add(AdaptationDecision decision) {
    String document = DecisionJson.adaptation(decision);
    push(decisions, document, MAX_DECISIONS);
    String causes =
        decision.causes().stream()
            .map(each -> each.rule().label() + " " + each.subject())
            .collect(Collectors.joining(", "));
    knowledgeBase.save(
        new Fact.DecisionMade(
            decision.at(),
            causes,
            decision.outcome().label(),
            decision.after().version(),
            document));
  }

  /** Stores observations of services until now. */
  void addObservations(List<IntervalStatistics> entries, Instant now) {
    for (IntervalStatistics each : entries) {
      CallStatistics callStatistics = each.tally();
      knowledgeBase.save(
          new Fact.Observation(
              now,
              each.service(),
              each.serviceClass(),
              Math.round(callStatistics.count()),
              Math.round(callStatistics.failures()),
              callStatistics.mean()));
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
