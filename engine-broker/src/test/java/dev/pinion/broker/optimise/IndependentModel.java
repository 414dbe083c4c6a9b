package dev.pinion.broker.optimise;

import dev.pinion.broker.model.AbstractTask;
import dev.pinion.broker.model.ConcreteService;
import dev.pinion.broker.model.CoordinationPattern;
import dev.pinion.broker.model.ParallelResponse;
import dev.pinion.broker.model.ProcessNode;
import dev.pinion.broker.model.ServiceClass;
import dev.pinion.broker.model.SolveOptions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToDoubleFunction;

/**
 * The model again, by other means, to check the optimiser: levels of patterns by enumerating all
 * outcomes of their calls, implementations by counting in base n, processes by forms.
 */
public final class IndependentModel {
  private final ProcessNode process;
  private final ServiceClass serviceClass;

  IndependentModel(ProcessNode process, ServiceClass serviceClass) {
    this.process = process;
    this.serviceClass = serviceClass;
  }

  /**
   * The values of an implementation.
   *
   * @param label its name
   * @param response mean seconds
   * @param log ln of the probability of success
   * @param cost mean cost
   * @param calls by service, mean calls
   */
  record Column(
      String label, double response, double log, double cost, Map<String, Double> calls) {}

  /** All columns of a task. */
  static List<Column> columns(AbstractTask task, SolveOptions solveOptions) {
    List<Column> columns = new ArrayList<>();
    int n = task.services().size();
    int longest = Math.min(n, Math.max(solveOptions.maxAlternates(), solveOptions.maxParallel()));
    for (int length = 1; length <= longest; length++) {
      for (long number = 0; number < Math.pow(n, length); number++) {
        List<ConcreteService> picked = digits(task.services(), number, length);
        if (picked.stream().distinct().count() == length) {
          add(columns, task, solveOptions, picked);
        }
      }
    }
    return columns;
  }

  private static List<ConcreteService> digits(List<ConcreteService> of, long number, int length) {
    List<ConcreteService> digits = new ArrayList<>();
    long rest = number;
    for (int i = 0; i < length; i++) {
      digits.addFirst(of.get((int) (rest % of.size())));
      rest /= of.size();
    }
    return digits;
  }

  private static void add(
      List<Column> columns,
      AbstractTask task,
      SolveOptions solveOptions,
      List<ConcreteService> picked) {
    boolean ascending = true;
    for (int i = 1; i < picked.size(); i++) {
      ascending &=
          task.services().indexOf(picked.get(i - 1)) < task.services().indexOf(picked.get(i));
    }
    int size = picked.size();
    if (size == 1) {
      if (task.patterns().contains(CoordinationPattern.SINGLE)) {
        columns.add(outcomes(CoordinationPattern.SINGLE, picked, solveOptions));
      }
      return;
    }
    if (size <= solveOptions.maxAlternates()
        && task.patterns().contains(CoordinationPattern.ALTERNATE)) {
      columns.add(outcomes(CoordinationPattern.ALTERNATE, picked, solveOptions));
    }
    if (ascending
        && size <= solveOptions.maxParallel()
        && task.patterns().contains(CoordinationPattern.PARALLEL)) {
      columns.add(outcomes(CoordinationPattern.PARALLEL, picked, solveOptions));
    }
  }

  /** Enumerates successes and failures. */
  static Column outcomes(
      CoordinationPattern coordinationPattern,
      List<ConcreteService> services,
      SolveOptions solveOptions) {
    double response = 0;
    double success = 0;
    double cost = 0;
    Map<String, Double> calls = new HashMap<>();
    for (int outcome = 0; outcome < 1 << services.size(); outcome++) {
      double probability = 1;
      for (int i = 0; i < services.size(); i++) {
        double d = services.get(i).reliability();
        probability *= (outcome >> i & 1) == 1 ? d : 1 - d;
      }
      int called =
          coordinationPattern == CoordinationPattern.PARALLEL
              ? services.size()
              : calledInTurn(outcome, services);
      for (ConcreteService each : services.subList(0, called)) {
        cost += probability * each.cost();
        calls.merge(each.id(), probability, Double::sum);
      }
      success += outcome == 0 ? 0 : probability;
      response +=
          probability
              * time(coordinationPattern, outcome, services.subList(0, called), solveOptions);
    }
    String separator = coordinationPattern == CoordinationPattern.PARALLEL ? "|" : ">";
    String names = String.join(separator, services.stream().map(ConcreteService::id).toList());
    return new Column(
        coordinationPattern.label() + ":" + names, response, Math.log(success), cost, calls);
  }

  private static int calledInTurn(int outcome, List<ConcreteService> services) {
    return outcome == 0 ? services.size() : Integer.numberOfTrailingZeros(outcome) + 1;
  }

