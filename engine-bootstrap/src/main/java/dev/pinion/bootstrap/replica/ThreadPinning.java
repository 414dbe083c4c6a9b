package dev.pinion.bootstrap.replica;

import dev.pinion.bootstrap.topology.CpuSet;
import dev.pinion.core.stage.ThreadSetup;
import java.util.BitSet;
import java.util.concurrent.atomic.AtomicInteger;
import net.openhft.affinity.Affinity;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Pins event loops to CPUs, one to each, in the order in which they start, and keeps the other
 * threads of the engine off those CPUs where there are others.
 *
 * <p>A pinned thread hands its mask down to threads it starts. That is why ancillary threads get a
 * mask too: an event loop may have started them.
 */
final class ThreadPinning implements ThreadSetup {
  private static final Logger LOG = LoggerFactory.getLogger(ThreadPinning.class);

  private final int[] critical;
  private final CpuSet ancillary;
  private final AtomicInteger next = new AtomicInteger();

  /**
   * Pins to some CPUs.
   *
   * @param critical CPUs for event loops, none for no pinning at all; loops beyond their number are
   *     not pinned
   * @param ancillary CPUs for all other threads of the engine
   */
  ThreadPinning(CpuSet critical, CpuSet ancillary) {
    this.critical = critical.stream().toArray();
    this.ancillary = ancillary;
  }

  @Override
  public void prepare(String role, Kind kind) {
    if (critical.length == 0) {
      return;
    }
    if (kind == Kind.ANCILLARY) {
      apply(role, ancillary);
      return;
    }
    int place = next.getAndIncrement();
    if (place < critical.length) {
      apply(role, CpuSet.of(critical[place]));
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
