package dev.pinion.bootstrap.conformance;

import dev.pinion.core.invoker.ProtocolClient;
import dev.pinion.core.model.Clock;
import dev.pinion.core.settings.StageLayout;
import java.io.IOException;
import java.net.http.HttpClient;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Engines that scenarios use one after the other, as starting one takes longer than most scenarios.
 * An engine in which a scenario leaves anything behind is not used again. For any thread.
 */
final class EnginePool implements AutoCloseable {
  private final StageLayout layout;
  private final Supplier<ProtocolClient> protocols;
  private final HttpClient client;
  private final Clock clock;
  private final Deque<ConformanceEngine> idle = new ArrayDeque<>();

  /**
   * A pool without engines.
   *
   * @param protocols makes the client of protocols besides plain HTTP of an engine
   */
  EnginePool(
      StageLayout layout, Supplier<ProtocolClient> protocols, HttpClient client, Clock clock) {
    this.layout = layout;
    this.protocols = protocols;
    this.client = client;
    this.clock = clock;
  }

  /** An engine without definitions and instances under way. */
  ConformanceEngine take() throws IOException {
    ConformanceEngine engine = poll();
    return engine == null
        ? ConformanceEngine.start(layout, protocols.get(), client, clock)
        : engine;
  }

  private synchronized @Nullable ConformanceEngine poll() {
    return idle.pollLast();
  }

  /**
   * Takes an engine back.
   *
   * @param reusable whether another scenario may use it, if it can be cleared
   */
  void giveBack(ConformanceEngine engine, boolean reusable)
      throws IOException, InterruptedException {
    boolean cleared = false;
    try {
      cleared = reusable && engine.clear();
    } finally {
      if (cleared) {
        add(engine);
      } else {
        engine.close();
      }
    }
  }

  private synchronized void add(ConformanceEngine engine) {
    idle.addLast(engine);
  }

  @Override
  public synchronized void close() {
    idle.forEach(ConformanceEngine::close);
    idle.clear();
  }
}
