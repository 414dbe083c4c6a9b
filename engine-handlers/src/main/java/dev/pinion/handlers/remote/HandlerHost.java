package dev.pinion.handlers.remote;

import dev.pinion.core.model.Clock;
import dev.pinion.core.model.EngineLimits;
import dev.pinion.core.model.PauseGrace;
import dev.pinion.handlers.api.HandlerFactory;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.UUID;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs handlers for requesters in other processes. For use by any thread; {@link #turn} is called
 * by one, often.
 */
public final class HandlerHost implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(HandlerHost.class);
  private static final long FORGET_NANOS = TimeUnit.MINUTES.toNanos(1);
  private static final long LOOK_NANOS = 2_000_000;

  /** Milliseconds for interrupted attempts before handlers are closed. */
  static final long END_MILLIS = 1_000;

  private final UUID id = UUID.randomUUID();
  private final HostSettings settings;
  private final Transport transport;
  private final FrameCodec codec;
  private final Subjects subjects;
  private final Clock clock;
  private final EffectTable effects;
  private final AttemptWindow window;
  private final HostedHandlers handlers;
  private final HostWork work;
  private final HostCounters counters = new HostCounters();
  private final ThreadPoolExecutor workers;
  private final List<Transport.Subscription> queues = new ArrayList<>();
  private final List<String> kinds;
  private final Transport.Subscription own;
  private volatile @Nullable StoredWork stored;
  private volatile boolean leaving;
  private volatile int stuck;
  private volatile long grantedNanos;
  private final AtomicBoolean forgetting = new AtomicBoolean();
  private final PauseGrace grace = new PauseGrace();
  private long turnedNanos;
  private long nextBeatNanos;
  private long nextForgetNanos;

  /**
   * A host that takes direct messages.
   *
   * @param kinds kinds of handlers
   * @param transport closed by its maker, after this host
   * @throws SQLException when the table of effects cannot be opened
   */
  public HandlerHost(
      HostSettings settings,
      SortedMap<String, HandlerFactory> kinds,
      Transport transport,
      EngineLimits engine,
      Clock clock)
      throws SQLException {
    this(settings, kinds, transport, engine, clock, table(settings, clock));
  }

  /** A host with a table of effects, which it closes. */
  HandlerHost(
      HostSettings settings,
      SortedMap<String, HandlerFactory> kinds,
      Transport transport,
      EngineLimits engine,
      Clock clock,
      EffectTable effects) {
    this.settings = settings;
    this.transport = transport;
    this.clock = clock;
    this.codec = new FrameCodec(engine, settings.limits());
    this.subjects = new Subjects(settings.prefix());
    this.effects = effects;
    this.window = new AttemptWindow(settings.limits(), settings.times());
    this.handlers = new HostedHandlers(kinds, settings.limits());
    this.work = new HostWork(this, handlers, effects, engine, clock);
    this.workers =
        new ThreadPoolExecutor(
            settings.workers(),
            settings.workers(),
            0,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(), // bounded by the window
            Thread.ofPlatform().daemon().name("handler-", 0).factory());
    this.kinds = List.copyOf(kinds.keySet());
    this.nextForgetNanos = clock.nanoTime() + FORGET_NANOS;
    this.nextBeatNanos = clock.nanoTime();
    this.turnedNanos = nextBeatNanos;
    this.grantedNanos = clock.nanoTime() - settings.times().answer().toNanos();
    this.own = transport.subscribe(subjects.host(id), "", this::received);
    for (Map.Entry<String, HandlerFactory> kind : kinds.entrySet()) {
      queues.add(transport.subscribe(subjects.kind(kind.getKey()), Subjects.GROUP, this::received));
    }
  }

  private static EffectTable table(HostSettings settings, Clock clock) throws SQLException {
    String url = settings.effects();
    return url == null ? EffectTable.none() : new JdbcEffectTable(url, clock);
  }

  /**
   * Also takes messages that servers store until a host has processed them.
   *
   * @param nats the connection that this host was made with
   * @throws IOException when the servers cannot store messages
   */
  public void takeStored(NatsTransport nats, StoreLimits limits) throws IOException {
    takeStored(nats.store(subjects, limits), limits);
  }

  /** Also takes messages from a store. */
  void takeStored(FrameStore store, StoreLimits limits) throws IOException {
    StoredWork storedWork =
        new StoredWork(
            id,
            codec,
            window,
            new Hosts(settings.times(), settings.limits()),
            limits,
            counters,
            clock,
            attempt -> workers.execute(() -> work.run(attempt)));
    stored = storedWork;
    queues.add(transport.subscribe(subjects.beats(), "", bytes -> heard(storedWork, bytes)));
    for (String kind : kinds) {
      queues.add(store.take(kind, settings.workers(), storedWork::received));
    }
  }

  private void heard(StoredWork storedWork, byte[] bytes) {
    try {
      if (codec.read(bytes) instanceof Frame.Beat beat) {
        storedWork.heard(beat);
      }
    } catch (BadFrameException e) {
      counters.garbage.increment();
    }
  }

  /** The part that processes stored messages. */
  StoredWork stored() {
    return Objects.requireNonNull(stored, "expected a host that takes stored messages");
  }

  /** The name of this host; it differs for each start. */
  public String name() {
    return id.toString();
  }

  /** Sends heartbeats, and abandons overdue attempts; waits for no database. */
  public void turn() {
    long now = clock.nanoTime();
    if (now - nextBeatNanos >= 0) {
      nextBeatNanos = now + settings.times().beat().toNanos();
      send(new Frame.Beat(id, false), subjects.beats());
    }
    StoredWork storedWork = stored;
    if (storedWork != null) {
      storedWork.turn(now, transport.isConnected(), leaving);
    }
    boolean _ = grace.begin(turnedNanos, now);
    turnedNanos = now;
    if (!grace.isUnderWay(now)) {
      giveUpOverdue(now);
    }
    if (now - nextForgetNanos >= 0) {
      nextForgetNanos = now + FORGET_NANOS;
      if (forgetting.compareAndSet(false, true)) {
        Thread.ofPlatform().daemon().name("handler-forget").start(this::forget);
      }
    }
  }

  private void giveUpOverdue(long now) {
    int hanging = 0;
    for (Attempt attempt : window.underWay()) {
      if (attempt.giveUp(now)) {
        counters.overdue.increment();
        LOG.warn(
            "the handler \"{}\" of \"{}\" did not end in time",
            attempt.run().task().step(),
            attempt.run().task().chain());
      }
      hanging += attempt.isRunning() && now - attempt.deadlineNanos() >= 0 ? 1 : 0;
    }
    stuck = hanging;
    replace(Math.min(hanging, settings.limits().maxStuck()));
  }

  /** Starts replacements for hanging threads. */
  private void replace(int hanging) {
    int wanted = settings.workers() + hanging;
    if (wanted > workers.getMaximumPoolSize()) {
      workers.setMaximumPoolSize(wanted);
      workers.setCorePoolSize(wanted);
    } else if (wanted < workers.getMaximumPoolSize()) {
      workers.setCorePoolSize(wanted);
      workers.setMaximumPoolSize(wanted);
    }
  }

  private void forget() {
    try {
      effects.forget();
    } catch (SQLException e) {
      LOG.warn("old effects are not forgotten: {}", e.getMessage());
    } finally {
      forgetting.set(false);
    }
  }

  private void received(byte[] bytes) {
    try {
      switch (codec.read(bytes)) {
        case Frame.Claim claim -> claimed(claim);
        case Frame.Run run -> asked(run);
        case Frame _ -> counters.garbage.increment(); // not a frame for hosts
      }
    } catch (UnknownVersionException e) {
      counters.garbage.increment();
      answer(
          new Frame.Failed(
              e.requester(),
              e.attempt(),
              id,
              Reason.UNKNOWN_VERSION,
              String.valueOf(e.getMessage())));
    } catch (BadFrameException e) {
      counters.garbage.increment();
      LOG.debug("a frame was dropped", e);
    }
  }

  private void claimed(Frame.Claim claim) {
    boolean otherTable = !claim.table().isEmpty() && !claim.table().equals(effects.name());
    if (!leaving && !otherTable && window.hasRoom(clock.nanoTime())) {
      grantedNanos = clock.nanoTime();
      answer(new Frame.Grant(claim.requester(), claim.attempt(), id, effects.name()));
    } else {
      counters.busy.increment(); // without an answer the requester tries another host
    }
  }

  private void asked(Frame.Run run) {
    Attempt attempt = new Attempt(run, clock.nanoTime());
    boolean taking = !leaving; // read once: an attempt that enters is run
    Attempt known = taking ? window.enter(attempt, clock.nanoTime()) : window.known(attempt.key());
    if (known == null && taking) {
      answer(new Frame.Begun(run.requester(), run.attempt(), id));
      workers.execute(() -> work.run(attempt));
    } else if (known == null || known == attempt) {
      busy(run);
    } else {
      counters.duplicates.increment();
      byte[] before = known.answer();
      if (before == null) {
        answer(new Frame.Begun(run.requester(), run.attempt(), id));
      } else {
        transport.send(subjects.requester(run.requester()), before);
      }
    }
  }

  /** Refuses an attempt for lack of room, before it begins. */
  void busy(Frame.Run run) {
    counters.busy.increment();
    answer(
        new Frame.Failed(
            run.requester(), run.attempt(), id, Reason.BUSY, "there is no room in the host"));
  }

  private void answer(Frame frame) {
    send(frame, subjects.requester(frame.requester()));
  }

  private void send(Frame frame, String subject) {
    try {
      transport.send(subject, codec.write(frame)); // a lost frame is requested again
    } catch (BadFrameException e) {
      LOG.error("a frame could not be written", e);
    }
  }

  /** Sends an encoded answer. */
  void answer(Frame.Run run, byte[] bytes) {
    transport.send(subjects.requester(run.requester()), bytes);
  }

  int maxBytes() {
    return transport.isConnected() ? transport.maxBytes() : Integer.MAX_VALUE;
  }

  UUID id() {
    return id;
  }

  FrameCodec codec() {
    return codec;
  }

  AttemptWindow window() {
    return window;
  }

  HostCounters counters() {
    return counters;
  }

  /** Statistics so far. */
  public HostStatistics statistics() {
    return counters.now(window.inFlight(), window.size(), stuck);
  }

  /**
   * Accepts nothing more, and waits for attempts under way; {@link #turn} is called meanwhile.
   *
   * @param longest time-out
   * @return whether all attempts have ended
   */
  public boolean drain(Duration longest) {
    leaving = true;
    queues.forEach(Transport.Subscription::end);
    long until = clock.nanoTime() + longest.toNanos();
    while ((window.inFlight() > 0 || isAwaited()) && clock.nanoTime() - until < 0) {
      LockSupport.parkNanos(this, LOOK_NANOS);
    }
    return window.inFlight() == 0;
  }

  /** Whether a granted attempt may still arrive: it is answered, with a refusal. */
  private boolean isAwaited() {
    return clock.nanoTime() - grantedNanos < settings.times().answer().toNanos();
  }

  /**
   * Leaves: notifies requesters, interrupts attempts under way, which have {@link #END_MILLIS} to
   * end, then closes the handlers.
   */
  @Override
  public void close() {
    leaving = true;
    queues.forEach(Transport.Subscription::end);
    own.end();
    send(new Frame.Beat(id, true), subjects.beats());
    workers.shutdownNow();
    awaitWorkers();
    handlers.close();
    try {
      effects.close();
    } catch (SQLException e) {
      LOG.warn("the table of effects could not be closed: {}", e.getMessage());
    }
  }

  private void awaitWorkers() {
    try {
      if (!workers.awaitTermination(END_MILLIS, TimeUnit.MILLISECONDS)) {
        LOG.warn(
            "{} of the handlers under way did not end within {} ms of being interrupted",
            workers.getActiveCount(),
            END_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // an interrupt asks for a quick end
    }
  }
}
