package dev.pinion.core.journal.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.journal.disk.Storage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The reference of a log: every record ever given to it, and how many were acknowledged. Snapshots
 * hold one entry for each record they replace, so every replay contains all records.
 */
public final class Ledger {
  static final int PARTITIONS = 4;
  static final LogId LOG = new LogId(0x1234, 0x5678);

  /** Payloads by position less one, in the order of attempts. */
  final List<String> attempted = new ArrayList<>();

  /** Positions up to here were acknowledged. */
  int acknowledged;

  public static LogSettings settings(LogLimits bounds) {
    return new LogSettings(PARTITIONS, "test", LOG, bounds);
  }

  public void append(RecordLog log, int bytes) throws IOException {
    int position = attempted.size() + 1;
    String payload = position + ":" + "x".repeat(bytes);
    attempted.add(payload);
    long given;
    try {
      given =
          log.append(
              position % PARTITIONS, position / 7, (byte) (position % 100), encoded(payload));
    } catch (IOException e) {
      attempted.removeLast();
      throw e;
    } finally {
      acknowledged = Math.max(acknowledged, (int) log.durable());
    }
    assertEquals(position, given);
  }

  public void force(RecordLog log) throws IOException {
    acknowledged = Math.max(acknowledged, (int) log.force());
    assertEquals(attempted.size(), log.durable());
  }

  /** Writes a snapshot of what is durable; does not adopt it. */
  public SnapshotWriter snapshot(RecordLog log) throws IOException {
    try (SnapshotWriter writer = log.snapshot()) {
      for (int i = 0; i < writer.position(); i++) {
        writer.entry((i + 1) % PARTITIONS, (byte) (i % 100), encoded(attempted.get(i)));
      }
      writer.finish();
      return writer;
    }
  }

  public void close(RecordLog log) throws IOException {
    log.close();
    acknowledged = attempted.size();
  }

  /** Opens the log of a disk and compares its content with this ledger. */
  public RecordLog reopen(Storage storage, LogLimits bounds) throws IOException {
    RecordLog log = RecordLog.open(storage, settings(bounds));
    check(replayed(log));
    return log;
  }

  /**
   * Checks that nothing acknowledged is missing and nothing was invented; then continues from it.
   */
  void check(List<String> found) {
    assertTrue(
        found.size() >= acknowledged,
        () -> "expected " + acknowledged + " acknowledged records, found " + found.size());
    assertTrue(
        found.size() <= attempted.size(),
        () -> "expected at most " + attempted.size() + " records, found " + found.size());
    assertEquals(attempted.subList(0, found.size()), found);
    attempted.subList(found.size(), attempted.size()).clear();
    acknowledged = found.size();
  }

  static List<String> replayed(RecordLog log) throws IOException {
    Collected collected = new Collected();
    log.replay(collected);
    return collected.payloads;
  }

  static ByteBuffer encoded(String payload) {
    return ByteBuffer.wrap(payload.getBytes(StandardCharsets.US_ASCII));
  }

  /** Visitor that gathers replayed records and checks the fields of each. */
  public static final class Collected implements RecordVisitor {
    public final List<String> payloads = new ArrayList<>();
    final List<String> audits = new ArrayList<>();

    @Override
    public void onEntry(int partition, byte kind, ByteBuffer payload) {
      assertEquals((payloads.size() + 1) % PARTITIONS, partition);
      assertEquals(payloads.size() % 100, kind);
      payloads.add(StandardCharsets.US_ASCII.decode(payload).toString());
    }

    @Override
    public void onRecord(long position, int partition, int epoch, byte kind, ByteBuffer payload) {
      assertEquals(payloads.size() + 1, position);
      assertEquals(position % PARTITIONS, partition);
      assertEquals(position / 7, epoch);
      assertEquals(position % 100, kind);
      payloads.add(StandardCharsets.US_ASCII.decode(payload).toString());
    }

    @Override
    public void onAudit(long position, String text) {
      audits.add(text);
    }
  }
}
