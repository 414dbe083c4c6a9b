package dev.pinion.bootstrap.events;

import dev.pinion.bootstrap.events.WaitingEvents.PendingEvents;
import dev.pinion.bootstrap.settings.EventSinkSpec;
import dev.pinion.bootstrap.settings.SinkPolicy;
import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.events.CloudEventReader;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.metrics.MetricFamilies;
import dev.pinion.core.model.Clock;
import dev.pinion.core.model.DiskFullDetector;
import dev.pinion.core.model.Payload;
import dev.pinion.core.spi.ExternalEvents;
import dev.pinion.core.stage.ThreadSetup;
import dev.pinion.handlers.api.EventTable;
import dev.pinion.handlers.api.EventTables;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The lane of external events of one replica, with a separate thread: waiting events are stored
 * together in one forced transaction, applied to the tables here, and then acknowledged. The thread
 * also polls for events stored by other replicas. Nothing is opened and no thread started before
 * there is an event or a table. For any thread.
 *
 * <pre>
 *   requests ──▶ lane ──▶ store (one order for all replicas) ──▶ tables ──▶ answers
 *                           ▲ other replicas                       ▲ handlers look
 * </pre>
 */
public final class EventLane implements ExternalEvents, EventTables {
  private static final Logger LOG = LoggerFactory.getLogger(EventLane.class);

  /** Most requests of one transaction: bounds the time that others wait for it. */
  private static final int MAX_TOGETHER = 256;

  private final Path file;
  private final EngineLimits limits;
  private final Clock clock;
  private final ThreadSetup threads;
  private final CloudEventReader reader;
  private final boolean isShared;
  private final StoredRows disk;
  private final WaitingEvents waiting;
  private final List<EventTableView> views = new CopyOnWriteArrayList<>();
  private final AtomicBoolean begun = new AtomicBoolean();
  private volatile @Nullable Thread thread;
  private volatile boolean closed;

  /** Null before it is needed, and after it failed. Guarded by this. */
  private @Nullable EventStore store;

  private boolean failing; // guarded by this

  /** Feeds the kernels, once they are known. Guarded by this. */
  private @Nullable KernelFeeding feeding;

  /** Whether the log is polled: others may write to it, or kernels are on their way in it. */
  private volatile boolean follows;

  private final EventCounts counts = new EventCounts();

  /** Sinks of emitted events; null for none. */
  private @Nullable EventSinks sinks;

  /**
   * The lane of a replica.
   *
   * @param data the data folder, which all replicas share
   * @param isShared whether there are other replicas
   */
  public EventLane(
      Path data, boolean isShared, EngineLimits limits, Clock clock, ThreadSetup threads) {
    this.isShared = isShared;
    this.file = data.resolve("events").resolve("events.db");
    this.limits = limits;
    this.clock = clock;
    this.threads = threads;
    this.reader = new CloudEventReader(limits);
    this.disk = new StoredRows(file, limits);
    this.waiting = new WaitingEvents(limits.events(), () -> LockSupport.unpark(thread));
  }

  /** Has emitted events delivered to some sinks, once the engine feeds its kernels. */
  public EventLane deliveringTo(List<EventSinkSpec> specs, SinkPolicy policy) {
    if (!specs.isEmpty()) {
      sinks = new EventSinks(file, specs, policy, limits, clock, threads);
    }
    return this;
  }

  @Override
  public CompletableFuture<EventReceipt> post(String namespace, List<Payload> events) {
    return post(namespace, events, false);
  }

  @Override
  public CompletableFuture<EventReceipt> emit(String namespace, Payload event) {
    return post(namespace, List.of(event), true);
  }

  private CompletableFuture<EventReceipt> post(
      String namespace, List<Payload> events, boolean emitted) {
    PendingEvents request = PendingEvents.of(namespace, events, emitted);
    EventReceipt refusal = waiting.add(request);
    if (refusal != null) {
      request.then().complete(refusal);
    } else if (closed) { // close() may have checked before this request came
      refuseWaiting();
    } else {
      begin();
    }
    return request.then();
  }

  @Override
  public EventTable open(Source source) throws IOException {
    EventTableView view =
        new EventTableView(source, new PayloadCodec(limits.json()), disk, views::remove);
    synchronized (this) {
      try {
        store().view(source.namespace(), view.types());
        update(view, store());
      } catch (SQLException e) {
        fail(e);
        throw new IOException("external events cannot be read: " + e.getMessage(), e);
      }
      views.add(view);
    }
    begin();
    return view;
  }

  @Override
  public void feed(List<KernelFeed> kernels) {
    synchronized (this) {
      KernelFeeding known = new KernelFeeding(this::store, kernels, limits);
      feeding = known;
      if (Files.exists(file)) {
        tellEnd();
        forgetSinks();
      } else {
        known.tellNoEvents();
      }
    }
    kernels.forEach(kernel -> kernel.subscriber().attach(this::onWanted));
    if (sinks != null) {
      sinks.start();
    }
    if (isShared || kernels.stream().anyMatch(kernel -> kernel.subscriber().listens())) {
      follows = true;
      begin();
    }
  }

  /** Without sinks nothing is kept for those of an earlier configuration. */
  private void forgetSinks() {
    if (sinks == null) {
      try {
        store().log().forgetSinks();
      } catch (SQLException e) {
        fail(e);
      }
    }
  }

