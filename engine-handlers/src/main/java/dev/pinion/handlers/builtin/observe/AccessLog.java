package dev.pinion.handlers.builtin.observe;

import dev.pinion.core.model.Clock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes records to a file on a separate thread. Records that do not fit into its queue are dropped
 * and counted; a line of the log gives their number as soon as there is room. Safe for use by any
 * thread.
 */
final class AccessLog implements AutoCloseable {
  /** Longest time that closing waits for the queue. */
  static final Duration CLOSE_WAIT = Duration.ofSeconds(10);

  private static final Logger LOG = LoggerFactory.getLogger(AccessLog.class);
  private static final int MAX_BATCH = 256;

  private final Path path;
  private final Clock clock;
  private final BlockingQueue<Optional<AccessRecord>> queue = new LinkedBlockingQueue<>();
  private final Thread writer;
  private final AtomicLong written = new AtomicLong();
  private final AtomicLong dropped = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();
  private volatile AccessLogSettings accessLogSettings;
  private volatile boolean closed;

  // Used by the writing thread only.
  private @Nullable RotatingFile file;
  private long droppedTold;
  private boolean failing;

  /** Opens the file. */
  AccessLog(Path path, AccessLogSettings accessLogSettings, Clock clock) throws IOException {
    this.path = path;
    this.accessLogSettings = accessLogSettings;
    this.clock = clock;
    this.file = new RotatingFile(path, accessLogSettings.rotation, clock.epochMillis());
    this.writer =
        Thread.ofPlatform().daemon().name("access-log-" + path.getFileName()).unstarted(this::run);
  }

  /** Sets the terms in force from now on. */
  void adopt(AccessLogSettings other) {
    accessLogSettings = other;
  }

  /** Begins to write. */
  void start() {
    writer.start();
  }

  /** Queues a record; never waits. */
  void offer(AccessRecord told) {
    if (closed || queue.size() >= accessLogSettings.capacity || !queue.offer(Optional.of(told))) {
      dropped.incrementAndGet();
    }
  }

  long written() {
    return written.get();
  }

  long dropped() {
    return dropped.get();
  }

  long failed() {
    return failed.get();
  }

  private void run() {
    List<Optional<AccessRecord>> batch = new ArrayList<>(MAX_BATCH);
    while (!closed || !queue.isEmpty()) {
      try {
        batch.add(queue.take());
      } catch (InterruptedException e) {
        continue; // never interrupted; closing puts an empty record
      }
      queue.drainTo(batch, MAX_BATCH - 1);
      write(batch.stream().flatMap(Optional::stream).toList());
      batch.clear();
    }
    closeFile();
  }

  private void write(List<AccessRecord> batch) {
    StringBuilder lines = new StringBuilder(batch.size() * 300);
    batch.forEach(each -> each.write(lines));
    long lost = dropped.get();
    long now = clock.epochMillis();
    if (lost > droppedTold) {
      lines.append("{\"@timestamp\":\"").append(Instant.ofEpochMilli(now));
      lines.append("\",\"message\":\"").append(lost - droppedTold).append(" records dropped\"}\n");
    }
    try {
      RotatingFile to =
          file == null ? new RotatingFile(path, accessLogSettings.rotation, now) : file;
      file = to;
      to.adopt(accessLogSettings.rotation);
      to.append(ByteBuffer.wrap(lines.toString().getBytes(StandardCharsets.UTF_8)), now);
      written.addAndGet(batch.size());
      droppedTold = lost;
      failing = false;
    } catch (IOException e) {
      fail(batch.size(), e);
    }
  }

  private void fail(int records, IOException e) {
    failed.addAndGet(records);
    if (!failing) {
      LOG.error("expected the access log {} to take lines, found {}", path, e.toString());
    }
    failing = true;
    closeFile();
  }

  private void closeFile() {
    try {
      if (file != null) {
        file.close();
      }
    } catch (IOException e) {
      LOG.warn("the access log {} could not be closed: {}", path, e.toString());
    }
    file = null;
  }

  /** Writes the queued records, and ends. */
  @Override
  public void close() {
    closed = true;
    queue.add(Optional.empty()); // an interrupt would close the file under the writer
    try {
      if (!writer.join(CLOSE_WAIT)) {
        LOG.error("the access log {} was not done within {}", path, CLOSE_WAIT);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Settings of the log.
   *
   * @param rotation terms of rotation
   * @param capacity the most records that wait
   */
  record AccessLogSettings(RotatingFile.RotationPolicy rotation, int capacity) {}
}
