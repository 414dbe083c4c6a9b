package dev.pinion.broker.analyse;

import dev.pinion.broker.model.AbstractTask;
import dev.pinion.broker.model.BrokerProblem;
import dev.pinion.broker.model.ConcreteService;
import dev.pinion.broker.model.ServiceClass;
import dev.pinion.broker.model.UsageProfile;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Observed input of plans in place of promises. Contracts are decided by the promises of services,
 * but by the observed {@linkplain #paths paths} of requests.
 *
 * @param services observed services, by id; others as promised
 * @param down services that no plan uses
 * @param usage paths of requests by class and node; others as in the model
 */
public record Calibration(
    Map<String, Estimate> services,
    Set<String> down,
    Map<String, Map<String, UsageProfile>> usage) {
  /** Everything is as promised. */
  public static final Calibration NONE = new Calibration(Map.of(), Set.of(), Map.of());

  /** Reliability in plans of a service that always failed. */
  static final double LEAST_RELIABILITY = 1e-3;

  /**
   * Observation of a service.
   *
   * @param response mean time in seconds
   * @param reliability probability of success, in (0, 1]
   */
  public record Estimate(double response, double reliability) {
    /** Keeps the reliability in its range. */
    public Estimate {
      reliability = Math.clamp(reliability, LEAST_RELIABILITY, 1);
    }
  }

  /** Copies the collections. */
  public Calibration {
    services = Map.copyOf(services);
    down = Set.copyOf(down);
    usage = Map.copyOf(usage);
  }

  /** Whether everything is as promised. */
  public boolean isNone() {
    return services.isEmpty() && down.isEmpty() && usage.isEmpty();
  }

  /**
   * A problem of promises with the observations applied. A task whose services are all down keeps
   * them.
   */
  public BrokerProblem applied(BrokerProblem problem) {
    List<AbstractTask> tasks = problem.tasks().stream().map(this::task).toList();
    return new BrokerProblem(
        problem.id(),
        problem.options(),
        problem.process(),
        problem.services().stream().map(this::service).toList(),
        tasks,
        problem.classes().stream().map(this::serviceClass).toList(),
        problem.admission());
  }

  /** A problem of promises, with the observed paths of requests and times of flows. */
  public BrokerProblem paths(BrokerProblem problem) {
    return problem.withClasses(problem.classes().stream().map(this::serviceClass).toList());
  }

  private AbstractTask task(AbstractTask task) {
    List<ConcreteService> all = task.services().stream().map(this::service).toList();
    List<ConcreteService> alive = all.stream().filter(each -> !down.contains(each.id())).toList();
    return new AbstractTask(task.id(), alive.isEmpty() ? all : alive, task.patterns());
  }

  private ConcreteService service(ConcreteService promise) {
    Estimate estimate = services.get(promise.id());
    return estimate == null
        ? promise
        : new ConcreteService(
            promise.id(),
            estimate.response(),
            estimate.reliability(),
            promise.cost(),
            promise.load());
  }

  private ServiceClass serviceClass(ServiceClass each) {
    Map<String, UsageProfile> own = usage.get(each.id());
    return own == null ? each : each.withUsage(own);
  }
}