  /** A kernel has instances that listen, or room. Called by event loops: must not wait. */
  private void onWanted() {
    begin();
    LockSupport.unpark(thread);
  }

  /** Called by event loops: must not wait. */
  private void begin() {
    if (!begun.get() && begun.compareAndSet(false, true)) {
      Thread lanes = new Thread(this::run, "external-events");
      lanes.setDaemon(true);
      thread = lanes;
      lanes.start();
    }
  }

  private void run() {
    threads.prepare("external-events", ThreadSetup.ThreadKind.ANCILLARY);
    while (!closed) {
      if (!work()) {
        if (views.isEmpty() && !follows) {
          LockSupport.park(this);
        } else {
          LockSupport.parkNanos(this, TimeUnit.MILLISECONDS.toNanos(limits.events().pollMillis()));
        }
      }
    }
    refuseWaiting();
  }

  private synchronized void refuseWaiting() {
    waiting.refuseAll();
  }

  /** Stores waiting events and applies new ones; returns whether there was a request. */
  synchronized boolean work() {
    List<PendingEvents> posts = waiting.take(MAX_TOGETHER);
    List<EventReceipt> outcomes = posts.isEmpty() ? List.of() : persist(posts);
    apply();
    if (!posts.isEmpty()) {
      tellEnd(); // before they are acknowledged
    }
    for (int i = 0; i < posts.size(); i++) {
      waiting.answer(posts.get(i), outcomes.get(i));
    }
    boolean fed = feed(!posts.isEmpty());
    return !posts.isEmpty() || fed;
  }

  private void tellEnd() {
    KernelFeeding known = feeding;
    if (known != null) {
      try {
        known.tellEnd();
      } catch (IOException e) {
        fail(e); // who listens then goes by the time of events
      }
    }
  }

  /** Feeds the kernels; returns whether any was fed. */
  private boolean feed(boolean posted) {
    KernelFeeding known = feeding;
    if (known == null || (!posted && store == null && !mayFollow(known))) {
      return false;
    }
    try {
      follows = true;
      boolean fed = known.work(clock.epochMillis());
      StoredEventLog log = store().log();
      counts.logged(log.size(), log.takeDropped());
      failing = false;
      return fed;
    } catch (SQLException | IOException | RuntimeException e) {
      fail(e);
      return false;
    }
  }

  /** Whether there is a log that others may have written, or instances here that need one. */
  private boolean mayFollow(KernelFeeding known) {
    return Files.exists(file) || known.isListening();
  }

  private List<EventReceipt> persist(List<PendingEvents> posts) {
    PostedBatches read = PostedBatches.of(posts, reader);
    return read.outcomes(read.batches().isEmpty() ? List.of() : persistAll(read.batches()));
  }

  private List<EventReceipt> persistAll(List<EventStore.StoredBatch> batches) {
    try {
      List<EventReceipt> kept = store().append(batches, clock.epochMillis());
      failing = false;
      count(kept);
      return kept;
    } catch (SQLException | RuntimeException e) {
      fail(e);
      EventReceipt unknown =
          DiskFullDetector.isDiskFull(e)
              ? new EventReceipt.NoDiskSpace()
              : new EventReceipt.StoreUnavailable(
                  "events cannot be kept now: " + e.getMessage() + "; repeat the request");
      return batches.stream().map(_ -> unknown).toList();
    }
  }

  private void count(List<EventReceipt> receipts) {
    if (sinks != null) {
      sinks.wake();
    }
    receipts.forEach(counts::add);
  }

  @Override
  public void addMetrics(MetricFamilies families) {
    if (sinks != null) {
      sinks.addMetrics(families);
    }
    counts.addMetrics(families);
  }

  /** Updates the tables, if there is anything new. */
  private void apply() {
    if (views.isEmpty()) {
      return;
    }
    try {
      EventStore known = store();
      if (known.hasChanged()) {
        for (EventTableView view : views) {
          update(view, known);
        }
      }
      failing = false;
    } catch (SQLException | RuntimeException e) {
      fail(e);
    }
  }

  private void update(EventTableView view, EventStore from) throws SQLException {
    long others = 0;
    for (EventTableView each : views) {
      others += each.equals(view) ? 0 : each.heldBytes();
    }
    view.update(from, limits.events().maxTableBytes() - others);
  }

  private EventStore store() throws SQLException {
    EventStore known = store;
    if (known == null) {
      known = EventStore.open(file, limits);
      store = known;
    }
    return known;
  }

  /** The store is reopened for the next request, which also applies what is not applied yet. */
  private void fail(Exception cause) {
    if (!failing) {
      LOG.error("external events cannot be kept or read in {}: {}", file, cause.getMessage());
    }
    failing = true;
    closeStore();
  }

  private void closeStore() {
    EventStore known = store;
    store = null;
    if (known != null) {
      known.close();
    }
  }

  /** Ends the thread once the events under way are stored; waiting ones are refused. */
  @Override
  public void close() {
    closed = true;
    if (sinks != null) {
      sinks.close();
    }
    Thread lanes = thread;
    if (lanes != null) {
      LockSupport.unpark(lanes);
      try {
        lanes.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    refuseWaiting();
    synchronized (this) {
      closeStore();
    }
    disk.close();
  }
}
