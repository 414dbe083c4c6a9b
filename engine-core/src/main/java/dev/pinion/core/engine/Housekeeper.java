package dev.pinion.core.engine;

import dev.pinion.core.stage.AncillaryThreadFactory;
import dev.pinion.core.stage.ThreadSetup;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The thread that keeps files ready for the journal, beside the one that writes it. */
final class Housekeeper {
  private static final Logger LOG = LoggerFactory.getLogger(Housekeeper.class);
  private static final long PERIOD_MILLIS = 1_000;

  private final ScheduledThreadPoolExecutor thread;

  Housekeeper(ThreadSetup threads) {
    this.thread =
        new ScheduledThreadPoolExecutor(
            1,
            new AncillaryThreadFactory("safe-store", threads),
            new ThreadPoolExecutor.DiscardPolicy()); // requests at the end are not needed
  }

  /** Repeats chores once a second. They report their own failures. */
  @SuppressWarnings("FutureReturnValueIgnored")
  void start(Runnable chores) {
    thread.scheduleWithFixedDelay(chores, PERIOD_MILLIS, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** Does something soon. Any thread. */
  void execute(Runnable chore) {
    thread.execute(chore);
  }

  /** Ends the thread, and waits for the chore under way. */
  void stop(long seconds) {
    thread.shutdown();
    try {
      if (!thread.awaitTermination(seconds, TimeUnit.SECONDS)) {
        LOG.warn("the housekeeping of the journal did not stop within {} s", seconds);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
