package dev.pinion.core.http;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * The open connections of one handler; adding, removing and iterating are cheap.
 *
 * @param <C> the type of a connection
 */
final class ConnectionSet<C extends ConnectionSet.Member> {
  private final List<C> all = new ArrayList<>();

  /** A connection that knows its place in the set. */
  interface Member {
    /** Its place in the set. */
    int index();

    /** Sets its place; only the set calls it. */
    void setIndex(int place);
  }

  void add(C connection) {
    connection.setIndex(all.size());
    all.add(connection);
  }

  void remove(C connection) {
    int index = connection.index();
    C last = all.removeLast();
    if (index < all.size()) { // it was not the last
      all.set(index, last);
      last.setIndex(index);
    }
  }

  int size() {
    return all.size();
  }

  /** Calls a consumer for each connection, from the last to the first; the call may remove it. */
  void forEach(Consumer<C> consumer) {
    for (int i = all.size() - 1; i >= 0; i--) {
      if (i < all.size()) {
        consumer.accept(all.get(i));
      }
    }
  }
}
