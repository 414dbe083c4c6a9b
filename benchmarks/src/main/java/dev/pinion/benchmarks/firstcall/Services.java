package dev.pinion.benchmarks.firstcall;

import dev.pinion.workloads.stub.StubService;
import dev.pinion.workloads.stub.StubSettings;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.Deque;

/** Services that nobody has called yet, a new address each time. */
final class Services implements AutoCloseable {
  /** Services that listen at the same time; those before them are closed. */
  private static final int KEPT = 4;

  private final Deque<StubService> open = new ArrayDeque<>();

  /** Where a new one listens. */
  URI next() {
    if (open.size() == KEPT) {
      open.removeFirst().close();
    }
    StubService service = StubService.start(StubSettings.standard());
    open.addLast(service);
    return service.uri();
  }

  @Override
  public void close() {
    open.forEach(StubService::close);
  }
}
