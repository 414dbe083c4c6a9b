package dev.pinion.broker.service;

import dev.pinion.broker.model.ConcreteService;
import dev.pinion.broker.model.CoordinationPattern;
import dev.pinion.broker.registry.PublishedTable;
import dev.pinion.broker.registry.RegisteredService;
import dev.pinion.broker.registry.ServiceRegistry;
import dev.pinion.broker.registry.TableShare;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Removes unusable services from a table, where no solver can find the best one. Shares without
 * them keep their proportions; a task with none left goes to the most reliable of its services; a
 * task without any service stays as it was, since its calls would fail otherwise.
 */
final class TableRepair {
  /** The most reliable one; of several the fastest, then the cheapest. */
  private static final Comparator<RegisteredService> BEST =
      Comparator.comparing(
          RegisteredService::promise,
          Comparator.comparingDouble(ConcreteService::reliability)
              .reversed()
              .thenComparingDouble(ConcreteService::response)
              .thenComparingDouble(ConcreteService::cost)
              .thenComparing(ConcreteService::id));

  private final ServiceRegistry serviceRegistry;
  private final Instant now;
  private final Set<String> down;

  /**
   * A repair by the registered services.
   *
   * @param down services that do not answer
   */
  TableRepair(ServiceRegistry serviceRegistry, Instant now, Set<String> down) {
    this.down = Set.copyOf(down);
    this.serviceRegistry = serviceRegistry;
    this.now = now;
  }

  /** The table without services that are gone; the same bindings when none is. */
  PublishedTable of(PublishedTable table) {
    Map<String, Map<String, List<TableShare>>> repaired = new LinkedHashMap<>();
    table
        .bindings()
        .forEach(
            (serviceClass, services) -> {
              Map<String, List<TableShare>> ofClass = new LinkedHashMap<>();
              services.forEach((service, shares) -> ofClass.put(service, shares(service, shares)));
              repaired.put(serviceClass, ofClass);
            });
    return new PublishedTable(
        table.version(),
        table.defaultClass(),
        known(table),
        repaired,
        table.callers(),
        table.rates(),
        table.served());
  }

  private List<TableShare> shares(String service, List<TableShare> shares) {
    List<TableShare> left =
        shares.stream().filter(each -> each.services().stream().allMatch(this::isValid)).toList();
    if (left.size() == shares.size()) {
      return shares;
    }
    if (left.isEmpty()) {
      return serviceRegistry.services().stream()
          .filter(each -> isValid(each.id()) && each.serves().contains(service))
          .min(BEST)
          .map(each -> List.of(new TableShare(CoordinationPattern.SINGLE, List.of(each.id()), 1)))
          .orElse(shares);
    }
    double sum = left.stream().mapToDouble(TableShare::fraction).sum();
    return left.stream()
        .map(each -> new TableShare(each.pattern(), each.services(), each.fraction() / sum))
        .toList();
  }

  private boolean isValid(String id) {
    return !down.contains(id)
        && serviceRegistry.service(id).filter(each -> each.isValidAt(now)).isPresent();
  }

  /** The registered services, and those that only the table still has. */
  private ServiceRegistry known(PublishedTable table) {
    ServiceRegistry all = serviceRegistry;
    for (RegisteredService each : table.registry().services()) {
      if (all.service(each.id()).isEmpty()) {
        all = all.with(each);
      }
    }
    return all;
  }
}
