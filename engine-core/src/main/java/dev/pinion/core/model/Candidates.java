package dev.pinion.core.model;

import java.util.List;

/**
 * Who does a call of an abstract service, in which pattern. Immutable; any thread.
 *
 * @param pattern how they answer together
 * @param services in the order of their calls
 */
public record Candidates(Pattern pattern, List<ServiceEndpoint> services) {
  /** The most services of one pattern. */
  public static final int MAX_SERVICES = 8;

  /** How services answer together. */
  public enum Pattern {
    /** One service. */
    SINGLE,
    /** One after the other, until one succeeds. */
    ALTERNATE,
    /** All at once; the first success cancels the others. */
    PARALLEL
  }

  /**
   * Copies the list.
   *
   * @throws IllegalArgumentException when there are too few or too many services for the pattern,
   *     or several of which one must not be repeated: nobody knows whether a service whose answer
   *     is lost has done what another one would do again
   */
  public Candidates {
    services = List.copyOf(services);
    int least = pattern == Pattern.SINGLE ? 1 : 2;
    int most = pattern == Pattern.SINGLE ? 1 : MAX_SERVICES;
    if (services.size() < least || services.size() > most) {
      throw new IllegalArgumentException(
          "expected "
              + (least == most ? "one service" : least + " to " + most + " services")
              + " in the pattern "
              + pattern
              + ", found "
              + services.size());
    }
    if (pattern != Pattern.SINGLE) {
      for (ServiceEndpoint each : services) {
        if (!each.idempotent()) {
          throw new IllegalArgumentException(
              "expected idempotent services in the pattern "
                  + pattern
                  + ", found \""
                  + each.id()
                  + "\", which is not");
        }
      }
    }
  }

  /** One service. */
  public static Candidates single(ServiceEndpoint service) {
    return new Candidates(Pattern.SINGLE, List.of(service));
  }

  /** The first to be called. */
  public ServiceEndpoint first() {
    return services.getFirst();
  }

  /** Whether the call is that of one service, and nothing of it is to be evaluated. */
  public boolean isPlain() {
    return pattern == Pattern.SINGLE && first().isPlain();
  }

  /** Whether a call that is made again must go to the same service. */
  public boolean mustBeKept() {
    return !first().idempotent(); // the only one, then
  }
}
