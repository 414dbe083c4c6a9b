package dev.pinion.broker.optimise;

import dev.pinion.broker.lp.ColumnPool;
import dev.pinion.broker.lp.LinearProgram;
import dev.pinion.broker.model.BrokerProblem;
import dev.pinion.broker.model.ConcreteService;
import dev.pinion.broker.model.Implementation;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The linear program of a problem (docs/broker.md), with the meaning of its columns. Rows are named
 * {@code assign:CLASS:TASK}, {@code flow:CLASS:NODE:BRANCH}, {@code sla:CLASS:r|d|c}, {@code
 * load:SERVICE}.
 */
final class Formulation {
  private static final double INFINITE = Double.POSITIVE_INFINITY;

  private final LinearProgram.Builder builder = new LinearProgram.Builder();
  private final Map<String, Integer> loadRows = new HashMap<>();
  private final Map<Integer, Assignment> assignments = new HashMap<>();
  private final Map<Integer, Integer> groups = new HashMap<>();
  private final Map<String, Integer> servedColumns = new HashMap<>();
  private final Map<String, Integer> slackColumns = new HashMap<>();
  private final BitSet initial = new BitSet();
  private final CandidateImplementations candidateImplementations;
  private final ColumnPool pool;

  /**
   * Meaning of a column.
   *
   * @param serviceClass id of the class
   * @param task id of the task
   * @param implementation the implementation
   */
  record Assignment(String serviceClass, String task, Implementation implementation) {}

  private Formulation(
      BrokerProblem problem,
      CandidateImplementations candidateImplementations,
      List<ClassCoefficients> classes) {
    this.candidateImplementations = candidateImplementations;
    OptionalDouble penalty = loadPenalty(classes);
    problem.services().stream()
        .filter(ConcreteService::isLimited)
        .forEach(each -> addLoad(each, penalty));
    for (ClassCoefficients each : classes) {
      new ClassFormulation(this, problem.process(), each).add();
    }
    builder.offset(classes.stream().mapToDouble(ClassCoefficients::offset).sum());
    LinearProgram program = builder.build();
    int[] groupOf = new int[program.columns()];
    groups.forEach((column, group) -> groupOf[column] = group);
    pool = new ColumnPool(program, initial, groupOf);
  }

  /** The program of a problem, with classes that may differ from the problem's. */
  static Formulation of(
      BrokerProblem problem,
      CandidateImplementations candidateImplementations,
      List<ClassCoefficients> classes) {
    return new Formulation(problem, candidateImplementations, classes);
  }

  private static OptionalDouble loadPenalty(List<ClassCoefficients> classes) {
    return classes.stream()
        .map(ClassCoefficients::penalties)
        .flatMap(Optional::stream)
        .map(each -> each.load())
        .findFirst()
        .orElse(OptionalDouble.empty());
  }

  private void addLoad(ConcreteService service, OptionalDouble penalty) {
    String name = "load:" + service.id();
    int row = builder.row(name, -INFINITE, service.load());
    loadRows.put(service.id(), row);
    if (penalty.isPresent()) {
      addSlack(name, -penalty.getAsDouble());
      builder.entry(row, -service.load());
    }
  }

  LinearProgram.Builder builder() {
    return builder;
  }

  /** Adds a column that is in every restricted program. */
  int addColumn(String name, double low, double high, double worth) {
    int column = builder.column(name, low, high, worth);
    initial.set(column);
    return column;
  }

  /** Adds the column for the violation of a bound; its entry follows. */
  void addSlack(String row, double worth) {
    slackColumns.put(row, addColumn("s:" + row, 0, INFINITE, worth));
  }

  /** Records the column of the served fraction of a class. */
  void served(String serviceClass, int column) {
    servedColumns.put(serviceClass, column);
  }

  /** Adds the columns of the implementations of a task for a class. */
  void addAssignments(ClassFormulation part, String task, double visits, TaskRows rows) {
    List<Implementation> all = candidateImplementations.of(task);
    boolean hasSingles = all.stream().anyMatch(each -> each.services().size() == 1);
    int group = assignments.size();
    for (Implementation each : all) {
      String id = part.terms().serviceClass().id();
      int column =
          builder.column(
              "y:" + id + ":" + task + ":" + each.label(),
              0,
              INFINITE,
              part.worth(each, visits, rows.rootWeight()));
      rows.addEntries(builder, each, visits);
      addLoads(each, part.terms().rate() * visits);
      assignments.put(column, new Assignment(id, task, each));
      groups.put(column, group);
      if (!hasSingles || each.services().size() == 1) {
        initial.set(column);
      }
    }
  }

  private void addLoads(Implementation implementation, double invocations) {
    for (int i = 0; i < implementation.services().size(); i++) {
      Integer row = loadRows.get(implementation.services().get(i).id());
      if (row != null) {
        builder.entry(row, invocations * implementation.calls(i));
      }
    }
  }

  /** The program, ready to be solved. */
  ColumnPool pool() {
    return pool;
  }

  /** Meaning of the columns of assignments, by column. */
  Map<Integer, Assignment> assignments() {
    return assignments;
  }

  /** The column of the served fraction of a class. */
  int servedColumn(String serviceClass) {
    return servedColumns.getOrDefault(serviceClass, -1);
  }

  /** The columns for violations of bounds, by name of the row. */
  Map<String, Integer> slackColumns() {
    return slackColumns;
  }

  /** The names of all rows, in order. */
  List<String> rowNames() {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < pool.program().rows(); i++) {
      names.add(pool.program().rowName(i));
    }
    return names;
  }
}
