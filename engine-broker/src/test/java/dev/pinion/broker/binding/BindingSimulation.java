package dev.pinion.broker.binding;

import dev.pinion.broker.model.ConcreteService;
import dev.pinion.broker.model.CoordinationPattern;
import dev.pinion.broker.model.Implementation;
import dev.pinion.broker.model.ProcessNode;
import dev.pinion.broker.model.ServiceClass;
import dev.pinion.broker.model.Share;
import dev.pinion.broker.optimise.ClassLevel;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;

/** Sends requests of a class through a process, bound by a solution, and measures. */
final class BindingSimulation {
  /** Distribution of the times of a service around its mean. */
  enum Times {
    DETERMINISTIC,
    EXPONENTIAL,
    LOGNORMAL
  }

  private static final double SIGMA = 0.8;

  private final Map<String, Choice> choices = new HashMap<>();
  private final ServiceClass serviceClass;
  private final Times times;
  private final Random random;
  private boolean succeeds;
  private double paid;

  final Moments response = new Moments();
  final Moments cost = new Moments();
  final Moments success = new Moments();

  /** Choice of the implementation for the next invocation of a task. */
  private record Choice(WeightedChoice deal, List<Share> shares) {
    Implementation next() {
      return shares.get(deal.next()).implementation();
    }
  }

  /** Mean and its standard error. */
  static final class Moments {
    private long count;
    private double sum;
    private double squares;

    void add(double value) {
      count++;
      sum += value;
      squares += value * value;
    }

    double mean() {
      return sum / count;
    }

    double error() {
      double variance = Math.max(0, squares / count - mean() * mean());
      return Math.sqrt(variance / count);
    }
  }

  BindingSimulation(
      ClassLevel level,
      KroneckerCounters kroneckerCounters,
      ServiceClass serviceClass,
      Times times,
      long seed) {
    level
        .shares()
        .forEach(
            (task, shares) ->
                choices.put(task, choice(kroneckerCounters.of(level.id(), task), shares)));
    this.serviceClass = serviceClass;
    this.times = times;
    random = new Random(seed);
  }

  private static Choice choice(KroneckerCounter counter, List<Share> shares) {
    return new Choice(
        new WeightedChoice(counter, shares.stream().map(Share::fraction).toList()), shares);
  }

  void run(ProcessNode process, int requests) {
    for (int i = 0; i < requests; i++) {
      succeeds = true;
      paid = 0;
      response.add(time(process));
      cost.add(paid);
      success.add(succeeds ? 1 : 0);
    }
  }

  /** The time of a node; a failed task does not end the request, so that means can be compared. */
  private double time(ProcessNode node) {
    return switch (node) {
      case ProcessNode.Task task -> invoke(task.task());
      case ProcessNode.Sequence sequence ->
          sequence.children().stream().mapToDouble(this::time).sum();
      case ProcessNode.Flow flow ->
          flow.children().stream().mapToDouble(this::time).max().orElse(0);
      case ProcessNode.Choice choice -> time(choice.children().get(branch(choice)));
      case ProcessNode.Loop loop -> {
        double sum = 0;
        for (int i = rounds(serviceClass.iterations(loop)); i > 0; i--) {
          sum += time(loop.child());
        }
        yield sum;
      }
    };
  }

  private int branch(ProcessNode.Choice choice) {
    List<Double> probabilities = serviceClass.probabilities(choice);
    double left = random.nextDouble();
    for (int i = 0; i < probabilities.size() - 1; i++) {
      left -= probabilities.get(i);
      if (left < 0) {
        return i;
      }
    }
    return probabilities.size() - 1;
  }

  private int rounds(double expected) {
    int whole = (int) expected;
    return whole + (random.nextDouble() < expected - whole ? 1 : 0);
  }

  private double invoke(String task) {
    Implementation chosen = Objects.requireNonNull(choices.get(task), task).next();
    return chosen.pattern() == CoordinationPattern.PARALLEL ? atOnce(chosen) : inTurn(chosen);
  }

  private double inTurn(Implementation chosen) {
    double time = 0;
    for (ConcreteService each : chosen.services()) {
      time += sample(each.response());
      paid += each.cost();
      if (random.nextDouble() < each.reliability()) {
        return time;
      }
    }
    succeeds = false;
    return time;
  }

  private double atOnce(Implementation chosen) {
    double first = Double.POSITIVE_INFINITY;
    double slowest = 0;
    for (ConcreteService each : chosen.services()) {
      double time = sample(each.response());
      paid += each.cost();
      slowest = Math.max(slowest, time);
      if (random.nextDouble() < each.reliability()) {
        first = Math.min(first, time);
      }
    }
    succeeds &= first < Double.POSITIVE_INFINITY;
    return first < Double.POSITIVE_INFINITY ? first : slowest;
  }

  private double sample(double mean) {
    return switch (times) {
      case DETERMINISTIC -> mean;
      case EXPONENTIAL -> -mean * Math.log(1 - random.nextDouble());
      case LOGNORMAL -> mean * Math.exp(SIGMA * random.nextGaussian() - SIGMA * SIGMA / 2);
    };
  }
}
