package dev.pinion.broker.optimise;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.broker.model.AbstractTask;
import dev.pinion.broker.model.BrokerProblem;
import dev.pinion.broker.model.ConcreteService;
import dev.pinion.broker.model.CoordinationPattern;
import dev.pinion.broker.model.Objective;
import dev.pinion.broker.model.ParallelResponse;
import dev.pinion.broker.model.Penalties;
import dev.pinion.broker.model.ProcessNode;
import dev.pinion.broker.model.PromiseMode;
import dev.pinion.broker.model.SawWeights;
import dev.pinion.broker.model.ServiceClass;
import dev.pinion.broker.model.SolveOptions;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Problems so small that every vertex can be checked: one class, tasks in sequence, single
 * services. An optimum of a bounded program is at a vertex, and each vertex is where as many bounds
 * meet as there are unknowns.
 */
class TinyProblemsTest {
  private static final double EPSILON = 1e-9;
  private static final int PROBLEMS = 60;

  private final Optimizer optimizer = new Optimizer(Solvers.both());

  /** A bound of a half space: {@code a · x <= most}. */
  private static final class HalfSpace {
    final double[] a;
    final double most;

    HalfSpace(double[] a, double most) {
      this.a = a;
      this.most = most;
    }
  }

  @Test
  void shouldFindTheBestVertex() {
    int optimal = 0;
    int infeasible = 0;
    for (long seed = 1; seed <= PROBLEMS; seed++) {
      BrokerProblem problem = problem(new Random(seed));
      OptionalDouble best = bestVertex(problem);
      OptimisationResult optimisationResult = optimizer.optimise(problem);
      if (best.isPresent()) {
        optimal++;
        OptimalPlan found =
            assertInstanceOf(OptimisationResult.Optimal.class, optimisationResult, "seed " + seed)
                .optimum();
        assertEquals(best.getAsDouble(), found.objective(), 1e-6, "seed " + seed);
      } else {
        infeasible++;
        assertInstanceOf(OptimisationResult.Infeasible.class, optimisationResult, "seed " + seed);
      }
    }
    System.out.printf("%d tiny problems optimal, %d infeasible%n", optimal, infeasible);
    assertTrue(optimal > 10 && infeasible > 5, "both kinds must occur");
  }

  private static BrokerProblem problem(Random random) {
    List<ConcreteService> services = new ArrayList<>();
    List<AbstractTask> tasks = new ArrayList<>();
    List<ProcessNode> nodes = new ArrayList<>();
    for (int t = 0; t < 2; t++) {
      List<ConcreteService> own = new ArrayList<>();
      for (int s = 0; s < 3; s++) {
        double load = random.nextBoolean() ? 1 + 3 * random.nextDouble() : Double.POSITIVE_INFINITY;
        own.add(
            new ConcreteService(
                "s" + t + s,
                random.nextDouble(),
                0.8 + 0.2 * random.nextDouble(),
                5 * random.nextDouble(),
                load));
      }
      services.addAll(own);
      tasks.add(new AbstractTask("t" + t, own, EnumSet.of(CoordinationPattern.SINGLE)));
      nodes.add(new ProcessNode.Task("t" + t));
    }
    ServiceClass one =
        new ServiceClass(
            "k",
            3,
            new ServiceClass.Promise(
                0.5 + random.nextDouble(),
                0.7 + 0.2 * random.nextDouble(),
                2 + 6 * random.nextDouble()),
            7,
            1,
            SawWeights.NONE,
            Map.of());
    SolveOptions solveOptions =
        new SolveOptions(
            1,
            1,
            ParallelResponse.FIRST_SUCCESS,
            Objective.PROFIT,
            PromiseMode.STRICT,
            Penalties.of(Objective.PROFIT));
    return new BrokerProblem(
        "tiny",
        solveOptions,
        new ProcessNode.Sequence(nodes),
        services,
        tasks,
        List.of(one),
        List.of());
  }

