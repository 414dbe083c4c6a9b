package dev.pinion.core.binding;

import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Binding of an abstract service for one service class. Immutable except for the state of the
 * choice; any thread.
 */
public final class BoundService {
  private final boolean stateful;
  private final Map<String, ServiceCandidates> singles;
  private final Supplier<ServiceCandidates> choice;

  /**
   * A binding.
   *
   * @param stateful whether all calls of an instance go where its first one goes
   * @param singles every concrete service that may be called alone, by its name; includes services
   *     without a share now, for calls that were bound to them before
   * @param choice supplier of the candidates for the next call; must not block
   */
  public BoundService(
      boolean stateful,
      Map<String, ServiceCandidates> singles,
      Supplier<ServiceCandidates> choice) {
    this.stateful = stateful;
    this.singles = Map.copyOf(singles);
    this.choice = choice;
  }

  /** A binding to one service. */
  public static BoundService single(ServiceEndpoint service) {
    ServiceCandidates only = ServiceCandidates.single(service);
    return new BoundService(false, Map.of(service.id(), only), () -> only);
  }

  /** Whether all calls of an instance go where its first one goes. */
  public boolean isStateful() {
    return stateful;
  }

  /** Candidates for the next call. */
  public ServiceCandidates next() {
    return choice.get();
  }

  /**
   * Candidates that a call was bound to, by {@link ServiceCandidates#name}; null when a service has
   * been removed.
   *
   * @param name of one service, or of several in a pattern
   */
  public @Nullable ServiceCandidates named(String name) {
    return ServiceCandidates.of(name, singles::get);
  }
}
