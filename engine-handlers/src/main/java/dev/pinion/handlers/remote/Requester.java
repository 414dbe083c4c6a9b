package dev.pinion.handlers.remote;

import dev.pinion.core.model.Clock;
import dev.pinion.core.model.PauseGrace;
import dev.pinion.handlers.api.AsyncHandler;
import dev.pinion.handlers.api.Verdict;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends attempts to hosts and receives their answers, for a whole process. For use by any thread.
 */
final class Requester implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Requester.class);

  private final UUID id = UUID.randomUUID();
  private final Transport transport;
  private final FrameCodec codec;
  private final Subjects subjects;
  private final RemoteLimits limits;
  private final RemoteTimes times;
  private final Clock clock;
  private final Executor lateReplies;
  private final Hosts hosts;
  private final RequesterCounters counters = new RequesterCounters();
  private final @Nullable FrameStore store;
  private final Map<Long, Storing> storings = new ConcurrentHashMap<>();
  private final Map<Long, Exchange> exchanges = new ConcurrentHashMap<>();
  private final InFlight inFlight;
  private final AtomicLong attempts = new AtomicLong();
  private final AtomicBoolean told = new AtomicBoolean();
  private final Transport.Subscription answers;
  private final Transport.Subscription beats;

  // Used by the turning thread.
  private final PauseGrace grace = new PauseGrace();
  private long turnedNanos;

  /**
   * A requester that listens.
   *
   * @param store stores messages for hosts, or null
   * @param lateReplies runs the undoing of effects whose answers came too late
   */
  Requester(
      Transport transport,
      @Nullable FrameStore store,
      FrameCodec codec,
      Subjects subjects,
      RemoteLimits limits,
      RemoteTimes times,
      Clock clock,
      Executor lateReplies) {
    this.transport = transport;
    this.store = store;
    this.codec = codec;
    this.subjects = subjects;
    this.limits = limits;
    this.inFlight = new InFlight(limits);
    this.times = times;
    this.clock = clock;
    this.lateReplies = lateReplies;
    this.hosts = new Hosts(times, limits);
    this.turnedNanos = clock.nanoTime();
    this.answers = transport.subscribe(subjects.requester(id), "", this::received);
    this.beats = transport.subscribe(subjects.beats(), "", this::received);
  }

  /**
   * Begins an attempt.
   *
   * @param repeatable whether it may run more than once
   * @param timeoutNanos time-out of the attempt
   * @param reply called once, and again when an answer comes after the time-out
   */
  void begin(Task task, boolean repeatable, long timeoutNanos, AsyncHandler.Reply reply) {
    long bytes = task.message().size();
    if (!enter(bytes, reply)) {
      return;
    }
    long attempt = attempts.incrementAndGet();
    long now = clock.nanoTime();
    Exchange exchange =
        new Exchange(this, attempt, task, bytes, repeatable, now + timeoutNanos, reply);
    exchanges.put(attempt, exchange);
    exchange.begin(now);
  }

  private boolean enter(long bytes, AsyncHandler.Reply reply) {
    String bound = inFlight.enter(bytes);
    if (bound != null) {
      counters.refused.increment();
      reply.failed(new RemoteException(bound));
      return false;
    }
    counters.begun.increment();
    return true;
  }

  /**
   * Lets a server store a message until a host has processed it.
   *
   * @param timeoutNanos time-out of the attempts to store it, and that of a host
   * @param reply called once, when the server has it
   */
  void store(Task task, long timeoutNanos, AsyncHandler.Reply reply) {
    FrameStore keeper = store;
    if (keeper == null) {
      reply.failed(
          new RemoteException("expected a NATS server that keeps messages, found another way"));
      return;
    }
    long bytes = task.message().size();
    if (!enter(bytes, reply)) {
      return;
    }
    long attempt = attempts.incrementAndGet();
    int budget = (int) Math.min(Integer.MAX_VALUE, timeoutNanos / 1_000_000);
    Frame run = new Frame.Run(id, attempt, 1, List.of(), budget, task);
    long now = clock.nanoTime();
    try {
      Storing storing =
          new Storing(
              keeper,
              subjects.stored(task.kind()),
              id + "/" + attempt,
              codec.write(run),
              bytes,
              now + timeoutNanos,
              times.answer().toNanos(),
              new Counted(reply));
      storings.put(attempt, storing);
      storing.turn(now, isConnected());
    } catch (BadFrameException e) {
      inFlight.leave(bytes);
      counters.failed.increment();
      reply.failed(new RemoteException("expected a message that can be kept: " + e.getMessage()));
    }
  }

  private final class Counted implements AsyncHandler.Reply {
    private final AsyncHandler.Reply reply;

    Counted(AsyncHandler.Reply reply) {
      this.reply = reply;
    }

    @Override
    public void done(Verdict verdict) {
      counters.stored.increment();
      reply.done(verdict);
    }

    @Override
    public void failed(Throwable failure) {
      counters.failed.increment();
      reply.failed(failure);
    }
  }

  /** Performs the due actions. Called often, by one thread. */
  void turn() {
    long now = clock.nanoTime();
    boolean stoodStill = grace.begin(turnedNanos, now);
    turnedNanos = now;
    if (stoodStill || !transport.isConnected()) {
      hosts.trust(now);
    }
    if (grace.isUnderWay(now - Exchange.GRACE_NANOS)) {
      return; // answers and heartbeats that arrived meanwhile are read first
    }
    exchanges.forEach(
        (attempt, exchange) -> {
          if (exchange.turn(now)) {
            forget(attempt);
          }
        });
    boolean connected = isConnected();
    storings.forEach(
        (attempt, storing) -> {
          if (storing.turn(now, connected) && storings.remove(attempt) != null) {
            inFlight.leave(storing.bytes());
          }
        });
  }

  private void forget(long attempt) {
    Exchange over = exchanges.remove(attempt);
    if (over != null) {
      inFlight.leave(over.bytes());
    }
  }

  private void received(byte[] bytes) {
    Frame frame;
    try {
      frame = codec.read(bytes);
    } catch (BadFrameException e) {
      counters.garbage.increment();
      if (told.compareAndSet(false, true)) {
        LOG.warn("a frame of a handler host was dropped, further ones are only counted", e);
      }
      return;
    }
    long now = clock.nanoTime();
    switch (frame) {
      case Frame.Beat beat when beat.last() -> hosts.gone(beat.host());
      case Frame.Beat beat -> hosts.seen(beat.host(), now);
      case Frame.Grant grant -> answer(grant, grant.host(), now);
      case Frame.Begun begun -> answer(begun, begun.host(), now);
      case Frame.Done done -> answer(done, done.host(), now);
      case Frame.Failed failed -> answer(failed, failed.host(), now);
      case Frame.Claim _, Frame.Run _ -> counters.stray.increment();
    }
  }

  private void answer(Frame frame, UUID host, long now) {
    Exchange exchange = frame.requester().equals(id) ? exchanges.get(frame.attempt()) : null;
    if (exchange == null) {
      counters.stray.increment();
      return;
    }
    hosts.seen(host, now);
    switch (frame) {
      case Frame.Grant grant -> exchange.granted(grant, now);
      case Frame.Begun begun -> exchange.begun(begun.host(), now);
      case Frame.Done done -> exchange.done(done.verdict(), done.nanos());
      case Frame.Failed failed -> exchange.failed(failed, now);
      case Frame.Beat _, Frame.Claim _, Frame.Run _ -> {}
    }
    if (exchange.hasEnded()) {
      forget(frame.attempt());
    }
  }

  /** Sends a frame, or loses it when there is no connection. */
  void send(Frame frame, String subject) throws BadFrameException {
    byte[] bytes = codec.write(frame);
    if (transport.isConnected() && bytes.length > transport.maxBytes()) {
      throw new BadFrameException(
          "expected a frame of at most "
              + transport.maxBytes()
              + " bytes (max_payload of the NATS server), found "
              + bytes.length);
    }
    transport.send(subject, bytes);
  }

  void late(Runnable reply) {
    try {
      lateReplies.execute(reply);
    } catch (RejectedExecutionException e) {
      LOG.error("a late effect is not undone: expected room, found none", e);
    }
  }

  boolean isConnected() {
    return transport.isConnected();
  }

  UUID id() {
    return id;
  }

  Subjects subjects() {
    return subjects;
  }

  RemoteLimits limits() {
    return limits;
  }

  RemoteTimes times() {
    return times;
  }

  Clock clock() {
    return clock;
  }

  Hosts hosts() {
    return hosts;
  }

  RequesterCounters counters() {
    return counters;
  }

  RemoteHealth health() {
    return new RemoteHealth(isConnected(), hosts.count(clock.nanoTime()), statistics());
  }

  RemoteStatistics statistics() {
    return counters.now(inFlight.count());
  }

  @Override
  public void close() {
    answers.end();
    beats.end();
  }
}
