package dev.pinion.core.http;

import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import java.util.LinkedHashSet;
import java.util.SequencedSet;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The connections of a listener for operators, bounded in number. At the bound, one without a
 * request under way is closed to admit a new one: first those that have never sent a request, then
 * those idle for longest, each after its least time ({@link IdleClientConnections}). Event loop
 * only.
 */
// A failed close leaves nothing to do, and a scheduled check is never cancelled.
@SuppressWarnings("FutureReturnValueIgnored")
final class OperatorConnections {
  private final int most;
  private final EventLoop loop;
  private final SequencedSet<Member> silent = new LinkedHashSet<>();
  private final SequencedSet<Member> idle = new LinkedHashSet<>();
  private int open;

  /** Whether a check for a connection to close is scheduled. */
  private boolean looking;

  /** A connection that may be closed to make room for another one. */
  interface Member {
    /** Time that it has waited for a request. */
    long waitedMillis();

    /** Closes the connection to make room for another one. */
    void closeNow();
  }

  OperatorConnections(int most, EventLoop loop) {
    this.most = most;
    this.loop = loop;
  }

  /** Records an accepted connection; no further ones are accepted at the bound. */
  void opened(Channel listener, Member connection) {
    silent.add(connection);
    count(listener, 1);
  }

  void closed(Channel listener, Member connection) {
    busy(connection);
    count(listener, -1);
  }

  /** Records that a request of a connection was answered. */
  void idle(Member connection) {
    idle.add(connection);
    makeRoom();
  }

  /** Records that a request, or its last answer, is under way on a connection. */
  void busy(Member connection) {
    silent.remove(connection);
    idle.remove(connection);
  }

  private void count(Channel listener, int change) {
    open += change;
    listener.config().setAutoRead(open < most);
    makeRoom();
  }

  private void makeRoom() {
    Member next = next();
    if (open < most || looking || next == null) {
      return;
    }
    long least =
        silent.isEmpty()
            ? IdleClientConnections.LEAST_IDLE_MILLIS
            : IdleClientConnections.LEAST_SILENT_MILLIS;
    long millisLeft = least - next.waitedMillis();
    if (millisLeft <= 0) {
      next.closeNow();
    } else {
      looking = true;
      loop.schedule(this::lookAgain, millisLeft, TimeUnit.MILLISECONDS);
    }
  }

  private void lookAgain() {
    looking = false;
    makeRoom();
  }

  private @Nullable Member next() {
    if (!silent.isEmpty()) {
      return silent.getFirst();
    }
    return idle.isEmpty() ? null : idle.getFirst();
  }
}
