package dev.pinion.core.request;

import org.jspecify.annotations.Nullable;

/**
 * Connections in the order in which they were added. Each is in one queue at most; adding and
 * removing allocate nothing. Event loop only.
 */
final class ConnectionQueue {
  private @Nullable Connection first;
  private @Nullable Connection last;
  private int size;

  /** A connection's place in a queue. */
  static final class Place {
    private @Nullable ConnectionQueue queue;
    private @Nullable Connection before;
    private @Nullable Connection after;

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
  void add(Connection connection) {
    Place place = connection.place();
    if (!place.isIn(this)) {
      append(connection, place);
    }
  }

  /** Moves a connection to the end. */
  void addAgain(Connection connection) {
    append(connection, connection.place());
  }

  private void append(Connection connection, Place place) {
    place.leave();
    place.queue = this;
    place.before = last;
    if (last == null) {
      first = connection;
    } else {
      last.place().after = connection;
    }
    last = connection;
    size++;
  }

  private void unlink(Place place) {
    Connection before = place.before;
    Connection after = place.after;
    if (before == null) {
      first = after;
    } else {
      before.place().after = after;
    }
    if (after == null) {
      last = before;
    } else {
      after.place().before = before;
    }
    place.queue = null;
    place.before = null;
    place.after = null;
    size--;
  }

  /** The connection added first, or null. */
  @Nullable Connection first() {
    return first;
  }

  int size() {
    return size;
  }
}
