package dev.pinion.benchmarks.experiments.dharch;

import dev.pinion.handlers.api.AsyncHandler;
import dev.pinion.handlers.api.Declaration;
import dev.pinion.handlers.api.Handler;
import dev.pinion.handlers.api.HandlerFactory;
import dev.pinion.handlers.api.Settings;
import dev.pinion.handlers.api.Verdict;
import dev.pinion.handlers.api.View;
import dev.pinion.handlers.api.Work;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;

/**
 * Simulates a remote service that serves one message at a time and takes {@code micros} for each:
 * it waits instead of computing.
 */
public final class StationFactory implements HandlerFactory {
  /** Its name in chains. */
  static final String NAME = "bench-station";

  private static final int MAX_MICROS = 10_000_000;
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  /** For the service loader. */
  public StationFactory() {}

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String summary() {
    return "Waits for a service that serves one message of the experiments at a time.";
  }

  @Override
  public Handler create(Settings settings) {
    return new Station(settings.integer("micros", 1_000, 1, MAX_MICROS) * 1_000L);
  }

  private static final class Station implements AsyncHandler {
    private final ExecutorService server =
        Executors.newSingleThreadExecutor(Thread.ofPlatform().daemon().name("station").factory());
    private final long nanos;

    Station(long nanos) {
      this.nanos = nanos;
    }

    @Override
    public Declaration declaration() {
      return Declaration.NOTHING.with(Work.IO).mandatory().within(PATIENCE);
    }

    @Override
    public void begin(View message, Reply reply) {
      server.execute(
          () -> {
            long end = System.nanoTime() + nanos;
            for (long left = nanos; left > 0; left = end - System.nanoTime()) {
              LockSupport.parkNanos(left);
            }
            reply.done(Verdict.UNCHANGED);
          });
    }

    @Override
    public void close() {
      server.shutdown();
    }
  }
}
