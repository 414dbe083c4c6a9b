package dev.pinion.broker.registry;

import dev.pinion.broker.model.AbstractTask;
import dev.pinion.broker.model.BrokerProblem;
import dev.pinion.broker.model.ConcreteService;
import dev.pinion.broker.model.CoordinationPattern;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The registered concrete services.
 *
 * @param version grows with every change; 0 before the first
 * @param services each id once
 * @param stateful the abstract services that keep state for their callers: all calls of an instance
 *     go to one concrete service
 */
public record ServiceRegistry(
    long version, List<RegisteredService> services, Set<String> stateful) {
  /** An empty registry. */
  public static final ServiceRegistry EMPTY = new ServiceRegistry(0, List.of(), Set.of());

  /** The most services. */
  public static final int MAX_SERVICES = 10_000;

  /** Copies the collections. */
  public ServiceRegistry {
    services = List.copyOf(services);
    stateful = Collections.unmodifiableSet(new LinkedHashSet<>(stateful));
  }

  /** A service by its name. */
  public Optional<RegisteredService> service(String id) {
    return services.stream().filter(each -> each.id().equals(id)).findFirst();
  }

  /**
   * Whether all calls of an instance to an abstract service go to one concrete service: stated for
   * the abstract one, or for a concrete one that serves it.
   */
  public boolean keepsState(String service) {
    return stateful.contains(service)
        || services.stream().anyMatch(each -> each.stateful() && each.serves().contains(service));
  }

  /** The next version, with a service added, or replaced by name. */
  public ServiceRegistry with(RegisteredService service) {
    Map<String, RegisteredService> byId = new LinkedHashMap<>();
    services.forEach(each -> byId.put(each.id(), each));
    byId.put(service.id(), service);
    return new ServiceRegistry(version + 1, List.copyOf(byId.values()), stateful);
  }

  /** The next version, without a service. */
  public ServiceRegistry without(String id) {
    List<RegisteredService> left = services.stream().filter(each -> !each.id().equals(id)).toList();
    return new ServiceRegistry(version + 1, left, stateful);
  }

  /** The next version, with an abstract service that keeps state for its callers, or does not. */
  public ServiceRegistry withStateful(String service, boolean keepsState) {
    Set<String> others = new TreeSet<>(stateful);
    if (keepsState) {
      others.add(service);
    } else {
      others.remove(service);
    }
    return new ServiceRegistry(version + 1, services, others);
  }

  /**
   * A problem with the promises of this registry: services have these numbers in place of the
   * problem's, and tasks whose services may not be repeated, or that keep state, get single
   * services only.
   *
   * @param problem its tasks have the names of abstract services, its services those of concrete
   *     ones
   * @param now beginning of the plan
   * @param problems receives each service that is unknown, not valid, or does not serve its task
   */
  public BrokerProblem applied(BrokerProblem problem, Instant now, List<String> problems) {
    List<AbstractTask> tasks = new ArrayList<>();
    for (AbstractTask task : problem.tasks()) {
      List<ConcreteService> promised = new ArrayList<>();
      boolean repeatable = !keepsState(task.id());
      for (ConcreteService each : task.services()) {
        Optional<RegisteredService> found = service(each.id());
        check(task, each.id(), found, now, problems);
        promised.add(found.map(RegisteredService::promise).orElse(each));
        repeatable &= found.map(RegisteredService::idempotent).orElse(true);
      }
      Set<CoordinationPattern> patterns =
          repeatable ? task.patterns() : Set.of(CoordinationPattern.SINGLE);
      tasks.add(new AbstractTask(task.id(), promised, patterns));
    }
    List<ConcreteService> all =
        problem.services().stream()
            .map(each -> service(each.id()).map(RegisteredService::promise).orElse(each))
            .toList();
    return new BrokerProblem(
        problem.id(),
        problem.options(),
        problem.process(),
        all,
        tasks,
        problem.classes(),
        problem.admission());
  }

  private static void check(
      AbstractTask task,
      String id,
      Optional<RegisteredService> found,
      Instant now,
      List<String> problems) {
    String wanted = "expected a registered service for " + task.id() + ", found ";
    if (found.isEmpty()) {
      problems.add(wanted + id + ", which is not registered");
    } else if (!found.get().serves().contains(task.id())) {
      problems.add(wanted + id + ", which serves " + String.join(", ", found.get().serves()));
    } else if (!found.get().isValidAt(now)) {
      problems.add(wanted + id + ", which is not valid now");
    }
  }
}
