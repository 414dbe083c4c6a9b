package dev.pinion.core.http;

import org.jspecify.annotations.Nullable;

/**
 * Connections in the order in which they were added. Each is in one queue at most; adding and
 * removing allocate nothing. Event loop only.
 *
 * @param <C> the type of a connection
 */
final class ConnectionQueue<C> {
  private @Nullable Link<C> first;
  private @Nullable Link<C> last;
  private int size;

  /**
   * A connection's place in a queue.
   *
   * @param <C> the type of a connection
   */
  static final class Link<C> {
    private final C connection;
    private @Nullable ConnectionQueue<C> queue;
    private @Nullable Link<C> before;
    private @Nullable Link<C> after;

    Link(C connection) {
      this.connection = connection;
    }

    /** Removes the connection from its queue, if it is in one. */
    void leave() {
      ConnectionQueue<C> left = queue;
      if (left != null) {
        left.unlink(this);
      }
    }

    /** Whether it is in a queue. */
    boolean isIn(ConnectionQueue<C> asked) {
      return queue == asked;
    }
  }

  /** Adds a connection at the end, unless it is in this queue; removes it from any other. */
  void add(Link<C> link) {
    if (!link.isIn(this)) {
      addAgain(link);
    }
  }

  /** Moves a connection to the end. */
  void addAgain(Link<C> link) {
    link.leave();
    link.queue = this;
    link.before = last;
    if (last == null) {
      first = link;
    } else {
      last.after = link;
    }
    last = link;
    size++;
  }

  private void unlink(Link<C> link) {
    Link<C> before = link.before;
    Link<C> after = link.after;
    if (before == null) {
      first = after;
    } else {
      before.after = after;
    }
    if (after == null) {
      last = before;
    } else {
      after.before = before;
    }
    link.queue = null;
    link.before = null;
    link.after = null;
    size--;
  }

  /** The connection added first, or null. */
  @Nullable C first() {
    return first == null ? null : first.connection;
  }

  int size() {
    return size;
  }
}
