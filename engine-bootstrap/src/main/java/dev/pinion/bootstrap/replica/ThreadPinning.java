package dev.pinion.bootstrap.replica;

import dev.pinion.bootstrap.topology.CpuSet;
import java.util.BitSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import net.openhft.affinity.Affinity;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Pins event loops to CPUs, one to each, in the order in which they start.
 *
 * <p>A pinned thread hands its mask down to threads it starts, so this is for threads that start
 * none. All other threads keep the mask of the process.
 */
final class ThreadPinning implements Consumer<String> {
  private static final Logger LOG = LoggerFactory.getLogger(ThreadPinning.class);

  private final int[] cpus;
  private final AtomicInteger next = new AtomicInteger();

  /**
   * Pins to some CPUs.
   *
   * @param cpus the CPUs, none for no pinning; threads beyond their number are not pinned
   */
  ThreadPinning(CpuSet cpus) {
    this.cpus = cpus.stream().toArray();
  }

  /** Pins the calling thread. */
  @Override
  public void accept(String role) {
    int place = next.getAndIncrement();
    if (place >= cpus.length) {
      return;
    }
    BitSet mask = new BitSet();
    mask.set(cpus[place]);
    Affinity.setAffinity(mask);
    if (Affinity.getAffinity().equals(mask)) {
      LOG.debug("{} is pinned to CPU {}", role, cpus[place]);
    } else {
      LOG.warn("{} could not be pinned to CPU {}", role, cpus[place]);
    }
  }
}
