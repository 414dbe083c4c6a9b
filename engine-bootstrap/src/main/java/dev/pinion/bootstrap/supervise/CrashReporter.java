package dev.pinion.bootstrap.supervise;

import dev.pinion.bootstrap.supervise.SupervisionEvents.EventKind;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Reports deaths of replicas on a thread that may wait for the disk, so that supervision does not.
 * At most {@link #MAX_WAITING} reports wait; each further one is dropped, with an event.
 */
public final class CrashReporter implements AutoCloseable {
  /** Reports that may wait while one is written. */
  static final int MAX_WAITING = CrashReports.MAX_FILES;

  /** Longest time for the last reports at the end. */
  private static final Duration LAST_REPORTS = Duration.ofSeconds(1);

  private final Store store;
  private final SupervisionEvents events;
  private final Executor writer;

  /** Store of reports. */
  @FunctionalInterface
  interface Store {
    /** Writes a report and returns its file. */
    Path keep(CrashReports.CrashReport crashReport) throws IOException;
  }

  /**
   * A reporter with a separate thread.
   *
   * @param reports the store of reports
   * @param events receives an event for each report
   */
  public CrashReporter(CrashReports reports, SupervisionEvents events) {
    this(reports::write, events, oneThread());
  }

  CrashReporter(Store store, SupervisionEvents events, Executor writer) {
    this.store = store;
    this.events = events;
    this.writer = writer;
  }

  /** An executor that runs one task after the other; refuses tasks while too many wait. */
  static ExecutorService oneThread() {
    return new ThreadPoolExecutor(
        1,
        1,
        0,
        TimeUnit.SECONDS,
        new ArrayBlockingQueue<>(MAX_WAITING),
        Thread.ofPlatform().daemon().name("crash-reports").factory());
  }

  /** Reports a death. Returns at once. */
  void report(CrashReports.CrashReport crashReport) {
    try {
      writer.execute(() -> write(crashReport));
    } catch (RejectedExecutionException e) {
      events.record(
          EventKind.SAID,
          crashReport.index(),
          "the report of this death is dropped: "
              + MAX_WAITING
              + " others wait for the disk of the data folder");
    }
  }

  private void write(CrashReports.CrashReport crashReport) {
    try {
      events.record(EventKind.EVIDENCE, crashReport.index(), "see " + store.keep(crashReport));
    } catch (IOException | RuntimeException e) {
      events.record(
          EventKind.SAID, crashReport.index(), "the report of this death cannot be written: " + e);
    }
  }

  /** Waits for the last reports, for a second at most. */
  @Override
  public void close() {
    if (writer instanceof ExecutorService service) {
      service.shutdown();
      try {
        boolean _ = service.awaitTermination(LAST_REPORTS.toMillis(), TimeUnit.MILLISECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
