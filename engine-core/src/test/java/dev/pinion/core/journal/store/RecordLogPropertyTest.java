package dev.pinion.core.journal.store;

import java.io.IOException;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Random lives of logs against a list. */
class RecordLogPropertyTest {
  @Test
  void shouldAgreeWithAList() {
    run(1, 400);
  }

  @Test
  @Tag("long")
  void shouldAgreeWithAListManyTimes() {
    run(1_000_000, 8_000);
  }

  private static void run(long firstSeed, int cases) {
    System.out.printf("logs against a list: %d cases from seed %d%n", cases, firstSeed);
    for (long seed = firstSeed; seed < firstSeed + cases; seed++) {
      try {
        new Life(seed).run();
      } catch (IOException | RuntimeException | AssertionError e) {
        throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
      }
    }
  }

  /** One random life. */
  private static final class Life {
    private final Random random;
    private final SimulatedStorage disk = new SimulatedStorage();
    private final Ledger ledger = new Ledger();
    private LogLimits bounds;
    private RecordLog log;

    Life(long seed) throws IOException {
      random = new Random(seed);
      bounds = bounds();
      log = ledger.reopen(disk, bounds);
    }

    private LogLimits bounds() {
      return new LogLimits(
          2048 + 8 * random.nextInt(1000), 1000, RecordFormat.size(1000) + random.nextInt(4000));
    }

    void run() throws IOException {
      for (int step = 10 + random.nextInt(120); step > 0; step--) {
        try {
          act();
        } catch (SimulatedStorage.Crash e) {
          comeBack();
        }
      }
      disk.restart();
      log = ledger.reopen(disk, bounds);
      ledger.close(log);
      ledger.reopen(disk, bounds).close();
    }

    private void act() throws IOException {
      switch (random.nextInt(20)) {
        case 0 -> snapshot();
        case 1 -> log.preallocate();
        case 2 -> {
          ledger.close(log);
          log = ledger.reopen(disk, bounds);
        }
        case 3 -> disk.crashAt(1 + random.nextInt(40), random.nextLong());
        case 4 -> comeBack();
        case 5, 6, 7, 8 -> ledger.force(log);
        default -> ledger.append(log, random.nextInt(random.nextBoolean() ? 40 : 990));
      }
    }

    private void snapshot() throws IOException {
      if (log.durable() > 0) {
        SnapshotWriter writer = ledger.snapshot(log);
        if (random.nextBoolean()) {
          log.adopt(writer);
        }
        log.deleteObsolete();
      }
    }

    private void comeBack() throws IOException {
      if (random.nextBoolean()) {
        disk.restart();
      } else {
        disk.losePower(random.nextLong());
      }
      bounds = bounds();
      log = ledger.reopen(disk, bounds);
    }
  }
}
