package dev.pinion.core.request;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** The open connections of one handler; adding, removing and iterating are cheap. */
final class Connections {
  private final List<Connection> all = new ArrayList<>();

  void add(Connection connection) {
    connection.slot(all.size());
    all.add(connection);
  }

  void remove(Connection connection) {
    Connection last = all.removeLast();
    if (last != connection) {
      all.set(connection.slot(), last);
      last.slot(connection.slot());
    }
  }

  int size() {
    return all.size();
  }

  /** Calls a consumer for each connection, from the last to the first; the call may remove it. */
  void forEach(Consumer<Connection> consumer) {
    for (int i = all.size() - 1; i >= 0; i--) {
      if (i < all.size()) {
        consumer.accept(all.get(i));
      }
    }
  }
}
