package dev.pinion.core.events;

import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.metrics.MetricFamilies;
import dev.pinion.core.model.Clock;
import dev.pinion.core.model.Payload;
import dev.pinion.core.spi.ExternalEvents;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Events of an engine without a data folder: they end with its process, as its instances do. The
 * threads that post events and those of the kernels feed the kernels themselves. Any thread.
 */
public final class InMemoryEvents implements ExternalEvents {
  private final EngineLimits limits;
  private final Clock clock;
  private final CloudEventReader reader;
  private final InMemoryEventLog log; // guarded by this
  private @Nullable EventFeeder feeder; // guarded by this
  private long received; // guarded by this
  private long repeated; // guarded by this

  /** No events. */
  public InMemoryEvents(EngineLimits limits, Clock clock) {
    this.limits = limits;
    this.clock = clock;
    this.reader = new CloudEventReader(limits);
    this.log = new InMemoryEventLog(limits.events());
  }

  @Override
  public CompletableFuture<EventReceipt> post(String namespace, List<Payload> events) {
    List<ExternalEvent> read;
    try {
      read = reader.read(events);
    } catch (CloudEventReader.MalformedException e) {
      return CompletableFuture.completedFuture(
          new EventReceipt.Malformed(String.valueOf(e.getMessage())));
    }
    return CompletableFuture.completedFuture(append(namespace, read));
  }

  private synchronized EventReceipt append(String namespace, List<ExternalEvent> events) {
    long nowMillis = clock.epochMillis();
    EventReceipt receipt = log.append(namespace, events, nowMillis);
    if (receipt instanceof EventReceipt.StoreFull && forget(nowMillis)) {
      receipt = log.append(namespace, events, nowMillis);
    }
    if (receipt instanceof EventReceipt.Stored stored) {
      received += stored.accepted();
      repeated += stored.repeated();
      work();
    }
    return receipt;
  }

  /** Removes events that all kernels have passed; returns whether there were any. */
  private synchronized boolean forget(long nowMillis) {
    EventFeeder known = feeder;
    int before = log.size();
    try {
      if (known != null) {
        known.save(nowMillis);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return log.size() < before;
  }

  @Override
  public synchronized void feed(List<KernelFeed> kernels) {
    feeder = new EventFeeder(log, kernels, limits);
    kernels.forEach(kernel -> kernel.subscriber().attach(this::work));
    work();
  }

  private synchronized void work() {
    EventFeeder known = feeder;
    if (known != null) {
      try {
        known.work(clock.epochMillis());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  @Override
  public synchronized void addMetrics(MetricFamilies families) {
    work(); // those whom nobody heard may leave the log, and are counted then
    EventMetrics.add(families, received, repeated, log.dropped(), log.size());
  }
}
