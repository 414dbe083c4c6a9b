package dev.pinion.core.journal.store;

import dev.pinion.core.journal.disk.FileStorage;
import java.io.IOException;
import java.nio.file.Path;

/** A process that holds a log open until its input ends. */
public final class LockHolder {
  private LockHolder() {}

  /** Opens the log of the named directory, reports that, and waits. */
  public static void main(String[] args) throws IOException {
    RecordLog log =
        RecordLog.open(new FileStorage(Path.of(args[0])), Ledger.settings(Scenario.BOUNDS));
    log.append(0, 0, (byte) 0, Ledger.encoded("held"));
    log.force();
    System.out.println("open");
    while (System.in.read() >= 0) {
      // until the test closes its end, or kills this process
    }
  }
}
