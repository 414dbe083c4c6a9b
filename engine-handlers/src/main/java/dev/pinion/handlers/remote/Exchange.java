package dev.pinion.handlers.remote;

import dev.pinion.handlers.api.AsyncHandler;
import dev.pinion.handlers.api.InDoubtException;
import dev.pinion.handlers.api.Verdict;
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
final class Exchange {
  private enum State {
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

  private static final Logger LOG = LoggerFactory.getLogger(Exchange.class);
  private static final long FIRST_PAUSE_NANOS = 10_000_000;
  private static final int MAX_DOUBLINGS = 6;
  // Grace after the time-out of the chain, which has priority.
  static final long GRACE_NANOS = 100_000_000;

  private final Requester owner;
  private final long attempt;
  private final Task task;
  private final long bytes;
  private final boolean repeatable;
  private final AsyncHandler.Reply reply;
  private final long deadlineNanos;
  private State state = State.WAITING;
  private UUID host = Frame.NOBODY;
  private final List<UUID> lost = new ArrayList<>();
  private String table = "";
  private long nextNanos;
  private int deliveries;
  private int pauses;

  /** Outcomes whose replies have not been called yet. */
  private final Queue<Runnable> decided = new ArrayDeque<>(2);

  private boolean telling;

  Exchange(
      Requester owner,
      long attempt,
      Task task,
      long bytes,
      boolean repeatable,
      long deadlineNanos,
      AsyncHandler.Reply reply) {
    this.owner = owner;
    this.attempt = attempt;
    this.task = task;
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
    tell();
  }

  /** Calls replies, unless another thread does so: that one continues with those added. */
  private void tell() {
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

  private void ask(long nowNanos) {
    host = Frame.NOBODY;
    nextNanos = nowNanos + owner.times().answer().toNanos();
    if (repeatable) {
      state = State.SENT;
      send(nowNanos);
    } else {
      state = State.ASKING;
      send(
          new Frame.Claim(owner.id(), attempt, task.kind(), table),
          owner.subjects().kind(task.kind()));
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
        new Frame.Run(owner.id(), attempt, deliveries, lost, (int) left, task),
        host.equals(Frame.NOBODY)
            ? owner.subjects().kind(task.kind())
            : owner.subjects().host(host));
  }

  private void send(Frame frame, String subject) {
    try {
      owner.send(frame, subject); // lost frames are sent again
    } catch (BadFrameException e) {
      fail(new RemoteException("expected a message that can be sent to a host: " + e.getMessage()));
    }
  }

  void granted(Frame.Grant grant, long nowNanos) {
    synchronized (this) {
      if (state != State.ASKING) {
        return; // another host was faster
      }
      host = grant.host();
      table = grant.table();
      state = State.SENT;
      nextNanos = nowNanos + owner.times().answer().toNanos();
      send(nowNanos);
    }
    tell();
  }

  synchronized void begun(UUID by, long nowNanos) {
    if (state == State.SENT || state == State.BEGUN) {
      host = by;
      state = State.BEGUN;
      nextNanos = nowNanos + owner.times().probe().toNanos();
    }
  }

  void done(Verdict verdict, long handledNanos) {
    synchronized (this) {
      if (state == State.ENDED) {
        return;
      }
      if (reply instanceof TimedReply timed) {
        decided.add(() -> timed.handledIn(handledNanos));
      }
      boolean late = state == State.EXPIRED;
      state = State.ENDED;
      if (late) {
        owner.counters().late.increment();
        decided.add(() -> owner.late(() -> reply.done(verdict))); // this undoes the effect
      } else {
        owner.counters().done.increment();
        decided.add(() -> reply.done(verdict));
      }
    }
    tell();
  }

  void failed(Frame.Failed failed, long nowNanos) {
    synchronized (this) {
      take(failed, nowNanos);
    }
    tell();
  }

  private void take(Frame.Failed failed, long nowNanos) {
    if (failed.reason() == Reason.BUSY) {
      if (state == State.SENT && (repeatable || failed.host().equals(host))) {
        owner.counters().busy.increment();
        state = State.WAITING;
        long pause = FIRST_PAUSE_NANOS << Math.min(pauses++, MAX_DOUBLINGS);
        nextNanos = nowNanos + pause;
      }
      return;
    }
    if (state == State.EXPIRED) {
      state = State.ENDED; // there is no effect to be undone
      return;
    }
    if (failed.reason() == Reason.IN_DOUBT) {
      doubt(failed.detail());
    } else {
      fail(new RemoteException(failed.detail() + " (host " + failed.host() + ")"));
    }
  }

  synchronized boolean hasEnded() {
    return state == State.ENDED;
  }

  /** Performs the due actions; returns whether the exchange is over. */
  boolean turn(long nowNanos) {
    boolean over;
    synchronized (this) {
      over = isOver(nowNanos);
    }
    tell();
    return over;
  }

  private boolean isOver(long nowNanos) {
    if (state == State.ENDED) {
      return true;
    }
    if (nowNanos - deadlineNanos >= GRACE_NANOS) {
      if (state != State.EXPIRED) {
        expire();
      }
      return state == State.ENDED
          || nowNanos - deadlineNanos >= GRACE_NANOS + owner.times().late().toNanos();
    }
    if (nowNanos - nextNanos >= 0 && nowNanos - deadlineNanos < 0) {
      due(nowNanos);
    }
    return state == State.ENDED;
  }

  private void due(long nowNanos) {
    if (!owner.isConnected()) {
      nextNanos = nowNanos + FIRST_PAUSE_NANOS; // frames sent now are lost
    } else if (host.equals(Frame.NOBODY) || state == State.WAITING) {
      ask(nowNanos);
    } else if (owner.hosts().speaks(host, nowNanos)) {
      nextNanos = nowNanos + owner.times().probe().toNanos();
      owner.counters().probes.increment();
      run(nowNanos); // known there, or lost in transit: it is answered again
    } else if (owner.hosts().lives(host, nowNanos)) {
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
      ask(nowNanos);
    } else {
      doubt(
          "the host "
              + host
              + " was lost while it had the message, and it keeps no table of effects that others"
              + " could look at");
    }
  }

  private void expire() {
    boolean taken = state == State.BEGUN || (state == State.SENT && !host.equals(Frame.NOBODY));
    state = State.EXPIRED;
    owner.counters().failed.increment();
    if (taken && !repeatable) {
      owner.counters().inDoubt.increment();
      tellFailure(new InDoubtException("the host " + host + " did not answer in time"));
    } else {
      tellFailure(
          new RemoteException(
              taken
                  ? "the host " + host + " did not answer in time"
                  : "expected a host of handlers \""
                      + task.kind()
                      + "\" with room for the message, found none in time"));
    }
  }

  private void doubt(String why) {
    if (repeatable) {
      fail(new RemoteException(why));
    } else {
      owner.counters().inDoubt.increment();
      fail(new InDoubtException(why));
    }
  }

  private void fail(Exception failure) {
    if (state != State.ENDED && state != State.EXPIRED) {
      state = State.ENDED;
      owner.counters().failed.increment();
      tellFailure(failure);
    }
  }

  private void tellFailure(Exception failure) {
    decided.add(() -> reply.failed(failure));
  }
}
