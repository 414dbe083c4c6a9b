package dev.pinion.bootstrap.child;

import dev.pinion.bootstrap.topology.CpuSet;
import dev.pinion.core.stage.ThreadSetup;
import java.util.BitSet;
import java.util.Map;
import net.openhft.affinity.Affinity;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Pins event loops to CPUs by their names, and keeps the other threads of the engine off those CPUs
 * where there are others.
 *
 * <p>Threads inherit the mask of the pinned thread that starts them. Therefore ancillary threads
 * are assigned a mask too: an event loop may have started them.
 */
public final class ThreadPinning implements ThreadSetup {
  private static final Logger LOG = LoggerFactory.getLogger(ThreadPinning.class);

  private final Map<String, Integer> pins;
  private final CpuSet ancillary;

  /**
   * Creates the setup.
   *
   * @param pins CPUs of event loops by the name of their thread; empty for no pinning
   * @param ancillary CPUs for all other threads of the engine
   */
  public ThreadPinning(Map<String, Integer> pins, CpuSet ancillary) {
    this.pins = Map.copyOf(pins);
    this.ancillary = ancillary;
  }

  @Override
  public void prepare(String role, ThreadKind threadKind) {
    if (pins.isEmpty()) {
      return;
    }
    Integer cpu = pins.get(role);
    if (threadKind == ThreadKind.ANCILLARY) {
      apply(role, ancillary);
    } else if (cpu == null) {
      throw new IllegalStateException(
          "expected a CPU for each event loop of " + pins + ", found none for " + role);
    } else {
      apply(role, CpuSet.of(cpu));
    }
  }

  private static void apply(String role, CpuSet cpus) {
    BitSet mask = cpus.toBitSet();
    Affinity.setAffinity(mask);
    if (Affinity.getAffinity().equals(mask)) {
      LOG.debug("{} runs on CPUs {}", role, cpus);
    } else {
      LOG.warn("{} could not be assigned to CPUs {}", role, cpus);
    }
  }
}
