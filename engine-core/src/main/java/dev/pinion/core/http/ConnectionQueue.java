package dev.pinion.core.http;

import org.jspecify.annotations.Nullable;

/**
 * Connections in the order in which they were added. Each is in one queue at most; adding and
 * removing allocate nothing. Event loop only.
 */
final class ConnectionQueue {
  private @Nullable HttpConnection first;
  private @Nullable HttpConnection last;
  private int size;

  /** A connection's place in a queue. */
  static final class Link {
    private @Nullable ConnectionQueue queue;
    private @Nullable HttpConnection before;
    private @Nullable HttpConnection after;

    /** Removes the connection from its queue, if it is in one. */
    void leave() {
      ConnectionQueue left = queue;
      if (left != null) {
        left.unlink(this);
      }
    }

    /** Whether it is in a queue. */
    boolean isIn(ConnectionQueue asked) {
      return queue == asked;
    }
  }

  /** Adds a connection at the end, unless it is in this queue; removes it from any other. */
  void add(HttpConnection httpConnection) {
    Link link = httpConnection.queueLink();
    if (!link.isIn(this)) {
      append(httpConnection, link);
    }
  }

  /** Moves a connection to the end. */
  void addAgain(HttpConnection httpConnection) {
    append(httpConnection, httpConnection.queueLink());
  }

  private void append(HttpConnection httpConnection, Link link) {
    link.leave();
    link.queue = this;
    link.before = last;
    if (last == null) {
      first = httpConnection;
    } else {
      last.queueLink().after = httpConnection;
    }
    last = httpConnection;
    size++;
  }

  private void unlink(Link link) {
    HttpConnection before = link.before;
    HttpConnection after = link.after;
    if (before == null) {
      first = after;
    } else {
      before.queueLink().after = after;
    }
    if (after == null) {
      last = before;
    } else {
      after.queueLink().before = before;
    }
    link.queue = null;
    link.before = null;
    link.after = null;
    size--;
  }

  /** The connection added first, or null. */
  @Nullable HttpConnection first() {
    return first;
  }

  int size() {
    return size;
  }
}
