package dev.pinion.core.engine;

import dev.pinion.core.journal.DurableLog;
import dev.pinion.core.journal.store.LogOpeningReport;
import dev.pinion.core.journal.store.RecordLog;
import dev.pinion.core.stage.Wakeup;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The log on this machine. Its lock excludes other writers, and a commit waits for the disk. */
final class LocalLog implements DurableLog {
  private static final Logger LOG = LoggerFactory.getLogger(LocalLog.class);

  /** Bytes of a record on disk beside its payload, rounded up. */
  private static final int RECORD_OVERHEAD = 40;

  private final RecordLog log;
  private final Listener listener;

  /** Receives what was written. Called by the writer's thread. */
  interface Listener {
    /** A record of so many bytes was appended. */
    void onAppended(int bytes);

    /** All appended records are durable. */
    void onForced() throws IOException;
  }

  /** A log that is open. */
  LocalLog(RecordLog log, Listener listener) {
    this.log = log;
    this.listener = listener;
  }

  /** Logs what the opening of the log mended or noticed. */
  static void report(LogOpeningReport report) {
    LogOpeningReport.TornTail tornTail = report.cut();
    if (tornTail != null) {
      LOG.warn(
          "cut off {} bytes at {} of {}: a batch that was never acknowledged",
          tornTail.bytes(),
          tornTail.offset(),
          tornTail.file());
    }
    report.notes().forEach(note -> LOG.warn("{}", note));
  }

  @Override
  public long submit(int partition, int epoch, byte kind, ByteBuffer payload) throws IOException {
    int bytes = payload.remaining() + RECORD_OVERHEAD;
    long position = log.append(partition, epoch, kind, payload);
    listener.onAppended(bytes);
    return position;
  }

  @Override
  public void commit() throws IOException {
    log.force();
    listener.onForced();
  }

  @Override
  public long durable() {
    return log.durable();
  }

  @Override
  public void attach(Wakeup writer) {
    // its commit waits
  }
}
