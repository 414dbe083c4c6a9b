package dev.pinion.broker.optimise;

import dev.pinion.broker.lp.LinearProgram;
import dev.pinion.broker.model.Implementation;
import dev.pinion.broker.model.Penalties;
import dev.pinion.broker.model.ProcessNode;
import dev.pinion.broker.model.ServiceClass;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Adds the rows and columns of one class to a program. */
final class ClassFormulation {
  private static final double INFINITE = Double.POSITIVE_INFINITY;

  /** Marker of the whole process in place of the row of a branch of a flow. */
  private static final int ROOT = -1;

  private final Formulation whole;
  private final LinearProgram.Builder builder;
  private final ProcessNode process;
  private final ClassCoefficients terms;
  private final ServiceClass serviceClass;
  private final Map<String, Double> visits;
  private final Map<String, TaskRows> tasks = new LinkedHashMap<>();
  private final Map<String, Integer> slaRows = new LinkedHashMap<>();

  ClassFormulation(Formulation whole, ProcessNode process, ClassCoefficients terms) {
    this.whole = whole;
    this.process = process;
    this.terms = terms;
    builder = whole.builder();
    serviceClass = terms.serviceClass();
    visits = VisitRatios.of(process, serviceClass);
  }

  ClassCoefficients terms() {
    return terms;
  }

  void add() {
    addBounds();
    Map<String, Integer> assignRows = new LinkedHashMap<>();
    for (String task : visits.keySet()) {
      int row = builder.row("assign:" + serviceClass.id() + ":" + task, 0, 0);
      assignRows.put(task, row);
      tasks.put(task, new TaskRows(row, slaRows));
    }
    addServed(assignRows);
    terms.penalties().ifPresent(this::addSlacks);
    addTimes(process, 1, ROOT);
    visits.forEach((task, times) -> whole.addAssignments(this, task, times, rows(task)));
  }

  private void addBounds() {
    if (serviceClass.boundsResponse()) {
      slaRows.put("r", builder.row(slaName("r"), -INFINITE, 0));
    }
    if (serviceClass.boundsReliability()) {
      slaRows.put("d", builder.row(slaName("d"), 0, INFINITE));
    }
    if (serviceClass.boundsCost()) {
      slaRows.put("c", builder.row(slaName("c"), -INFINITE, 0));
    }
  }

  private String slaName(String kind) {
    return "sla:" + serviceClass.id() + ":" + kind;
  }

  /** The bound of a kind of row. */
  private double bound(String kind) {
    return switch (kind) {
      case "r" -> serviceClass.maxResponse();
      case "d" -> Math.log(serviceClass.minReliability());
      default -> serviceClass.maxCost();
    };
  }

  private void addServed(Map<String, Integer> assignRows) {
    String id = serviceClass.id();
    whole.served(
        id,
        whole.addColumn(
            "u:" + id, terms.leastServed(), terms.mostServed(), terms.worth().perServed()));
    assignRows.values().forEach(row -> builder.entry(row, -1));
    slaRows.forEach((kind, row) -> builder.entry(row, -bound(kind)));
  }

  /** Adds slacks: time and cost in multiples of their bounds, ln D in its own units. */
  private void addSlacks(Penalties penalties) {
    slaRows.forEach(
        (kind, row) -> {
          switch (kind) {
            case "r" -> addSlack(kind, row, -penalties.response(), -bound(kind));
            case "d" -> addSlack(kind, row, -penalties.reliability(), 1);
            default -> addSlack(kind, row, -penalties.cost(), -bound(kind));
          }
        });
  }

  private void addSlack(String kind, int row, double worth, double coefficient) {
    whole.addSlack(slaName(kind), worth);
    builder.entry(row, coefficient);
  }

  /** Records where the times of tasks count, and adds the columns of flows. */
  private void addTimes(ProcessNode node, double times, int row) {
    if (times == 0) {
      return;
    }
    switch (node) {
      case ProcessNode.Task task -> addTask(rows(task.task()), times, row);
      case ProcessNode.Sequence sequence ->
          sequence.children().forEach(child -> addTimes(child, times, row));
      case ProcessNode.Flow flow -> addFlow(flow, times, row);
      case ProcessNode.Choice choice -> {
        List<Double> probabilities = serviceClass.probabilities(choice);
        for (int i = 0; i < probabilities.size(); i++) {
          addTimes(choice.children().get(i), times * probabilities.get(i), row);
        }
      }
      case ProcessNode.Loop loop ->
          addTimes(loop.child(), times * serviceClass.iterations(loop), row);
    }
  }

  private static void addTask(TaskRows rows, double times, int row) {
    if (row == ROOT) {
      rows.addToRoot(times);
    } else {
      rows.addToFlow(row, times);
    }
  }

  /** Adds a flow, with its own time, which no branch exceeds. */
  private void addFlow(ProcessNode.Flow flow, double times, int row) {
    String name = serviceClass.id() + ":" + flow.id();
    double calibrated = times * serviceClass.gamma(flow);
    int[] branches = new int[flow.children().size()];
    for (int i = 0; i < branches.length; i++) {
      branches[i] = builder.row("flow:" + name + ":" + i, -INFINITE, 0);
    }
    double worth = row == ROOT ? terms.worth().perResponse() * calibrated : 0;
    whole.addColumn("Y:" + name, 0, INFINITE, worth);
    for (int branch : branches) {
      builder.entry(branch, -1);
    }
    Integer target = row == ROOT ? slaRows.get("r") : Integer.valueOf(row);
    if (target != null) {
      builder.entry(target, calibrated);
    }
    for (int i = 0; i < branches.length; i++) {
      addTimes(flow.children().get(i), 1, branches[i]);
    }
  }

  private TaskRows rows(String task) {
    return Objects.requireNonNull(tasks.get(task), task);
  }

  /** Coefficient of the column of an implementation in the objective. */
  double worth(Implementation implementation, double times, double rootWeight) {
    return terms.worth().perResponse() * rootWeight * implementation.response()
        + times * terms.worth().perLog() * implementation.logReliability()
        + times * terms.worth().perCost() * implementation.cost();
  }
}
