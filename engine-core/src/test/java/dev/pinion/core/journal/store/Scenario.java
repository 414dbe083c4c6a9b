package dev.pinion.core.journal.store;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A fixed life of a log: several small segments, forces, snapshots, deletions, one end by kill and
 * a clean one. A failure leaves the log of that moment here.
 */
public final class Scenario {
  public static final LogLimits BOUNDS = new LogLimits(4096, 600, 2048);

  final Ledger ledger = new Ledger();
  @Nullable RecordLog log;
  private final SimulatedStorage disk;

  Scenario(SimulatedStorage disk) {
    this.disk = disk;
  }

  /** Runs all of it, closed at the end. */
  void run() throws IOException {
    runUntilKilled();
    disk.killed();
    RecordLog again = open();
    grow(again, 10);
    snapshot(again);
    grow(again, 4);
    log = null;
    ledger.close(again);
  }

  /** Runs the first part, ended by a kill with a part of a batch written and not forced. */
  void runUntilKilled() throws IOException {
    RecordLog first = open();
    grow(first, 12);
    log = null;
    ledger.close(first);
    RecordLog second = open();
    second.preallocate();
    grow(second, 25);
    snapshot(second);
    second.preallocate();
    grow(second, 20);
    snapshot(second);
    grow(second, 20);
    for (int i = 0; i < 6; i++) {
      ledger.append(second, 500);
    }
    log = null;
  }

  RecordLog open() throws IOException {
    RecordLog opened = ledger.reopen(disk, BOUNDS);
    log = opened;
    return opened;
  }

  /** Appends records of different lengths, most of them forced. */
  void grow(RecordLog to, int records) throws IOException {
    for (int i = 0; i < records; i++) {
      ledger.append(to, (i * 37) % 190);
      if (i % 3 == 2) {
        ledger.force(to);
      }
    }
  }

  void snapshot(RecordLog of) throws IOException {
    of.adopt(ledger.snapshot(of));
    of.deleteObsolete();
  }
}
