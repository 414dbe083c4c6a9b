package dev.pinion.bootstrap.external;

import dev.pinion.core.model.Clock;
import dev.pinion.core.model.DiskFull;
import dev.pinion.core.model.EngineLimits;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.PayloadCodec;
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
  private final EventReader reader;
  private final StoredRows disk;
  private final Lane<Post> lane;
  private final AtomicInteger waiting = new AtomicInteger();
  private final AtomicLong waitingBytes = new AtomicLong();
  private final List<EventView> views = new CopyOnWriteArrayList<>();
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
  private record Post(
      String namespace, List<Payload> events, long bytes, CompletableFuture<Outcome> then) {}

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
    this.reader = new EventReader(limits);
    this.disk = new StoredRows(file, limits);
    this.lane = new Lane<>("external-events", Math.max(2, limits.events().maxWaiting()));
    lane.wakes(() -> LockSupport.unpark(thread));
  }

  @Override
  public CompletableFuture<Outcome> post(String namespace, List<Payload> events) {
    long bytes = 0;
    for (Payload event : events) {
      bytes += event.heapBytes();
    }
    Post post = new Post(namespace, events, bytes, new CompletableFuture<>());
    String limit = admit(bytes);
    if (limit != null) {
      post.then.complete(new Outcome.Busy(limit));
    } else if (!lane.offer(post)) {
      leave(post);
      post.then.complete(stopped());
    } else if (closed) { // close() may have checked before this request came
      refuseWaiting();
    } else {
      begin();
    }
    return post.then;
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

  private void leave(Post post) {
    waiting.decrementAndGet();
    waitingBytes.addAndGet(-post.bytes);
  }

  private static Outcome stopped() {
    return new Outcome.Unavailable("the replica stops; repeat the request");
  }

  @Override
  public EventTable open(Source source) throws IOException {
    EventView view = new EventView(source, new PayloadCodec(limits.json()), disk, views::remove);
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
    threads.prepare("external-events", ThreadSetup.Kind.ANCILLARY);
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
    for (Post post = lane.poll(); post != null; post = lane.poll()) {
      leave(post);
      post.then.complete(stopped());
    }
  }

  /** Stores waiting events and applies new ones; returns whether there was a request. */
  synchronized boolean work() {
    List<Post> posts = new ArrayList<>();
    lane.drain(posts::add, MAX_TOGETHER);
    List<Outcome> outcomes = posts.isEmpty() ? List.of() : keep(posts);
    apply();
    for (int i = 0; i < posts.size(); i++) {
      leave(posts.get(i));
      posts.get(i).then.complete(outcomes.get(i));
    }
    return !posts.isEmpty();
  }

  private List<Outcome> keep(List<Post> posts) {
    List<@Nullable Outcome> outcomes = new ArrayList<>();
    List<EventStore.Batch> batches = new ArrayList<>();
    for (Post post : posts) {
      try {
        batches.add(new EventStore.Batch(post.namespace, reader.read(post.events)));
        outcomes.add(null);
      } catch (EventReader.MalformedException e) {
        outcomes.add(new Outcome.Malformed(String.valueOf(e.getMessage())));
      }
    }
    var kept = batches.isEmpty() ? List.<Outcome>of().iterator() : keepAll(batches).iterator();
    return outcomes.stream().map(each -> each == null ? kept.next() : each).toList();
  }

  private List<Outcome> keepAll(List<EventStore.Batch> batches) {
    try {
      List<Outcome> kept = store().append(batches, clock.epochMillis());
      failing = false;
      return kept;
    } catch (SQLException | RuntimeException e) {
      fail(e);
      Outcome unknown =
          DiskFull.caused(e)
              ? new Outcome.DiskFull()
              : new Outcome.Unavailable(
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
        for (EventView view : views) {
          update(view, known);
        }
      }
      failing = false;
    } catch (SQLException | RuntimeException e) {
      fail(e);
    }
  }

  private void update(EventView view, EventStore from) throws SQLException {
    long others = 0;
    for (EventView each : views) {
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
      try {
        known.close();
      } catch (SQLException e) {
        LOG.debug("closing external events", e);
      }
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