  /** The greatest profit at a vertex that keeps all bounds. */
  private static OptionalDouble bestVertex(BrokerProblem problem) {
    List<ConcreteService> services = problem.services();
    ServiceClass one = problem.classes().getFirst();
    List<HalfSpace> bounds = bounds(services, one);
    int n = services.size();
    double best = Double.NEGATIVE_INFINITY;
    for (int meeting = 0; meeting < 1 << bounds.size(); meeting++) {
      if (Integer.bitCount(meeting) != n - 2) {
        continue;
      }
      double[] x = vertex(bounds, meeting, n);
      if (x.length == n
          && bounds.stream().allMatch(each -> dot(each.a, x) <= each.most + EPSILON)) {
        double cost = 0;
        for (int i = 0; i < n; i++) {
          cost += x[i] * services.get(i).cost();
        }
        best = Math.max(best, one.rate() * (one.price() - cost));
      }
    }
    return best == Double.NEGATIVE_INFINITY ? OptionalDouble.empty() : OptionalDouble.of(best);
  }

  private static List<HalfSpace> bounds(List<ConcreteService> services, ServiceClass one) {
    int n = services.size();
    List<HalfSpace> bounds = new ArrayList<>();
    double[] time = new double[n];
    double[] log = new double[n];
    double[] cost = new double[n];
    for (int i = 0; i < n; i++) {
      ConcreteService each = services.get(i);
      time[i] = each.response();
      log[i] = -Math.log(each.reliability());
      cost[i] = each.cost();
      double[] negative = new double[n];
      negative[i] = -1;
      bounds.add(new HalfSpace(negative, 0));
      if (each.isLimited()) {
        double[] load = new double[n];
        load[i] = one.rate();
        bounds.add(new HalfSpace(load, each.load()));
      }
    }
    bounds.add(new HalfSpace(time, one.maxResponse()));
    bounds.add(new HalfSpace(log, -Math.log(one.minReliability())));
    bounds.add(new HalfSpace(cost, one.maxCost()));
    return bounds;
  }

  private static double dot(double[] a, double[] b) {
    double sum = 0;
    for (int i = 0; i < a.length; i++) {
      sum += a[i] * b[i];
    }
    return sum;
  }

  /**
   * The intersection of some bounds, with shares of both tasks summing up to 1; empty unless it is
   * a point.
   */
  private static double[] vertex(List<HalfSpace> bounds, int meeting, int n) {
    double[][] system = new double[n][n + 1];
    for (int i = 0; i < n; i++) {
      system[i < n / 2 ? 0 : 1][i] = 1;
    }
    system[0][n] = 1;
    system[1][n] = 1;
    int row = 2;
    for (int i = 0; i < bounds.size(); i++) {
      if ((meeting >> i & 1) == 1) {
        System.arraycopy(bounds.get(i).a, 0, system[row], 0, n);
        system[row++][n] = bounds.get(i).most;
      }
    }
    return solved(system);
  }

  /** Gauss-Jordan with the greatest pivots. */
  private static double[] solved(double[][] system) {
    int n = system.length;
    for (int column = 0; column < n; column++) {
      int pivot = column;
      for (int row = column; row < n; row++) {
        if (Math.abs(system[row][column]) > Math.abs(system[pivot][column])) {
          pivot = row;
        }
      }
      if (Math.abs(system[pivot][column]) < EPSILON) {
        return new double[0];
      }
      double[] swapped = system[pivot];
      system[pivot] = system[column];
      system[column] = swapped;
      for (int row = 0; row < n; row++) {
        double factor = row == column ? 0 : system[row][column] / system[column][column];
        for (int i = column; factor != 0 && i <= n; i++) {
          system[row][i] -= factor * system[column][i];
        }
      }
    }
    double[] x = new double[n];
    for (int i = 0; i < n; i++) {
      x[i] = system[i][n] / system[i][i];
    }
    return x;
  }
}
