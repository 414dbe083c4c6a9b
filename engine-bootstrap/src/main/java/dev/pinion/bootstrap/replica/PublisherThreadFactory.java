package dev.pinion.bootstrap.replica;

import dev.pinion.bootstrap.process.ReplicaSettings;
import dev.pinion.bootstrap.topology.CpuSet;
import dev.pinion.core.stage.ThreadSetup;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Creates the threads of publishers: on the ancillary CPUs of the plan, where event loops have
 * separate CPUs.
 */
final class PublisherThreadFactory implements ThreadFactory {
  private final ThreadPinning pinning;
  private final AtomicInteger numbers = new AtomicInteger();

  PublisherThreadFactory(ReplicaSettings settings) {
    this.pinning = new ThreadPinning(settings.pins(), CpuSet.parse(settings.ancillaryCpus()));
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
