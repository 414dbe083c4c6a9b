package dev.pinion.benchmarks.experiments.dharch;

import dev.pinion.handlers.api.Changes;
import dev.pinion.handlers.api.Declaration;
import dev.pinion.handlers.api.EffectClass;
import dev.pinion.handlers.api.Settings;
import dev.pinion.handlers.api.Work;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Handler C of the paper: writes {@code size} bytes of a message to a file, block by block. */
public final class StoreWorkFactory extends WorkFactory {
  /** Its name in chains. */
  static final String NAME = "bench-store";

  private static final int BLOCK = 4_096;

  /** For the service loader. */
  public StoreWorkFactory() {
    super(NAME, "Writes a message of the experiments to a file.");
  }

  @Override
  Declaration declaration() {
    return super.declaration().with(Work.IO).with(EffectClass.ATOMIC);
  }

  @Override
  BodyWork work(Settings settings) {
    return new Storing(settings.integer("size", BLOCK, 1, MAX_SIZE));
  }

  private final class Storing implements BodyWork {
    private final TemporaryFile file = TemporaryFile.open("store");
    private final int size;

    Storing(int size) {
      this.size = size;
    }

    @Override
    public Changes of(byte[] body) throws IOException {
      int written = 0;
      while (written < size) {
        int from = body.length <= BLOCK ? 0 : written % (body.length - BLOCK);
        int length = Math.min(Math.min(BLOCK, body.length), size - written);
        file.write(ByteBuffer.wrap(body, from, Math.max(1, length)));
        written += Math.max(1, length);
      }
      return result(written + " B");
    }

    @Override
    public void close() {
      file.close();
    }
  }
}
