package dev.pinion.bootstrap.history.publish;

import dev.pinion.bootstrap.child.ThreadPinning;
import dev.pinion.bootstrap.settings.EffectiveSettings;
import dev.pinion.bootstrap.settings.ReplicaKey;
import dev.pinion.bootstrap.topology.CpuSet;
import dev.pinion.core.stage.ThreadSetup;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Creates the threads of publishers: on the ancillary CPUs of the plan, where event loops have
 * separate CPUs.
 */
public final class PublisherThreadFactory implements ThreadFactory {
  private final ThreadPinning pinning;
  private final AtomicInteger numbers = new AtomicInteger();

  public PublisherThreadFactory(EffectiveSettings settings) {
    this.pinning =
        new ThreadPinning(
            settings.get(ReplicaKey.PINS), CpuSet.parse(settings.get(ReplicaKey.ANCILLARY_CPUS)));
  }

  @Override
  public Thread newThread(Runnable work) {
    String role = "publisher-" + numbers.getAndIncrement();
    Thread thread =
        new Thread(
            () -> {
              pinning.prepare(role, ThreadSetup.ThreadKind.ANCILLARY);
              work.run();
            },
            role);
    thread.setDaemon(true);
    return thread;
  }
}
