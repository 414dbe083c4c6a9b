package dev.pinion.bootstrap.replica;

import dev.pinion.core.model.EngineLimits;
import dev.pinion.core.spi.Definitions;
import java.io.IOException;

/** Launches {@code dev.pinion.core.engine.Engine}. */
public final class CoreEngineLauncher implements EngineLauncher {
  private static final String MISSING = "the engine is not part of this build";

  /** Holds no state. */
  public CoreEngineLauncher() {}

  @Override
  public RunningEngine launch(Options options) throws IOException {
    throw new IOException(MISSING);
  }

  @Override
  public Definitions definitions(EngineLimits limits) {
    throw new UnsupportedOperationException(MISSING);
  }
}
