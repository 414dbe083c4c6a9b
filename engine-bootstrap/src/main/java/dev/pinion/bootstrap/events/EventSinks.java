package dev.pinion.bootstrap.events;

import dev.pinion.bootstrap.history.publish.HttpSender;
import dev.pinion.bootstrap.settings.EventSinkSpec;
import dev.pinion.bootstrap.settings.SinkPolicy;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.metrics.MetricFamilies;
import dev.pinion.core.model.Clock;
import dev.pinion.core.stage.AncillaryThreadFactory;
import dev.pinion.core.stage.ThreadSetup;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends the events that instances emit to the sinks of the configuration. One replica does so at a
 * time, the one that holds a lock; when its process ends, another one continues where it stopped.
 */
final class EventSinks implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(EventSinks.class);

  /** Time between two attempts to become the one that sends. */
  private static final long LOCK_MILLIS = 2_000;

  /** Time between two updates of what is stored of the progress. */
  private static final long STORE_MILLIS = 1_000;

  private final Path file;
  private final EngineLimits limits;
  private final Clock clock;
  private final ThreadSetup threads;
  private final ExecutorService responses;
  private final HttpSender sender;
  private final List<SinkDelivery> deliveries;
  private final Thread thread;
  private volatile boolean closed;
  private boolean failing;

  /** Whether deliveries continue where their sinks were; false after a failure. */
  private boolean begun;

  private long storedAtMillis;
  private @Nullable FileChannel channel;
  private @Nullable FileLock lock;
  private @Nullable SinkProgress progress;

  /**
   * The sinks of a replica; its thread begins with {@link #start}.
   *
   * @param file the database of events
   */
  EventSinks(
      Path file,
      List<EventSinkSpec> sinks,
      SinkPolicy policy,
      EngineLimits limits,
      Clock clock,
      ThreadSetup threads) {
    this.file = file;
    this.limits = limits;
    this.clock = clock;
    this.threads = threads;
    this.responses =
        Executors.newSingleThreadExecutor(new AncillaryThreadFactory("event-responses", threads));
    Duration timeout = Duration.ofMillis(limits.publish().timeoutMillis());
    this.sender = new HttpSender(responses, timeout, policy);
    this.deliveries =
        sinks.stream()
            .map(sink -> new SinkDelivery(sink, limits.publish(), sender, this::wake))
            .toList();
    this.thread = new Thread(this::run, "event-sinks");
    thread.setDaemon(true);
  }

  /**
   * Begins. From now on events are kept for these sinks, and for no others: those that are emitted
   * before the thread runs reach new sinks as well.
   */
  void start() {
    try {
      SinkProgress _ = progress();
    } catch (SQLException | RuntimeException e) {
      fail(e);
    }
    thread.start();
  }

  /** Events were emitted. Any thread. */
  void wake() {
    LockSupport.unpark(thread);
  }

  private void run() {
    threads.prepare("event-sinks", ThreadSetup.ThreadKind.ANCILLARY);
    while (!closed) {
      long pause = limits.events().pollMillis();
      try {
        if (isSender()) {
          work();
          failing = false;
        } else {
          pause = LOCK_MILLIS;
        }
      } catch (IOException | SQLException | RuntimeException e) {
        fail(e);
        pause = LOCK_MILLIS;
      }
      LockSupport.parkNanos(this, TimeUnit.MILLISECONDS.toNanos(pause));
    }
    release();
  }

  /** Whether this process is the one that sends. */
  private boolean isSender() throws IOException {
    if (lock != null) {
      return true;
    }
    FileChannel open =
        FileChannel.open(
            file.resolveSibling("sinks.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    try {
      lock = open.tryLock();
    } catch (OverlappingFileLockException e) {
      lock = null; // of another replica in this process
    } finally {
      if (lock == null) {
        open.close();
      }
    }
    if (lock == null) {
      return false;
    }
    channel = open;
    begun = false; // another one may have gone on
    return true;
  }

  private void work() throws SQLException {
    SinkProgress known = progress();
    if (!begun) {
      for (SinkDelivery delivery : deliveries) {
        delivery.begin(known.open(delivery.sink));
      }
      begun = true;
    }
    long nowMillis = clock.epochMillis();
    long end = known.end();
    for (SinkDelivery delivery : deliveries) {
      delivery.work(known, end, nowMillis);
    }
    if (Math.abs(nowMillis - storedAtMillis) >= STORE_MILLIS) {
      storedAtMillis = nowMillis;
      for (SinkDelivery delivery : deliveries) {
        delivery.bound(known, end, limits.events().maxSinkLag());
        store(known, delivery);
      }
    }
  }

  private static void store(SinkProgress known, SinkDelivery delivery) throws SQLException {
    long position = delivery.unstored();
    if (position >= 0) {
      known.store(delivery.sink, position);
    }
  }

  private SinkProgress progress() throws SQLException {
    SinkProgress known = progress;
    if (known == null) {
      known = new SinkProgress(EventDatabase.open(file, limits));
      progress = known;
      known.retain(deliveries.stream().map(delivery -> delivery.sink).toList());
      for (SinkDelivery delivery : deliveries) {
        long _ = known.open(delivery.sink);
      }
      begun = false;
    }
    return known;
  }

  private void fail(Exception cause) {
    if (!failing) {
      LOG.error("emitted events cannot be read in {}: {}", file, cause.getMessage());
    }
    failing = true;
    closeProgress();
  }

  private void closeProgress() {
    if (progress != null) {
      progress.close();
      progress = null;
    }
  }

  private void release() {
    try {
      if (progress != null && begun) {
        for (SinkDelivery delivery : deliveries) {
          store(progress, delivery);
        }
      }
      if (channel != null) {
        channel.close(); // with the lock
      }
    } catch (IOException | SQLException | RuntimeException e) {
      LOG.warn("the progress of event sinks could not be stored: {}", e.getMessage());
    }
    closeProgress();
  }

  /** Adds the present metrics. Any thread. */
  void addMetrics(MetricFamilies families) {
    for (SinkDelivery delivery : deliveries) {
      String name = delivery.sink.name();
      families.counter(
          "pinion_event_sink_delivered_total",
          "Emitted events that a sink has accepted.",
          delivery.delivered(),
          "sink",
          name);
      families.counter(
          "pinion_event_sink_failures_total",
          "Attempts to deliver an emitted event that failed.",
          delivery.failed(),
          "sink",
          name);
      families.counter(
          "pinion_event_sink_lost_total",
          "Emitted events that a sink did not get, as too many waited for it.",
          delivery.lost(),
          "sink",
          name);
    }
  }

  @Override
  public void close() {
    closed = true;
    wake();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    sender.close();
    responses.shutdownNow();
  }
}
