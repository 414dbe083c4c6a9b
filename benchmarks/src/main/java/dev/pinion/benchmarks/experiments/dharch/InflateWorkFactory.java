package dev.pinion.benchmarks.experiments.dharch;

import dev.pinion.handlers.api.Settings;
import java.util.zip.CRC32;
import java.util.zip.Inflater;

/** Handler A of the paper: decompresses the first part of a {@link TwoPartMessage}. */
public final class InflateWorkFactory extends WorkFactory {
  /** Its name in chains. */
  static final String NAME = "bench-inflate";

  private static final int BLOCK = 1 << 15;

  /** For the service loader. */
  public InflateWorkFactory() {
    super(NAME, "Inflates the first part of a message of the experiments.");
  }

  @Override
  BodyWork work(Settings settings) {
    return body -> {
      TwoPartMessage parts = TwoPartMessage.read(body);
      Inflater inflater = new Inflater();
      try {
        inflater.setInput(parts.first());
        CRC32 checksum = new CRC32();
        byte[] block = new byte[BLOCK];
        while (!inflater.finished()) {
          int length = inflater.inflate(block);
          if (length == 0 && inflater.needsInput()) {
            throw new IllegalArgumentException("expected a whole compressed part, found its begin");
          }
          checksum.update(block, 0, length);
        }
        return result(inflater.getBytesWritten() + " B, CRC " + checksum.getValue());
      } finally {
        inflater.end();
      }
    };
  }
}
