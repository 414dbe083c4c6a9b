package dev.pinion.handlers.remote;

import dev.pinion.core.model.Clock;
import dev.pinion.handlers.api.EffectClass;
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
final class StoredWork {
  private static final Logger LOG = LoggerFactory.getLogger(StoredWork.class);
  private static final Duration PAUSE = Duration.ofMillis(500);

  private final UUID host;
  private final FrameCodec codec;
  private final AttemptWindow window;
  private final Hosts hosts;
  private final StoreLimits limits;
  private final HostCounters counters;
  private final Clock clock;
  private final Consumer<Attempt> work;
  // Not returned meanwhile: the number of deliveries by the server counts the begun attempts.
  // Bounded by the number of messages that the server delivers at once.
  private final Queue<Attempt> waiting = new ConcurrentLinkedQueue<>();
  private long nextTellNanos;
  private long nextLookNanos;

  StoredWork(
      UUID host,
      FrameCodec codec,
      AttemptWindow window,
      Hosts hosts,
      StoreLimits limits,
      HostCounters counters,
      Clock clock,
      Consumer<Attempt> work) {
    this.host = host;
    this.codec = codec;
    this.window = window;
    this.hosts = hosts;
    this.limits = limits;
    this.counters = counters;
    this.clock = clock;
    this.work = work;
    this.nextTellNanos = clock.nanoTime();
    hosts.trust(clock.nanoTime()); // all live hosts send a heartbeat within that time
  }

  /**
   * Receives a heartbeat, of another host or this one; the last one of a host says that it leaves.
   */
  void heard(Frame.Beat beat) {
    if (beat.host().equals(host)) {
      hosts.ownBeat(clock.nanoTime());
    } else if (beat.last()) {
      hosts.gone(beat.host());
    } else {
      hosts.seen(beat.host(), clock.nanoTime());
    }
  }

  /** Receives a message from a server. */
  void received(FrameStore.Kept kept) {
    Frame frame;
    try {
      frame = codec.read(kept.frame());
    } catch (BadFrameException e) {
      counters.garbage.increment();
      LOG.error("a message that a server kept is dropped", e);
      kept.done();
      return;
    }
    if (!(frame instanceof Frame.Run run)) {
      counters.garbage.increment();
      kept.done();
    } else if (kept.deliveries() > limits.maxDeliveries()) {
      giveUp(run, kept, "it may be what kills hosts");
    } else {
      take(new Attempt(run, clock.nanoTime(), kept));
    }
  }

  private void take(Attempt attempt) {
    FrameStore.Kept kept = kept(attempt);
    Attempt known = window.enter(attempt, clock.nanoTime());
    if (known == null) {
      work.accept(attempt);
    } else if (known == attempt) {
      counters.busy.increment();
      waiting.add(attempt);
    } else {
      counters.duplicates.increment();
      if (known.answer() != null) {
        kept.done();
      } // otherwise it is being processed here, and the server is notified
    }
  }

  private static FrameStore.Kept kept(Attempt attempt) {
    FrameStore.Kept kept = attempt.kept();
    if (kept == null) {
      throw new IllegalArgumentException("expected an attempt that a server keeps");
    }
    return kept;
  }

  private void giveUp(Frame.Run run, FrameStore.Kept kept, String why) {
    counters.givenUp.increment();
    LOG.error(
        "the message {} for \"{}\" of \"{}\" is dropped after {} deliveries"
            + " (handlers.remote.storedMaxDeliveries is {}): {}",
        run.task().message().id(),
        run.task().step(),
        run.task().chain(),
        kept.deliveries(),
        limits.maxDeliveries(),
        why);
    kept.done();
  }

  /**
   * Retries waiting messages; reports the present ones to servers, so that these do not deliver
   * them to other hosts.
   *
   * @param connected whether there is a connection now; without one the silence of others proves
   *     nothing
   */
  void turn(long nowNanos, boolean connected, boolean leaving) {
    if (!connected || !hosts.hears(nowNanos)) {
      hosts.trust(nowNanos);
    }
    if (nowNanos - nextTellNanos >= 0) {
      nextTellNanos = nowNanos + limits.silence().toNanos() / 3;
      for (Attempt each : window.underWay()) {
        FrameStore.Kept kept = each.kept();
        if (kept != null) {
          kept.working();
        }
      }
      waiting.forEach(each -> kept(each).working());
    }
    if (!leaving && nowNanos - nextLookNanos >= 0) {
      nextLookNanos = nowNanos + PAUSE.toNanos();
      for (int left = waiting.size(); left > 0; left--) {
        Attempt each = waiting.poll();
        if (each != null) {
          take(new Attempt(each.run(), nowNanos, each.kept()));
        }
      }
    }
  }

  /** Claims the effect of a message that this host has now. */
  EffectClaim claim(Attempt attempt, EffectTable effects) throws SQLException {
    if (effects.name().isEmpty() && kept(attempt).deliveries() > 1) {
      return EffectClaim.TAKEN_OVER; // a host had it and has not reported
    }
    EffectKey key = EffectKey.of(attempt.run());
    UUID owner = effects.owner(key);
    boolean lives = owner == null || owner.equals(host) || lives(owner, clock.nanoTime());
    return effects.begin(key, host, lives ? List.of() : List.of(owner));
  }

  /** Whether another host lives; unknown, hence true, when own heartbeats do not come back. */
  private boolean lives(UUID other, long nowNanos) {
    return !hosts.hears(nowNanos) || hosts.lives(other, nowNanos);
  }

  /** Postpones an attempt that has not begun. */
  void later(Attempt attempt) {
    window.forget(attempt);
    waiting.add(attempt);
  }

  /** Records the end of an attempt. */
  void ended(Attempt attempt, EffectClass effect, byte[] answer) {
    Frame.Run run = attempt.run();
    FrameStore.Kept kept = kept(attempt);
    Frame frame;
    try {
      frame = codec.read(answer);
    } catch (BadFrameException e) {
      throw new IllegalStateException("expected an answer that was written here", e);
    }
    if (!(frame instanceof Frame.Failed failed)) {
      kept.done();
    } else if (failed.reason() == Reason.TIMEOUT) {
      later(attempt); // it was not begun
    } else if (effect == EffectClass.STATELESS && kept.deliveries() < limits.maxDeliveries()) {
      LOG.warn(
          "the handler \"{}\" of \"{}\" failed and is run again: {}",
          run.task().step(),
          run.task().chain(),
          failed.detail());
      window.forget(attempt);
      kept.again(PAUSE);
    } else {
      giveUp(run, kept, failed.detail());
    }
  }
}
