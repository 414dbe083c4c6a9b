package dev.pinion.handlers.remote;

import dev.pinion.core.model.Clock;
import dev.pinion.handlers.api.EffectClass;
import dev.pinion.handlers.remote.protocol.FailureReason;
import dev.pinion.handlers.remote.protocol.Frame;
import dev.pinion.handlers.remote.protocol.FrameCodec;
import dev.pinion.handlers.remote.protocol.MalformedFrameException;
import dev.pinion.handlers.remote.protocol.UnknownFrameVersionException;
import dev.pinion.handlers.remote.transport.FrameStore;
import dev.pinion.handlers.remote.transport.StoreLimits;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The part of a host that takes stored messages: no requester waits for their outcome, so the host
 * itself repeats them until they succeed, or drops them. For use by any thread.
 */
final class StoredFrameConsumer {
  private static final Logger LOG = LoggerFactory.getLogger(StoredFrameConsumer.class);
  private static final Duration PAUSE = Duration.ofMillis(500);

  private final UUID host;
  private final FrameCodec codec;
  private final AttemptTable window;
  private final LiveHosts liveHosts;
  private final StoreLimits limits;
  private final HostCounters counters;
  private final Clock clock;
  private final Consumer<HostAttempt> work;
  // Not returned meanwhile: the number of deliveries by the server counts the begun attempts.
  // Bounded by the number of messages that the server delivers at once.
  private final Queue<HostAttempt> waiting = new ConcurrentLinkedQueue<>();
  private long nextTellNanos;
  private long nextLookNanos;

  StoredFrameConsumer(
      UUID host,
      FrameCodec codec,
      AttemptTable window,
      LiveHosts liveHosts,
      StoreLimits limits,
      HostCounters counters,
      Clock clock,
      Consumer<HostAttempt> work) {
    this.host = host;
    this.codec = codec;
    this.window = window;
    this.liveHosts = liveHosts;
    this.limits = limits;
    this.counters = counters;
    this.clock = clock;
    this.work = work;
    this.nextTellNanos = clock.nanoTime();
    liveHosts.suspendExpiry(clock.nanoTime()); // all live hosts send a heartbeat within that time
  }

  /**
   * Receives a heartbeat, of another host or this one; the last one of a host says that it leaves.
   */
  void onHeartbeat(Frame.Heartbeat beat) {
    if (beat.host().equals(host)) {
      liveHosts.onOwnHeartbeat(clock.nanoTime());
    } else if (beat.last()) {
      liveHosts.onLeave(beat.host());
    } else {
      liveHosts.onHeartbeat(beat.host(), clock.nanoTime());
    }
  }

  /** Receives a message from a server. */
  void received(FrameStore.StoredFrame storedFrame) {
    Frame frame;
    try {
      frame = codec.readStored(storedFrame.frame());
    } catch (MalformedFrameException e) {
      counters.garbage.increment();
      refuse(storedFrame, e);
      return;
    }
    if (!(frame instanceof Frame.Run run)) {
      counters.garbage.increment();
      storedFrame.acknowledge();
    } else if (storedFrame.deliveries() > limits.maxDeliveries()) {
      giveUp(run, storedFrame, "it may be what kills hosts");
    } else {
      take(new HostAttempt(run, clock.nanoTime(), storedFrame));
    }
  }

  private void refuse(FrameStore.StoredFrame storedFrame, MalformedFrameException reason) {
    if (reason instanceof UnknownFrameVersionException
        && storedFrame.deliveries() < limits.maxDeliveries()) {
      LOG.error("a message of another release is left to a host that can read it", reason);
      storedFrame.redeliver(limits.silence());
    } else {
      LOG.error("a message that a server kept is dropped", reason);
      storedFrame.acknowledge();
    }
  }

  private void take(HostAttempt hostAttempt) {
    FrameStore.StoredFrame storedFrame = kept(hostAttempt);
    HostAttempt known = window.admit(hostAttempt, clock.nanoTime());
    if (known == null) {
      work.accept(hostAttempt);
    } else if (known == hostAttempt) {
      counters.busy.increment();
      waiting.add(hostAttempt);
    } else {
      counters.duplicates.increment();
      if (known.answer() != null) {
        storedFrame.acknowledge();
      } // otherwise it is being processed here, and the server is notified
    }
  }

