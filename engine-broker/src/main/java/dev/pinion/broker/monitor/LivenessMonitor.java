package dev.pinion.broker.monitor;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Who is down, by probes: {@link #TO_DOWN} in a row that fail make a service down, {@link #TO_UP}
 * in a row that succeed bring it back. Any thread.
 */
public final class LivenessMonitor {
  /** Probes in a row that must fail. */
  public static final int TO_DOWN = 3;

  /** Probes in a row that must succeed. */
  public static final int TO_UP = 5;

  private final Map<String, Integer> against = new HashMap<>();
  private final Set<String> down = new TreeSet<>();

  /** What a probe has changed. */
  public enum Change {
    /** It is down now. */
    DOWN,
    /** It is back. */
    UP
  }

  /**
   * All others are up.
   *
   * @param known who is down, as far as is known already
   */
  public LivenessMonitor(Set<String> known) {
    down.addAll(known);
  }

  /** Takes a probe into account. */
  public synchronized Optional<Change> probed(String service, boolean alive) {
    boolean isDown = down.contains(service);
    if (alive != isDown) {
      against.remove(service); // as it is known
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

  /** Forgets services that there are no more. */
  public synchronized void keep(Collection<String> services) {
    against.keySet().retainAll(services);
    down.retainAll(services);
  }

  /** Who is down. */
  public synchronized Set<String> down() {
    return Set.copyOf(down);
  }
}
