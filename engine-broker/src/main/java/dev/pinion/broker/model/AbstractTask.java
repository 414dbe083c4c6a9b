package dev.pinion.broker.model;

import java.util.List;
import java.util.Set;

/**
 * A task of a process, and the services that can do it.
 *
 * @param id its name, unique in a problem
 * @param services the services that can answer, each once
 * @param patterns the patterns allowed. An operation that must not be executed twice (book, pay)
 *     allows {@link CoordinationPattern#SINGLE} alone: a service that failed by timeout may have
 *     done it
 */
public record AbstractTask(
    String id, List<ConcreteService> services, Set<CoordinationPattern> patterns) {
  /** Copies both collections. */
  public AbstractTask {
    services = List.copyOf(services);
    patterns = Set.copyOf(patterns);
  }
}
