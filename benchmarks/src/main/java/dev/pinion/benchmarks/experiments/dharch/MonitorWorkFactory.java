package dev.pinion.benchmarks.experiments.dharch;

import dev.pinion.handlers.api.Changes;
import dev.pinion.handlers.api.Settings;
import java.util.concurrent.atomic.LongAdder;

/**
 * Handler D of the paper: counts messages and their bytes, and measures how evenly byte values are
 * spread in {@code size} bytes of them (entropy), like monitors that detect encrypted or damaged
 * traffic.
 */
public final class MonitorWorkFactory extends WorkFactory {
  /** Its name in chains. */
  static final String NAME = "bench-monitor";

  private static final int VALUES = 256;

  /** For the service loader. */
  public MonitorWorkFactory() {
    super(NAME, "Counts messages of the experiments and what they are made of.");
  }

  @Override
  BodyWork work(Settings settings) {
    return new Counting(settings.integer("size", 1_024, 1, MAX_SIZE));
  }

  private final class Counting implements BodyWork {
    private final LongAdder messages = new LongAdder();
    private final LongAdder bytes = new LongAdder();
    private final int size;

    Counting(int size) {
      this.size = size;
    }

    @Override
    public Changes of(byte[] body) {
      messages.increment();
      bytes.add(body.length);
      int[] counts = new int[VALUES];
      for (int i = 0, at = 0; i < size && body.length > 0; i++) {
        counts[body[at] & 0xff]++;
        at = at + 1 == body.length ? 0 : at + 1;
      }
      double bits = 0;
      for (int count : counts) {
        double share = (double) count / size;
        bits -= count == 0 ? 0 : share * Math.log(share) / Math.log(2);
      }
      return result(Math.round(bits * 100) + " hundredths of a bit");
    }
  }
}
