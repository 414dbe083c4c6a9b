package dev.pinion.broker.optimise;

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
import dev.pinion.broker.model.UsageProfile;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.Set;

/** Random problems, by a seed; about half of them have bounds that are tight or cannot be kept. */
public final class RandomProblems {
  private final Random random;
  private final List<ConcreteService> services = new ArrayList<>();
  private final List<AbstractTask> tasks = new ArrayList<>();
  private int nodes;

  private RandomProblems(long seed) {
    random = new Random(seed);
  }

  /** The problem of a seed. */
  public static BrokerProblem of(long seed) {
    return new RandomProblems(seed).problem();
  }

  private BrokerProblem problem() {
    int count = 1 + random.nextInt(4);
    for (int i = 0; i < count; i++) {
      addTask("t" + i);
    }
    ProcessNode process = root();
    List<ServiceClass> classes = new ArrayList<>();
    int classCount = 1 + random.nextInt(3);
    for (int i = 0; i < classCount; i++) {
      classes.add(serviceClass("k" + i, process));
    }
    return new BrokerProblem("random", options(), process, services, tasks, classes, List.of());
  }

  private SolveOptions options() {
    Objective objective = random.nextBoolean() ? Objective.PROFIT : Objective.SAW;
    Penalties penalties = Penalties.of(objective);
    return new SolveOptions(
        1 + random.nextInt(3),
        1 + random.nextInt(3),
        random.nextInt(4) == 0 ? ParallelResponse.MIN : ParallelResponse.FIRST_SUCCESS,
        objective,
        PromiseMode.STRICT,
        random.nextBoolean()
            ? penalties
            : new Penalties(
                penalties.response(),
                penalties.reliability(),
                penalties.cost(),
                penalties.shed(),
                OptionalDouble.of(50)));
  }

  private void addTask(String id) {
    List<ConcreteService> own = new ArrayList<>();
    int count = 1 + random.nextInt(3);
    for (int i = 0; i < count; i++) {
      ConcreteService service = service(id + "_" + i);
      services.add(service);
      own.add(service);
    }
    if (services.size() > count && random.nextInt(3) == 0) {
      own.add(services.getFirst()); // serves several tasks
    }
    Set<CoordinationPattern> patterns =
        random.nextInt(4) == 0
            ? EnumSet.of(CoordinationPattern.SINGLE)
            : EnumSet.allOf(CoordinationPattern.class);
    tasks.add(new AbstractTask(id, own, patterns));
  }

  private ConcreteService service(String id) {
    double load = random.nextBoolean() ? Double.POSITIVE_INFINITY : between(2, 40);
    double reliability = random.nextInt(8) == 0 ? 1 : between(0.4, 0.999);
    return new ConcreteService(id, between(0.05, 2), reliability, between(0, 5), load);
  }

  private double between(double low, double high) {
    return low + random.nextDouble() * (high - low);
  }

  private ProcessNode root() {
    List<ProcessNode> children = new ArrayList<>();
    int count = 1 + random.nextInt(3);
    for (int i = 0; i < count; i++) {
      children.add(node(3));
    }
    return new ProcessNode.Sequence(children);
  }

  private ProcessNode node(int depth) {
    String id = "n" + nodes++;
    return switch (depth == 0 ? 0 : random.nextInt(6)) {
      case 1 -> new ProcessNode.Sequence(nodes(depth));
      case 2 -> new ProcessNode.Flow(id, nodes(depth), random.nextBoolean() ? 1 : 1.3);
      case 3 -> {
        List<ProcessNode> children = nodes(depth);
        yield new ProcessNode.Choice(id, children, probabilities(children.size()));
      }
      case 4 -> new ProcessNode.Loop(id, node(depth - 1), random.nextInt(4) * 0.7);
      default -> new ProcessNode.Task(tasks.get(random.nextInt(tasks.size())).id());
    };
  }

  private List<ProcessNode> nodes(int depth) {
    List<ProcessNode> children = new ArrayList<>();
    int count = 1 + random.nextInt(3);
    for (int i = 0; i < count; i++) {
      children.add(node(depth - 1));
    }
    return children;
  }

  private List<Double> probabilities(int count) {
    List<Double> parts = new ArrayList<>();
    double left = 1;
    for (int i = 0; i < count - 1; i++) {
      double part = random.nextInt(4) == 0 ? 0 : left * random.nextDouble();
      parts.add(part);
      left -= part;
    }
    parts.add(left);
    return parts;
  }

  /** Bounds around the values of the process at some arbitrary shares. */
  private ServiceClass serviceClass(String id, ProcessNode process) {
    Map<String, UsageProfile> usage = new HashMap<>();
    ServiceClass free =
        new ServiceClass(
            id,
            between(0.5, 8),
            new ServiceClass.Promise(Double.POSITIVE_INFINITY, 0, Double.POSITIVE_INFINITY),
            between(0, 30),
            random.nextInt(4),
            new SawWeights(random.nextInt(3), random.nextInt(3), random.nextInt(3)),
            usage);
    IndependentModel model = new IndependentModel(process, free);
    double log = 0;
    double cost = 0;
    Map<String, ConcreteService> chosen = new HashMap<>();
    for (AbstractTask task : tasks) {
      ConcreteService one = task.services().get(random.nextInt(task.services().size()));
      chosen.put(task.id(), one);
      double visits = model.visits().getOrDefault(task.id(), 0.0);
      log += visits * Math.log(one.reliability());
      cost += visits * one.cost();
    }
    double response = model.response(task -> Objects.requireNonNull(chosen.get(task)).response());
    return new ServiceClass(
        id,
        free.rate(),
        new ServiceClass.Promise(
            random.nextInt(3) == 0 ? Double.POSITIVE_INFINITY : response * between(0.7, 1.4),
            random.nextInt(3) == 0 ? 0 : Math.exp(log * between(0.5, 1.4)),
            random.nextInt(3) == 0 ? Double.POSITIVE_INFINITY : cost * between(0.7, 1.6)),
        free.price(),
        free.importance(),
        free.weights(),
        usage);
  }
}
