package dev.pinion.core.stage;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/** Makes named daemon threads for work off the critical path. */
public final class AncillaryThreadFactory implements ThreadFactory {
  private final String name;
  private final ThreadSetup setup;
  private final AtomicInteger number = new AtomicInteger();

  public AncillaryThreadFactory(String name, ThreadSetup setup) {
    this.name = name;
    this.setup = setup;
  }

  @Override
  public Thread newThread(Runnable work) {
    String role = name + "-" + number.getAndIncrement();
    Runnable prepared =
        () -> {
          setup.prepare(role, ThreadSetup.ThreadKind.ANCILLARY);
          work.run();
        };
    Thread thread = new Thread(prepared, role);
    thread.setDaemon(true);
    return thread;
  }
}
