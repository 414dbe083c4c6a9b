package dev.pinion.bootstrap.events;

import dev.pinion.core.events.EventFeeder;
import dev.pinion.core.events.EventLog;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.spi.EventSubscriber.LoggedEvent;
import dev.pinion.core.spi.ExternalEvents.KernelFeed;
import java.io.IOException;
import java.sql.SQLException;
import java.util.List;

/**
 * Feeds the kernels of a replica from the store of its lane, which is opened again after a failure.
 * Used by one thread at a time.
 */
final class KernelFeeding implements EventLog {
  private final OpenStore store;
  private final EventFeeder feeder;

  /** Opens the store, unless it is open. */
  interface OpenStore {
    /** The open store. */
    EventStore get() throws SQLException;
  }

  KernelFeeding(OpenStore store, List<KernelFeed> kernels, EngineLimits limits) {
    this.store = store;
    this.feeder = new EventFeeder(this, kernels, limits);
  }

  /** Feeds the kernels; returns whether any was fed. */
  boolean work(long nowMillis) throws IOException {
    return feeder.work(nowMillis);
  }

  /** Tells kernels the end of the log. Before its events are acknowledged. */
  void tellEnd() throws IOException {
    feeder.tellEnd(end());
  }

  /** Tells kernels that there is no event yet. */
  void tellNoEvents() {
    feeder.tellEnd(0);
  }

  /** Whether any kernel has instances that listen. */
  boolean isListening() {
    return feeder.isListening();
  }

  private StoredEventLog log() throws IOException {
    try {
      return store.get().log();
    } catch (SQLException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  @Override
  public long end() throws IOException {
    return log().end();
  }

  @Override
  public List<LoggedEvent> read(long after, int most, long mostBytes) throws IOException {
    return log().read(after, most, mostBytes);
  }

  @Override
  public long[] cursors() throws IOException {
    return log().cursors();
  }

  @Override
  public long before(long epochMillis) throws IOException {
    return log().before(epochMillis);
  }

  @Override
  public void save(List<CursorUpdate> cursors, List<Long> consumed, long nowMillis)
      throws IOException {
    log().save(cursors, consumed, nowMillis);
  }

  @Override
  public ConsumedEvents consumed(long mark) throws IOException {
    return log().consumed(mark);
  }
}
