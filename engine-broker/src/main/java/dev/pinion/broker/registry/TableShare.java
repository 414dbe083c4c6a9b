package dev.pinion.broker.registry;

import dev.pinion.broker.model.CoordinationPattern;
import java.util.List;

/**
 * A share of the calls of an abstract service by a class.
 *
 * @param pattern cooperation of the services
 * @param services names, in the order of their calls
 * @param fraction in (0, 1]
 */
public record TableShare(CoordinationPattern pattern, List<String> services, double fraction) {
  /** Copies the list. */
  public TableShare {
    services = List.copyOf(services);
  }
}
