package dev.pinion.benchmarks.experiments.globus;

import dev.pinion.workloads.stub.StubService;
import dev.pinion.workloads.stub.StubSettings;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** Services for one engine only. Used by one thread. */
final class FreshServices implements AutoCloseable {
  /** Number of new services that listen at the same time; older ones are closed. */
  private static final int KEPT = 4;

  private final Deque<StubService> open = new ArrayDeque<>();
  private @Nullable CallbackService late;

  /** A service that nobody has called yet, at a new address each time. */
  URI next() {
    if (open.size() == KEPT) {
      open.removeFirst().close();
    }
    StubService service = StubService.start(StubSettings.standard());
    open.addLast(service);
    return service.uri();
  }

  /** The service that responds later, always the same one. */
  CallbackService late() throws IOException {
    if (late == null) {
      late = new CallbackService();
    }
    return late;
  }

  @Override
  public void close() {
    open.forEach(StubService::close);
    if (late != null) {
      late.close();
    }
  }
}
