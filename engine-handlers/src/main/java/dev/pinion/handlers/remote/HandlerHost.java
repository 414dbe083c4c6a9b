package dev.pinion.handlers.remote;

import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Clock;
import dev.pinion.core.model.PauseGrace;
import dev.pinion.handlers.api.HandlerFactory;
import dev.pinion.handlers.remote.protocol.FailureReason;
import dev.pinion.handlers.remote.protocol.Frame;
import dev.pinion.handlers.remote.protocol.FrameCodec;
import dev.pinion.handlers.remote.protocol.MalformedFrameException;
import dev.pinion.handlers.remote.protocol.UnknownFrameVersionException;
import dev.pinion.handlers.remote.transport.FrameStore;
import dev.pinion.handlers.remote.transport.FrameTransport;
import dev.pinion.handlers.remote.transport.NatsTransport;
import dev.pinion.handlers.remote.transport.StoreLimits;
import dev.pinion.handlers.remote.transport.Subjects;
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
 * Runs handlers for requesters in other processes. For use by any thread; {@link #tick} is called
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
  private final FrameTransport frameTransport;
  private final FrameCodec codec;
  private final Subjects subjects;
  private final Clock clock;
  private final EffectTable effects;
  private final AttemptTable window;
  private final HandlerCache handlers;
  private final AttemptExecutor work;
  private final HostCounters counters = new HostCounters();
  private final ThreadPoolExecutor workers;
  private final List<FrameTransport.Subscription> queues = new ArrayList<>();
  private final List<String> kinds;
  private final FrameTransport.Subscription own;
  private volatile @Nullable StoredFrameConsumer stored;
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
   * @param frameTransport closed by its maker, after this host
   * @throws SQLException when the table of effects cannot be opened
   */
  public HandlerHost(
      HostSettings settings,
      SortedMap<String, HandlerFactory> kinds,
      FrameTransport frameTransport,
      EngineLimits engine,
      Clock clock)
      throws SQLException {
    this(settings, kinds, frameTransport, engine, clock, table(settings, clock));
  }

  /** A host with a table of effects, which it closes. */
  HandlerHost(
      HostSettings settings,
      SortedMap<String, HandlerFactory> kinds,
      FrameTransport frameTransport,
      EngineLimits engine,
      Clock clock,
      EffectTable effects) {
    this.settings = settings;
    this.frameTransport = frameTransport;
    this.clock = clock;
    this.codec = new FrameCodec(engine, settings.limits());
    this.subjects = new Subjects(settings.prefix());
    this.effects = effects;
    this.window = new AttemptTable(settings.limits(), settings.times());
    this.handlers = new HandlerCache(kinds, settings.limits());
    this.work = new AttemptExecutor(this, handlers, effects, engine, clock);
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
    this.own = frameTransport.subscribe(subjects.host(id), "", this::received);
    for (Map.Entry<String, HandlerFactory> kind : kinds.entrySet()) {
      queues.add(
          frameTransport.subscribe(subjects.kind(kind.getKey()), Subjects.GROUP, this::received));
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
    StoredFrameConsumer storedFrameConsumer =
        new StoredFrameConsumer(
            id,
            codec,
            window,
            new LiveHosts(settings.times(), settings.limits()),
            limits,
            counters,
            clock,
            hostAttempt -> workers.execute(() -> work.run(hostAttempt)));
    stored = storedFrameConsumer;
    queues.add(
        frameTransport.subscribe(
            subjects.heartbeats(), "", bytes -> onHeartbeat(storedFrameConsumer, bytes)));
    for (String kind : kinds) {
      queues.add(store.take(kind, settings.workers(), storedFrameConsumer::received));
    }
  }

  private void onHeartbeat(StoredFrameConsumer storedFrameConsumer, byte[] bytes) {
    try {
      if (codec.read(bytes) instanceof Frame.Heartbeat heartbeat) {
        storedFrameConsumer.onHeartbeat(heartbeat);
      }
    } catch (MalformedFrameException e) {
      counters.garbage.increment();
    }
  }

  /** The part that processes stored messages. */
  StoredFrameConsumer stored() {
    return Objects.requireNonNull(stored, "expected a host that takes stored messages");
  }

  /** The name of this host; it differs for each start. */
  public String name() {
    return id.toString();
  }

  /** Sends heartbeats, and abandons overdue attempts; waits for no database. */
  public void tick() {
    long now = clock.nanoTime();
    if (now - nextBeatNanos >= 0) {
      nextBeatNanos = now + settings.times().heartbeat().toNanos();
      send(new Frame.Heartbeat(id, false), subjects.heartbeats());
    }
    StoredFrameConsumer storedFrameConsumer = stored;
    if (storedFrameConsumer != null) {
      storedFrameConsumer.tick(now, frameTransport.isConnected(), leaving);
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
    for (HostAttempt hostAttempt : window.underWay()) {
      if (hostAttempt.giveUp(now)) {
        counters.overdue.increment();
        LOG.warn(
            "the handler \"{}\" of \"{}\" did not end in time",
            hostAttempt.run().task().step(),
            hostAttempt.run().task().chain());
      }
      hanging += hostAttempt.isRunning() && now - hostAttempt.deadlineNanos() >= 0 ? 1 : 0;
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
        case Frame.Run run -> onClaim(run);
        case Frame _ -> counters.garbage.increment(); // not a frame for hosts
      }
    } catch (UnknownFrameVersionException e) {
      counters.garbage.increment();
      reply(
          new Frame.Failed(
              e.requester(),
              e.attempt(),
              id,
              FailureReason.UNKNOWN_VERSION,
              String.valueOf(e.getMessage())));
    } catch (MalformedFrameException e) {
      counters.garbage.increment();
      LOG.debug("a frame was dropped", e);
    }
  }

  private void claimed(Frame.Claim claim) {
    boolean otherTable = !claim.table().isEmpty() && !claim.table().equals(effects.name());
    if (!leaving && !otherTable && window.hasRoom(clock.nanoTime())) {
      grantedNanos = clock.nanoTime();
      reply(new Frame.Grant(claim.requester(), claim.attempt(), id, effects.name()));
    } else {
      counters.busy.increment(); // without an answer the requester tries another host
    }
  }

  private void onClaim(Frame.Run run) {
    HostAttempt hostAttempt = new HostAttempt(run, clock.nanoTime());
    boolean taking = !leaving; // read once: an attempt that enters is run
    HostAttempt known =
        taking ? window.admit(hostAttempt, clock.nanoTime()) : window.known(hostAttempt.key());
    if (known == null && taking) {
      reply(new Frame.Begun(run.requester(), run.attempt(), id));
      workers.execute(() -> work.run(hostAttempt));
    } else if (known == null || known == hostAttempt) {
      busy(run);
    } else {
      counters.duplicates.increment();
      byte[] before = known.answer();
      if (before == null) {
        reply(new Frame.Begun(run.requester(), run.attempt(), id));
      } else {
        frameTransport.send(subjects.requester(run.requester()), before);
      }
    }
  }

  /** Refuses an attempt for lack of room, before it begins. */
  void busy(Frame.Run run) {
    counters.busy.increment();
    reply(
        new Frame.Failed(
            run.requester(),
            run.attempt(),
            id,
            FailureReason.BUSY,
            "there is no room in the host"));
  }

  private void reply(Frame frame) {
    send(frame, subjects.requester(frame.requester()));
  }

  private void send(Frame frame, String subject) {
    try {
      frameTransport.send(subject, codec.write(frame)); // a lost frame is requested again
    } catch (MalformedFrameException e) {
      LOG.error("a frame could not be written", e);
    }
  }

  /** Sends an encoded answer. */
  void reply(Frame.Run run, byte[] bytes) {
    frameTransport.send(subjects.requester(run.requester()), bytes);
  }

  int maxBytes() {
    return frameTransport.isConnected() ? frameTransport.maxBytes() : Integer.MAX_VALUE;
  }

  UUID id() {
    return id;
  }

  FrameCodec codec() {
    return codec;
  }

  AttemptTable window() {
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
   * Accepts nothing more, and waits for attempts under way; {@link #tick} is called meanwhile.
   *
   * @param longest time-out
   * @return whether all attempts have ended
   */
  public boolean drain(Duration longest) {
    leaving = true;
    queues.forEach(FrameTransport.Subscription::end);
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
    queues.forEach(FrameTransport.Subscription::end);
    own.end();
    send(new Frame.Heartbeat(id, true), subjects.heartbeats());
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
