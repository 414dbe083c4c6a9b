package dev.pinion.bootstrap.events;

import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Clock;
import dev.pinion.core.model.DiskFullDetector;
import dev.pinion.core.model.Payload;
import dev.pinion.core.spi.ExternalEvents;
import dev.pinion.core.stage.Lane;
import dev.pinion.core.stage.ThreadSetup;
import dev.pinion.handlers.api.EventTable;
import dev.pinion.handlers.api.EventTables;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
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
  private final StoredRows disk;
  private final Lane<PendingEvents> lane;
  private final AtomicInteger waiting = new AtomicInteger();
  private final AtomicLong waitingBytes = new AtomicLong();
  private final List<EventTableView> views = new CopyOnWriteArrayList<>();
  private final AtomicBoolean begun = new AtomicBoolean();
  private volatile @Nullable Thread thread;
  private volatile boolean closed;

  /** Null before it is needed, and after it failed. Guarded by this. */
  private @Nullable EventStore store;

  private boolean failing; // guarded by this

  /**
   * A request.
   *
   * @param bytes approximate heap bytes of its events
   * @param then receives the outcome
   */
  private record PendingEvents(
      String namespace, List<Payload> events, long bytes, CompletableFuture<EventReceipt> then) {}

  /**
   * The lane of a replica.
   *
   * @param data the data folder, which all replicas share
   */
  public EventLane(Path data, EngineLimits limits, Clock clock, ThreadSetup threads) {
    this.file = data.resolve("events").resolve("events.db");
    this.limits = limits;
    this.clock = clock;
    this.threads = threads;
    this.reader = new CloudEventReader(limits);
    this.disk = new StoredRows(file, limits);
    this.lane = new Lane<>("external-events", Math.max(2, limits.events().maxWaiting()));
    lane.attach(() -> LockSupport.unpark(thread));
  }

  @Override
  public CompletableFuture<EventReceipt> post(String namespace, List<Payload> events) {
    long bytes = 0;
    for (Payload event : events) {
      bytes += event.heapBytes();
    }
    PendingEvents pendingEvents =
        new PendingEvents(namespace, events, bytes, new CompletableFuture<>());
    String limit = admit(bytes);
    if (limit != null) {
      pendingEvents.then.complete(new EventReceipt.QueueFull(limit));
    } else if (!lane.offer(pendingEvents)) {
      complete(pendingEvents);
      pendingEvents.then.complete(stopped());
    } else if (closed) { // close() may have checked before this request came
      refuseWaiting();
    } else {
      begin();
    }
    return pendingEvents.then;
  }

  /** A request larger than the bound is accepted when no other waits. */
  private @Nullable String admit(long bytes) {
    if (waiting.incrementAndGet() > limits.events().maxWaiting()) {
      waiting.decrementAndGet();
      return "events.maxWaiting";
    }
    long others = waitingBytes.getAndAdd(bytes);
    if (others > 0 && others + bytes > limits.events().maxWaitingBytes()) {
      waiting.decrementAndGet();
      waitingBytes.addAndGet(-bytes);
      return "events.maxWaitingBytes";
    }
    return null;
  }

  private void complete(PendingEvents pendingEvents) {
    waiting.decrementAndGet();
    waitingBytes.addAndGet(-pendingEvents.bytes);
  }

  private static EventReceipt stopped() {
    return new EventReceipt.StoreUnavailable("the replica stops; repeat the request");
  }

  @Override
  public EventTable open(Source source) throws IOException {
    EventTableView view =
        new EventTableView(source, new PayloadCodec(limits.json()), disk, views::remove);
    synchronized (this) {
      try {
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
        if (views.isEmpty()) {
          LockSupport.park(this);
        } else {
          LockSupport.parkNanos(this, TimeUnit.MILLISECONDS.toNanos(limits.events().pollMillis()));
        }
      }
    }
    refuseWaiting();
  }

  private synchronized void refuseWaiting() {
    for (PendingEvents pendingEvents = lane.poll();
        pendingEvents != null;
        pendingEvents = lane.poll()) {
      complete(pendingEvents);
      pendingEvents.then.complete(stopped());
    }
  }

  /** Stores waiting events and applies new ones; returns whether there was a request. */
  synchronized boolean work() {
    List<PendingEvents> posts = new ArrayList<>();
    lane.drain(posts::add, MAX_TOGETHER);
    List<EventReceipt> outcomes = posts.isEmpty() ? List.of() : persist(posts);
    apply();
    for (int i = 0; i < posts.size(); i++) {
      complete(posts.get(i));
      posts.get(i).then.complete(outcomes.get(i));
    }
    return !posts.isEmpty();
  }

  private List<EventReceipt> persist(List<PendingEvents> posts) {
    List<@Nullable EventReceipt> outcomes = new ArrayList<>();
    List<EventStore.EventBatch> batches = new ArrayList<>();
    for (PendingEvents pendingEvents : posts) {
      try {
        batches.add(
            new EventStore.EventBatch(pendingEvents.namespace, reader.read(pendingEvents.events)));
        outcomes.add(null);
      } catch (CloudEventReader.MalformedException e) {
        outcomes.add(new EventReceipt.Malformed(String.valueOf(e.getMessage())));
      }
    }
    var kept =
        batches.isEmpty() ? List.<EventReceipt>of().iterator() : persistAll(batches).iterator();
    return outcomes.stream().map(each -> each == null ? kept.next() : each).toList();
  }

  private List<EventReceipt> persistAll(List<EventStore.EventBatch> batches) {
    try {
      List<EventReceipt> kept = store().append(batches, clock.epochMillis());
      failing = false;
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
