package dev.pinion.benchmarks.experiments.dharch;

import dev.pinion.handlers.api.Changes;
import dev.pinion.handlers.api.Declaration;
import dev.pinion.handlers.api.EffectClass;
import dev.pinion.handlers.api.Settings;
import dev.pinion.handlers.api.Work;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/**
 * Handler E of the paper, and the Logger of its Fig. 10: writes {@code size} bytes of a message to
 * a file as lines of hexadecimal text, line by line.
 */
public final class LogWorkFactory extends WorkFactory {
  /** Its name in chains. */
  static final String NAME = "bench-log";

  private static final int LINE = 64;

  /** For the service loader. */
  public LogWorkFactory() {
    super(NAME, "Logs messages of the experiments as text.");
  }

  @Override
  Declaration declaration() {
    return super.declaration().with(Work.IO).with(EffectClass.ATOMIC);
  }

  @Override
  BodyWork work(Settings settings) {
    return new Logging(settings.integer("size", LINE, 1, MAX_SIZE));
  }

  private final class Logging implements BodyWork {
    private final TemporaryFile file = TemporaryFile.open("log");
    private final int size;

    Logging(int size) {
      this.size = size;
    }

    @Override
    public Changes of(byte[] body) throws IOException {
      int lines = 0;
      for (int done = 0; done < size; done += LINE) {
        int from = body.length <= LINE ? 0 : done % (body.length - LINE);
        int to = from + Math.min(LINE, Math.min(body.length, size - done));
        String line = done + " " + HexFormat.of().formatHex(body, from, to) + "\n";
        file.write(ByteBuffer.wrap(line.getBytes(StandardCharsets.US_ASCII)));
        lines++;
      }
      return result(lines + " lines");
    }

    @Override
    public void close() {
      file.close();
    }
  }
}
