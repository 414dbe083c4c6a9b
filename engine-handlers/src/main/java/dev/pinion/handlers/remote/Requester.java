package dev.pinion.handlers.remote;

import dev.pinion.core.model.Clock;
import dev.pinion.core.model.PauseGrace;
import dev.pinion.handlers.api.AsyncHandler;
import dev.pinion.handlers.api.Verdict;
import dev.pinion.handlers.remote.protocol.Frame;
import dev.pinion.handlers.remote.protocol.FrameCodec;
import dev.pinion.handlers.remote.protocol.HandlerTask;
import dev.pinion.handlers.remote.protocol.MalformedFrameException;
import dev.pinion.handlers.remote.protocol.RemoteLimits;
import dev.pinion.handlers.remote.protocol.RemoteTimeouts;
import dev.pinion.handlers.remote.transport.FrameStore;
import dev.pinion.handlers.remote.transport.FrameTransport;
import dev.pinion.handlers.remote.transport.Subjects;
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
  private final FrameTransport frameTransport;
  private final FrameCodec codec;
  private final Subjects subjects;
  private final RemoteLimits limits;
  private final RemoteTimeouts times;
  private final Clock clock;
  private final Executor lateReplies;
  private final LiveHosts liveHosts;
  private final RequesterCounters counters = new RequesterCounters();
  private final @Nullable FrameStore store;
  private final Map<Long, StorePublication> storings = new ConcurrentHashMap<>();
  private final Map<Long, RemoteAttempt> exchanges = new ConcurrentHashMap<>();
  private final InFlightLimit inFlightLimit;
  private final AtomicLong attempts = new AtomicLong();
  private final AtomicBoolean told = new AtomicBoolean();
  private final FrameTransport.Subscription answers;
  private final FrameTransport.Subscription beats;

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
      FrameTransport frameTransport,
      @Nullable FrameStore store,
      FrameCodec codec,
      Subjects subjects,
      RemoteSettings settings,
      Clock clock,
      Executor lateReplies) {
    this.frameTransport = frameTransport;
    this.store = store;
    this.codec = codec;
    this.subjects = subjects;
    this.limits = settings.limits();
    this.inFlightLimit = new InFlightLimit(limits);
    this.times = settings.times();
    this.clock = clock;
    this.lateReplies = lateReplies;
    this.liveHosts = new LiveHosts(times, limits);
    this.turnedNanos = clock.nanoTime();
    this.answers = frameTransport.subscribe(subjects.requester(id), "", this::received);
    this.beats = frameTransport.subscribe(subjects.heartbeats(), "", this::received);
  }

  /**
   * Begins an attempt.
   *
   * @param repeatable whether it may run more than once
   * @param timeoutNanos time-out of the attempt
   * @param reply called once, and again when an answer comes after the time-out
   */
  void begin(
      HandlerTask handlerTask, boolean repeatable, long timeoutNanos, AsyncHandler.Reply reply) {
    long bytes = handlerTask.message().size();
    if (!enter(bytes, reply)) {
      return;
    }
    long attempt = attempts.incrementAndGet();
    long now = clock.nanoTime();
    RemoteAttempt remoteAttempt =
        new RemoteAttempt(this, attempt, handlerTask, bytes, repeatable, now + timeoutNanos, reply);
    exchanges.put(attempt, remoteAttempt);
    remoteAttempt.begin(now);
  }

  private boolean enter(long bytes, AsyncHandler.Reply reply) {
    String bound = inFlightLimit.acquire(bytes);
    if (bound != null) {
      counters.refused.increment();
      reply.failed(new RemoteHandlerException(bound));
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
  void store(HandlerTask handlerTask, long timeoutNanos, AsyncHandler.Reply reply) {
    FrameStore keeper = store;
    if (keeper == null) {
      reply.failed(
          new RemoteHandlerException(
              "expected a NATS server that keeps messages, found another way"));
      return;
    }
    long bytes = handlerTask.message().size();
    if (!enter(bytes, reply)) {
      return;
    }
    long attempt = attempts.incrementAndGet();
    int budget = (int) Math.min(Integer.MAX_VALUE, timeoutNanos / 1_000_000);
    Frame run = new Frame.Run(id, attempt, 1, List.of(), budget, handlerTask);
    long now = clock.nanoTime();
    try {
      byte[] frame = codec.write(run);
      String subject = subjects.stored(handlerTask.kind());
      StorePublication storePublication =
          new StorePublication(
              () -> keeper.publish(subject, id + "/" + attempt, frame),
              bytes,
              now + timeoutNanos,
              times.answer().toNanos(),
              new CountingReply(reply));
      storings.put(attempt, storePublication);
      storePublication.tick(now, isConnected());
    } catch (MalformedFrameException e) {
      inFlightLimit.release(bytes);
      counters.failed.increment();
      reply.failed(
          new RemoteHandlerException("expected a message that can be kept: " + e.getMessage()));
    }
  }

  private final class CountingReply implements AsyncHandler.Reply {
    private final AsyncHandler.Reply reply;

    CountingReply(AsyncHandler.Reply reply) {
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
  void tick() {
    long now = clock.nanoTime();
    boolean stoodStill = grace.begin(turnedNanos, now);
    turnedNanos = now;
    if (stoodStill || !frameTransport.isConnected()) {
      liveHosts.suspendExpiry(now);
    }
    if (grace.isUnderWay(now - RemoteAttempt.GRACE_NANOS)) {
      return; // answers and heartbeats that arrived meanwhile are read first
    }
    exchanges.forEach(
        (attempt, remoteAttempt) -> {
          if (remoteAttempt.tick(now)) {
            forget(attempt);
          }
        });
    boolean connected = isConnected();
    storings.forEach(
        (attempt, storePublication) -> {
          if (storePublication.tick(now, connected) && storings.remove(attempt) != null) {
            inFlightLimit.release(storePublication.bytes());
          }
        });
  }

  private void forget(long attempt) {
    RemoteAttempt over = exchanges.remove(attempt);
    if (over != null) {
      inFlightLimit.release(over.bytes());
    }
  }

  private void received(byte[] bytes) {
    Frame frame;
    try {
      frame = codec.read(bytes);
    } catch (MalformedFrameException e) {
      counters.garbage.increment();
      if (told.compareAndSet(false, true)) {
        LOG.warn("a frame of a handler host was dropped, further ones are only counted", e);
      }
      return;
    }
    long now = clock.nanoTime();
    switch (frame) {
      case Frame.Heartbeat heartbeat when heartbeat.last() -> liveHosts.onLeave(heartbeat.host());
      case Frame.Heartbeat heartbeat -> liveHosts.onHeartbeat(heartbeat.host(), now);
      case Frame.Grant grant -> onReply(grant, grant.host(), now);
      case Frame.Begun begun -> onReply(begun, begun.host(), now);
      case Frame.Done done -> onReply(done, done.host(), now);
      case Frame.Failed failed -> onReply(failed, failed.host(), now);
      case Frame.Claim _, Frame.Run _ -> counters.stray.increment();
    }
  }

  private void onReply(Frame frame, UUID host, long now) {
    RemoteAttempt remoteAttempt =
        frame.requester().equals(id) ? exchanges.get(frame.attempt()) : null;
    if (remoteAttempt == null) {
      counters.stray.increment();
      return;
    }
    liveHosts.onHeartbeat(host, now);
    switch (frame) {
      case Frame.Grant grant -> remoteAttempt.granted(grant, now);
      case Frame.Begun begun -> remoteAttempt.begun(begun.host(), now);
      case Frame.Done done -> remoteAttempt.done(done.verdict(), done.nanos());
      case Frame.Failed failed -> remoteAttempt.failed(failed, now);
      case Frame.Heartbeat _, Frame.Claim _, Frame.Run _ -> {}
    }
    if (remoteAttempt.hasEnded()) {
      forget(frame.attempt());
    }
  }

  /** Sends a frame, or loses it when there is no connection. */
  void send(Frame frame, String subject) throws MalformedFrameException {
    byte[] bytes = codec.write(frame);
    if (frameTransport.isConnected() && bytes.length > frameTransport.maxBytes()) {
      throw new MalformedFrameException(
          "expected a frame of at most "
              + frameTransport.maxBytes()
              + " bytes (max_payload of the NATS server), found "
              + bytes.length);
    }
    frameTransport.send(subject, bytes);
  }

  void late(Runnable reply) {
    try {
      lateReplies.execute(reply);
    } catch (RejectedExecutionException e) {
      LOG.error("a late effect is not undone: expected room, found none", e);
    }
  }

  boolean isConnected() {
    return frameTransport.isConnected();
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

  RemoteTimeouts times() {
    return times;
  }

  Clock clock() {
    return clock;
  }

  LiveHosts hosts() {
    return liveHosts;
  }

  RequesterCounters counters() {
    return counters;
  }

  RemoteHealth health() {
    return new RemoteHealth(isConnected(), liveHosts.count(clock.nanoTime()), statistics());
  }

  RemoteStatistics statistics() {
    return counters.now(inFlightLimit.count());
  }

  @Override
  public void close() {
    answers.end();
    beats.end();
  }
}
