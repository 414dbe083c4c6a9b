package dev.pinion.core.http;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** The open connections of one handler; adding, removing and iterating are cheap. */
final class ConnectionSet {
  private final List<HttpConnection> all = new ArrayList<>();

  void add(HttpConnection httpConnection) {
    httpConnection.setIndex(all.size());
    all.add(httpConnection);
  }

  void remove(HttpConnection httpConnection) {
    HttpConnection last = all.removeLast();
    if (last != httpConnection) {
      all.set(httpConnection.index(), last);
      last.setIndex(httpConnection.index());
    }
  }

  int size() {
    return all.size();
  }

  /** Calls a consumer for each connection, from the last to the first; the call may remove it. */
  void forEach(Consumer<HttpConnection> consumer) {
    for (int i = all.size() - 1; i >= 0; i--) {
      if (i < all.size()) {
        consumer.accept(all.get(i));
      }
    }
  }
}
