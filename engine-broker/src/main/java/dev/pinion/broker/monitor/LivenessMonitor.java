package dev.pinion.broker.monitor;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Liveness of services by probes: {@link #TO_DOWN} failures in a row make a service down, {@link
 * #TO_UP} successes in a row bring it back. Any thread.
 */
public final class LivenessMonitor {
  /** Probes in a row that must fail. */
  public static final int TO_DOWN = 3;

  /** Probes in a row that must succeed. */
  public static final int TO_UP = 5;

  private final Map<String, Integer> against = new HashMap<>();
  private final Set<String> down = new TreeSet<>();

  /** Change by a probe. */
  public enum Change {
    /** It is down now. */
    DOWN,
    /** It is back. */
    UP
  }

  /**
   * A monitor.
   *
   * @param known services known to be down; all others are up
   */
  public LivenessMonitor(Set<String> known) {
    down.addAll(known);
  }

  /** Handles a probe. */
  public synchronized Optional<Change> probed(String service, boolean alive) {
    boolean isDown = down.contains(service);
    if (alive != isDown) {
      against.remove(service); // unchanged
      return Optional.empty();
    }
    int inRow = against.merge(service, 1, Integer::sum);
    if (inRow < (isDown ? TO_UP : TO_DOWN)) {
      return Optional.empty();
    }
    against.remove(service);
    if (isDown) {
      down.remove(service);
      return Optional.of(Change.UP);
    }
    down.add(service);
    return Optional.of(Change.DOWN);
  }

  /** Drops services that do not exist any more. */
  public synchronized void retain(Collection<String> services) {
    against.keySet().retainAll(services);
    down.retainAll(services);
  }

  /** The services that are down. */
  public synchronized Set<String> down() {
    return Set.copyOf(down);
  }
}
