package dev.pinion.handlers.remote;

import dev.pinion.handlers.api.AsyncHandler;
import dev.pinion.handlers.api.InDoubtException;
import dev.pinion.handlers.api.Verdict;
import dev.pinion.handlers.remote.protocol.FailureReason;
import dev.pinion.handlers.remote.protocol.Frame;
import dev.pinion.handlers.remote.protocol.HandlerTask;
import dev.pinion.handlers.remote.protocol.MalformedFrameException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One attempt that a host is to make, from the requester's side. Guarded by itself; replies are
 * called outside of that, one after another.
 *
 * <pre>
 *   repeatable:       ┌──── sent to any host ◀───────────┐ lost, or no answer
 *                     ▼                                   │
 *                 with a host ── probed there ────────────┤
 *                     ▲                                   │ lost
 *   with an effect:   └── granted ◀── asking any host ◀──┘ only where the table of effects is shared
 * </pre>
 *
 * An attempt that must not run twice is first granted by a host, then sent to it by name: so it is
 * always known who may have begun it.
 */
final class RemoteAttempt {
  private enum AttemptState {
    /** No host has it; it is requested again at the next turn. */
    WAITING,
    /** Hosts are asked for room. */
    ASKING,
    /** Sent, to any host or to a named one. */
    SENT,
    /** A host has confirmed that it has it. */
    BEGUN,
    /** Reported as failed; a late answer still counts. */
    EXPIRED,
    ENDED
  }

  private static final Logger LOG = LoggerFactory.getLogger(RemoteAttempt.class);
  private static final long FIRST_PAUSE_NANOS = 10_000_000;
  private static final int MAX_DOUBLINGS = 6;
  // Grace after the time-out of the chain, which has priority.
  static final long GRACE_NANOS = 100_000_000;

  private final Requester owner;
  private final long attempt;
  private final HandlerTask handlerTask;
  private final long bytes;
  private final boolean repeatable;
  private final AsyncHandler.Reply reply;
  private final long deadlineNanos;
  private AttemptState attemptState = AttemptState.WAITING;
  private UUID host = Frame.NOBODY;
  private final List<UUID> lost = new ArrayList<>();
  private String table = "";
  private long nextNanos;
  private int deliveries;
  private int pauses;

  /** Outcomes whose replies have not been called yet. */
  private final Queue<Runnable> decided = new ArrayDeque<>(2);

  private boolean telling;

  RemoteAttempt(
      Requester owner,
      long attempt,
      HandlerTask handlerTask,
      long bytes,
      boolean repeatable,
      long deadlineNanos,
      AsyncHandler.Reply reply) {
    this.owner = owner;
    this.attempt = attempt;
    this.handlerTask = handlerTask;
    this.bytes = bytes;
    this.repeatable = repeatable;
    this.deadlineNanos = deadlineNanos;
    this.reply = reply;
  }

  /** Its share of the bytes in flight. */
  long bytes() {
    return bytes;
  }

  /** Begins. */
  void begin(long nowNanos) {
    synchronized (this) {
      due(nowNanos);
    }
    runReplies();
  }

  /** Calls replies, unless another thread does so: that one continues with those added. */
  private void runReplies() {
    for (Runnable next = nextToTell(false); next != null; next = nextToTell(true)) {
      try {
        next.run();
      } catch (RuntimeException e) { // later replies are called nevertheless
        LOG.error("a reply of a handler host could not be delivered", e);
      }
    }
  }

  private synchronized @Nullable Runnable nextToTell(boolean own) {
    if (telling && !own) {
      return null;
    }
    Runnable next = decided.poll();
    telling = next != null;
    return next;
  }

  private void claim(long nowNanos) {
    host = Frame.NOBODY;
    nextNanos = nowNanos + owner.times().answer().toNanos();
    if (repeatable) {
      attemptState = AttemptState.SENT;
      send(nowNanos);
    } else {
      attemptState = AttemptState.ASKING;
      send(
          new Frame.Claim(owner.id(), attempt, handlerTask.kind(), table),
          owner.subjects().kind(handlerTask.kind()));
    }
  }

  private void send(long nowNanos) {
    if (deliveries > 0) {
      owner.counters().sentAgain.increment();
    }
    run(nowNanos);
  }

  private void run(long nowNanos) {
    deliveries++;
    long left = Math.clamp((deadlineNanos - nowNanos) / 1_000_000, 1, Integer.MAX_VALUE);
    send(
        new Frame.Run(owner.id(), attempt, deliveries, lost, (int) left, handlerTask),
        host.equals(Frame.NOBODY)
            ? owner.subjects().kind(handlerTask.kind())
            : owner.subjects().host(host));
  }

  private void send(Frame frame, String subject) {
    try {
      owner.send(frame, subject); // lost frames are sent again
    } catch (MalformedFrameException e) {
      fail(
          new RemoteHandlerException(
              "expected a message that can be sent to a host: " + e.getMessage()));
    }
  }

  void granted(Frame.Grant grant, long nowNanos) {
    synchronized (this) {
      if (attemptState != AttemptState.ASKING) {
        return; // another host was faster
      }
      host = grant.host();
      table = grant.table();
      attemptState = AttemptState.SENT;
      nextNanos = nowNanos + owner.times().answer().toNanos();
      send(nowNanos);
    }
    runReplies();
  }