  private static FrameStore.StoredFrame kept(HostAttempt hostAttempt) {
    FrameStore.StoredFrame storedFrame = hostAttempt.kept();
    if (storedFrame == null) {
      throw new IllegalArgumentException("expected an attempt that a server keeps");
    }
    return storedFrame;
  }

  private void giveUp(Frame.Run run, FrameStore.StoredFrame storedFrame, String why) {
    counters.givenUp.increment();
    LOG.error(
        "the message {} for \"{}\" of \"{}\" is dropped after {} deliveries"
            + " (handlers.remote.storedMaxDeliveries is {}): {}",
        run.task().message().id(),
        run.task().step(),
        run.task().chain(),
        storedFrame.deliveries(),
        limits.maxDeliveries(),
        why);
    storedFrame.acknowledge();
  }

  /**
   * Retries waiting messages; reports the present ones to servers, so that these do not deliver
   * them to other hosts.
   *
   * @param connected whether there is a connection now; without one the silence of others proves
   *     nothing
   */
  void tick(long nowNanos, boolean connected, boolean leaving) {
    if (!connected || !liveHosts.isReceiving(nowNanos)) {
      liveHosts.suspendExpiry(nowNanos);
    }
    if (nowNanos - nextTellNanos >= 0) {
      nextTellNanos = nowNanos + limits.silence().toNanos() / 3;
      for (HostAttempt each : window.underWay()) {
        FrameStore.StoredFrame storedFrame = each.kept();
        if (storedFrame != null) {
          storedFrame.inProgress();
        }
      }
      waiting.forEach(each -> kept(each).inProgress());
    }
    if (!leaving && nowNanos - nextLookNanos >= 0) {
      nextLookNanos = nowNanos + PAUSE.toNanos();
      for (int left = waiting.size(); left > 0; left--) {
        HostAttempt each = waiting.poll();
        if (each != null) {
          take(new HostAttempt(each.run(), nowNanos, each.kept()));
        }
      }
    }
  }

  /** Claims the effect of a message that this host has now. */
  EffectClaim claim(HostAttempt hostAttempt, EffectTable effects) throws SQLException {
    if (effects.name().isEmpty() && kept(hostAttempt).deliveries() > 1) {
      return EffectClaim.TAKEN_OVER; // a host had it and has not reported
    }
    EffectKey key = EffectKey.of(hostAttempt.run());
    UUID owner = effects.owner(key);
    boolean lives = owner == null || owner.equals(host) || lives(owner, clock.nanoTime());
    return effects.begin(key, host, lives ? List.of() : List.of(owner));
  }

  /** Whether another host lives; unknown, hence true, when own heartbeats do not come back. */
  private boolean lives(UUID other, long nowNanos) {
    return !liveHosts.isReceiving(nowNanos) || liveHosts.isLive(other, nowNanos);
  }

  /** Postpones an attempt that has not begun. */
  void later(HostAttempt hostAttempt) {
    window.forget(hostAttempt);
    waiting.add(hostAttempt);
  }

  /** Records the end of an attempt. */
  void ended(HostAttempt hostAttempt, EffectClass effect, byte[] answer) {
    Frame.Run run = hostAttempt.run();
    FrameStore.StoredFrame storedFrame = kept(hostAttempt);
    Frame frame;
    try {
      frame = codec.readStored(answer);
    } catch (MalformedFrameException e) {
      throw new IllegalStateException("expected an answer that was written here", e);
    }
    if (!(frame instanceof Frame.Failed failed)) {
      storedFrame.acknowledge();
    } else if (failed.reason() == FailureReason.TIMEOUT) {
      later(hostAttempt); // it was not begun
    } else if (effect == EffectClass.STATELESS
        && storedFrame.deliveries() < limits.maxDeliveries()) {
      LOG.warn(
          "the handler \"{}\" of \"{}\" failed and is run again: {}",
          run.task().step(),
          run.task().chain(),
          failed.detail());
      window.forget(hostAttempt);
      storedFrame.redeliver(PAUSE);
    } else {
      giveUp(run, storedFrame, failed.detail());
    }
  }
}
