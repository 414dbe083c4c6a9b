package dev.pinion.broker.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The complete input of a solution: a document of schema {@code broker-lp/1}.
 *
 * @param id its name
 * @param options options of the solution
 * @param process the process of all classes
 * @param services the services, each id once
 * @param tasks the tasks, each id once; every task of the process is among them
 * @param classes the classes, each id once
 * @param admission requested contracts, each separately
 */
public record BrokerProblem(
    String id,
    SolveOptions options,
    ProcessNode process,
    List<ConcreteService> services,
    List<AbstractTask> tasks,
    List<ServiceClass> classes,
    List<AdmissionRequest> admission) {
  /** Copies the lists. */
  public BrokerProblem {
    services = List.copyOf(services);
    tasks = List.copyOf(tasks);
    classes = List.copyOf(classes);
    admission = List.copyOf(admission);
  }

  /** A class by its id. */
  public Optional<ServiceClass> serviceClass(String id) {
    return classes.stream().filter(each -> each.id().equals(id)).findFirst();
  }

  /** The same with other classes. */
  public BrokerProblem withClasses(List<ServiceClass> others) {
    return new BrokerProblem(id, options, process, services, tasks, others, admission);
  }

  /** The same with other services; tasks keep the ones they have. */
  public BrokerProblem withServices(List<ConcreteService> others) {
    return new BrokerProblem(id, options, process, others, tasks, classes, admission);
  }

  /** The same with other options. */
  public BrokerProblem withOptions(SolveOptions others) {
    return new BrokerProblem(id, others, process, services, tasks, classes, admission);
  }

  /** The same with a contract added: another class, or a known one with a higher rate. */
  public BrokerProblem with(AdmissionRequest request) {
    List<ServiceClass> others = new ArrayList<>(classes);
    if (request.joins()) {
      others.replaceAll(
          each ->
              each.id().equals(request.candidate().id())
                  ? each.withRate(each.rate() + request.rate())
                  : each);
    } else {
      others.add(request.candidate());
    }
    return withClasses(others);
  }
}