  synchronized void begun(UUID by, long nowNanos) {
    if (attemptState == AttemptState.SENT || attemptState == AttemptState.BEGUN) {
      host = by;
      attemptState = AttemptState.BEGUN;
      nextNanos = nowNanos + owner.times().probe().toNanos();
    }
  }

  void done(Verdict verdict, long handledNanos) {
    synchronized (this) {
      if (attemptState == AttemptState.ENDED) {
        return;
      }
      if (reply instanceof TimedReply timed) {
        decided.add(() -> timed.handledIn(handledNanos));
      }
      boolean late = attemptState == AttemptState.EXPIRED;
      attemptState = AttemptState.ENDED;
      if (late) {
        owner.counters().late.increment();
        decided.add(() -> owner.late(() -> reply.done(verdict))); // this undoes the effect
      } else {
        owner.counters().done.increment();
        decided.add(() -> reply.done(verdict));
      }
    }
    runReplies();
  }

  void failed(Frame.Failed failed, long nowNanos) {
    synchronized (this) {
      take(failed, nowNanos);
    }
    runReplies();
  }

  private void take(Frame.Failed failed, long nowNanos) {
    if (failed.reason() == FailureReason.BUSY) {
      if (attemptState == AttemptState.SENT && (repeatable || failed.host().equals(host))) {
        owner.counters().busy.increment();
        attemptState = AttemptState.WAITING;
        long pause = FIRST_PAUSE_NANOS << Math.min(pauses++, MAX_DOUBLINGS);
        nextNanos = nowNanos + pause;
      }
      return;
    }
    if (attemptState == AttemptState.EXPIRED) {
      attemptState = AttemptState.ENDED; // there is no effect to be undone
      return;
    }
    if (failed.reason() == FailureReason.IN_DOUBT) {
      doubt(failed.detail());
    } else {
      fail(new RemoteHandlerException(failed.detail() + " (host " + failed.host() + ")"));
    }
  }

  synchronized boolean hasEnded() {
    return attemptState == AttemptState.ENDED;
  }

  /** Performs the due actions; returns whether the exchange is over. */
  boolean tick(long nowNanos) {
    boolean over;
    synchronized (this) {
      over = isOver(nowNanos);
    }
    runReplies();
    return over;
  }

  private boolean isOver(long nowNanos) {
    if (attemptState == AttemptState.ENDED) {
      return true;
    }
    if (nowNanos - deadlineNanos >= GRACE_NANOS) {
      if (attemptState != AttemptState.EXPIRED) {
        expire();
      }
      return attemptState == AttemptState.ENDED
          || nowNanos - deadlineNanos >= GRACE_NANOS + owner.times().late().toNanos();
    }
    if (nowNanos - nextNanos >= 0 && nowNanos - deadlineNanos < 0) {
      due(nowNanos);
    }
    return attemptState == AttemptState.ENDED;
  }

  private void due(long nowNanos) {
    if (!owner.isConnected()) {
      nextNanos = nowNanos + FIRST_PAUSE_NANOS; // frames sent now are lost
    } else if (host.equals(Frame.NOBODY) || attemptState == AttemptState.WAITING) {
      claim(nowNanos);
    } else if (owner.hosts().isResponsive(host, nowNanos)) {
      nextNanos = nowNanos + owner.times().probe().toNanos();
      owner.counters().probes.increment();
      run(nowNanos); // known there, or lost in transit: it is answered again
    } else if (owner.hosts().isLive(host, nowNanos)) {
      nextNanos = nowNanos + FIRST_PAUSE_NANOS; // silent lately: perhaps no host is there to ask
    } else {
      lost(nowNanos);
    }
  }

  private void lost(long nowNanos) {
    owner.counters().lostHosts.increment();
    lost.add(host);
    if (lost.size() > owner.limits().maxLostHosts()) {
      doubt(
          "expected at most "
              + owner.limits().maxLostHosts()
              + " hosts to be lost with one message (handlers.remote.maxLostHosts), found more;"
              + " the message may be what kills them");
    } else if (repeatable || !table.isEmpty()) {
      claim(nowNanos);
    } else {
      doubt(
          "the host "
              + host
              + " was lost while it had the message, and it keeps no table of effects that others"
              + " could look at");
    }
  }

  private void expire() {
    boolean taken =
        attemptState == AttemptState.BEGUN
            || (attemptState == AttemptState.SENT && !host.equals(Frame.NOBODY));
    attemptState = AttemptState.EXPIRED;
    owner.counters().failed.increment();
    if (taken && !repeatable) {
      owner.counters().inDoubt.increment();
      failReply(new InDoubtException("the host " + host + " did not answer in time"));
    } else {
      failReply(
          new RemoteHandlerException(
              taken
                  ? "the host " + host + " did not answer in time"
                  : "expected a host of handlers \""
                      + handlerTask.kind()
                      + "\" with room for the message, found none in time"));
    }
  }

  private void doubt(String why) {
    if (repeatable) {
      fail(new RemoteHandlerException(why));
    } else {
      owner.counters().inDoubt.increment();
      fail(new InDoubtException(why));
    }
  }

  private void fail(Exception failure) {
    if (attemptState != AttemptState.ENDED && attemptState != AttemptState.EXPIRED) {
      attemptState = AttemptState.ENDED;
      owner.counters().failed.increment();
      failReply(failure);
    }
  }

  private void failReply(Exception failure) {
    decided.add(() -> reply.failed(failure));
  }
}