  private static double time(
      CoordinationPattern coordinationPattern,
      int outcome,
      List<ConcreteService> called,
      SolveOptions solveOptions) {
    if (coordinationPattern != CoordinationPattern.PARALLEL) {
      return called.stream().mapToDouble(ConcreteService::response).sum();
    }
    if (solveOptions.parallelResponse() == ParallelResponse.MIN) {
      return called.stream().mapToDouble(ConcreteService::response).min().orElseThrow();
    }
    double first = Double.POSITIVE_INFINITY;
    for (int i = 0; i < called.size(); i++) {
      if ((outcome >> i & 1) == 1) {
        first = Math.min(first, called.get(i).response());
      }
    }
    return outcome == 0
        ? called.stream()
            .max(Comparator.comparingDouble(ConcreteService::response))
            .orElseThrow()
            .response()
        : first;
  }

  /** Expected invocations by a request, by task. */
  Map<String, Double> visits() {
    Map<String, Double> sum = new HashMap<>();
    collect(process, 1, sum);
    sum.values().removeIf(each -> each == 0);
    return sum;
  }

  private void collect(ProcessNode node, double times, Map<String, Double> sum) {
    if (node instanceof ProcessNode.Task task) {
      sum.put(task.task(), sum.getOrDefault(task.task(), 0.0) + times);
      return;
    }
    List<ProcessNode> children = children(node);
    for (int i = 0; i < children.size(); i++) {
      double factor = node instanceof ProcessNode.Flow ? 1 : factor(node, i);
      collect(children.get(i), times * factor, sum);
    }
  }

  private static List<ProcessNode> children(ProcessNode node) {
    return switch (node) {
      case ProcessNode.Task _ -> List.of();
      case ProcessNode.Sequence sequence -> sequence.children();
      case ProcessNode.Flow flow -> flow.children();
      case ProcessNode.Choice choice -> choice.children();
      case ProcessNode.Loop loop -> List.of(loop.child());
    };
  }

  /** Weight of a child in its parent. */
  private double factor(ProcessNode node, int child) {
    return switch (node) {
      case ProcessNode.Choice choice -> serviceClass.probabilities(choice).get(child);
      case ProcessNode.Loop loop -> serviceClass.iterations(loop);
      case ProcessNode.Flow flow -> serviceClass.gamma(flow);
      case ProcessNode.Sequence _, ProcessNode.Task _ -> 1;
    };
  }

  /** All ways to pick one branch of each flow, as the weights of the tasks' times. */
  List<Map<String, Double>> forms() {
    return forms(process);
  }

  private List<Map<String, Double>> forms(ProcessNode node) {
    if (node instanceof ProcessNode.Task task) {
      return List.of(Map.of(task.task(), 1.0));
    }
    List<Map<String, Double>> forms = new ArrayList<>();
    List<ProcessNode> children = children(node);
    if (node instanceof ProcessNode.Flow) {
      for (int i = 0; i < children.size(); i++) {
        double factor = factor(node, i);
        forms(children.get(i)).forEach(form -> forms.add(plus(Map.of(), form, factor)));
      }
      return forms;
    }
    forms.add(Map.of());
    for (int i = 0; i < children.size(); i++) {
      List<Map<String, Double>> longer = new ArrayList<>();
      for (Map<String, Double> so : forms) {
        for (Map<String, Double> form : forms(children.get(i))) {
          longer.add(plus(so, form, factor(node, i)));
        }
      }
      forms.clear();
      forms.addAll(longer);
    }
    return forms;
  }

  private static Map<String, Double> plus(
      Map<String, Double> sum, Map<String, Double> form, double factor) {
    Map<String, Double> result = new HashMap<>(sum);
    form.forEach((task, times) -> result.merge(task, factor * times, Double::sum));
    return result;
  }

  /** Mean seconds: the greatest of all forms. */
  double response(ToDoubleFunction<String> tasks) {
    return forms().stream()
        .mapToDouble(
            form ->
                form.entrySet().stream()
                    .filter(each -> each.getValue() > 0)
                    .mapToDouble(each -> each.getValue() * tasks.applyAsDouble(each.getKey()))
                    .sum())
        .max()
        .orElseThrow();
  }

  /**
   * One form between all of {@link #forms}: each branch of a flow by its part of the prices of the
   * branches. At most the response time, whatever the prices.
   */
  Map<String, Double> pricedForm(Map<String, Double> prices) {
    return priced(process, prices);
  }

  private Map<String, Double> priced(ProcessNode node, Map<String, Double> prices) {
    if (node instanceof ProcessNode.Task task) {
      return Map.of(task.task(), 1.0);
    }
    List<ProcessNode> children = children(node);
    Map<String, Double> sum = Map.of();
    for (int i = 0; i < children.size(); i++) {
      double part = node instanceof ProcessNode.Flow flow ? part(flow, i, prices) : 1;
      sum = plus(sum, priced(children.get(i), prices), part * factor(node, i));
    }
    return sum;
  }

  private double part(ProcessNode.Flow flow, int branch, Map<String, Double> prices) {
    String name = "flow:" + serviceClass.id() + ":" + flow.id() + ":";
    double sum = 0;
    for (int i = 0; i < flow.children().size(); i++) {
      sum += price(prices, name + i);
    }
    return sum <= 1e-12 ? 1.0 / flow.children().size() : price(prices, name + branch) / sum;
  }

  private static double price(Map<String, Double> prices, String row) {
    return Math.max(0, Objects.requireNonNullElse(prices.get(row), 0.0));
  }
}
