package dev.pinion.benchmarks.experiments.dharch;

import dev.pinion.handlers.api.Changes;
import dev.pinion.handlers.api.Declaration;
import dev.pinion.handlers.api.EffectClass;
import dev.pinion.handlers.api.Settings;
import dev.pinion.handlers.api.Work;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Resource state of the paper's Table 1 (WSRF): reads the stored properties of a resource, updates
 * {@code size} of them, one after the other, each on the disk before the next, and records the
 * previous values.
 */
public final class StateWorkFactory extends WorkFactory {
  /** Its name in chains. */
  static final String NAME = "bench-state";

  private static final int PROPERTY_BYTES = 512;
  private static final int MAX_PROPERTIES = 1_024;

  /** For the service loader. */
  public StateWorkFactory() {
    super(NAME, "Updates stored state of a resource of the experiments.");
  }

  @Override
  Declaration declaration() {
    return super.declaration().with(Work.IO).with(EffectClass.ATOMIC);
  }

  @Override
  BodyWork work(Settings settings) {
    return new ResourceUpdate(settings.integer("size", 1, 1, MAX_PROPERTIES));
  }

  private final class ResourceUpdate implements BodyWork {
    private final TemporaryFile file = TemporaryFile.open("state");
    private final int properties;

    ResourceUpdate(int properties) {
      this.properties = properties;
    }

    @Override
    public synchronized Changes of(byte[] body) throws IOException {
      for (int property = 0; property < properties; property++) {
        long at = (long) property * PROPERTY_BYTES;
        ByteBuffer state = ByteBuffer.wrap(file.read(at, PROPERTY_BYTES));
        state.putLong(0, state.getLong(0) + 1); // its version
        int length = Math.min(body.length, PROPERTY_BYTES - Long.BYTES);
        state.put(Long.BYTES, body, 0, length);
        file.writeForced(state, at);
      }
      return result(properties + " properties");
    }

    @Override
    public void close() {
      file.close();
    }
  }
}
