package dev.pinion.benchmarks.bare;

import io.netty.bootstrap.Bootstrap;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Persistent connections to the stub, all on one event loop. The connection used last is used next,
 * so a chain of calls stays on one connection and there are as many connections as concurrent calls
 * at the busiest moment, up to a bound; calls beyond it wait in order.
 */
final class StubConnectionPool {
  private final Bootstrap bootstrap;
  private final BareRequestWriter writer;
  private final int maxConnections;
  private final Deque<StubConnection> idle = new ArrayDeque<>();
  private final Deque<Call> waiting = new ArrayDeque<>();
  private int open;

  /**
   * A pool without connections.
   *
   * @param bootstrap creates connections to the stub on the event loop
   * @param maxConnections most connections open at a time
   */
  StubConnectionPool(Bootstrap bootstrap, BareRequestWriter writer, int maxConnections) {
    this.bootstrap = bootstrap;
    this.writer = writer;
    this.maxConnections = maxConnections;
  }

  /** Makes a call of an exchange. */
  void call(StartExchange startExchange, int number, int service, long value) {
    StubConnection connection = idle.pollLast();
    if (connection != null) {
      connection.send(startExchange, number, service, value);
    } else if (open < maxConnections) {
      connect(new Call(startExchange, number, service, value));
    } else {
      waiting.addLast(new Call(startExchange, number, service, value));
    }
  }

  /** Handles a connection that has its response and can carry the next call. */
  void onFree(StubConnection connection) {
    Call next = waiting.pollFirst();
    if (next == null) {
      idle.addLast(connection);
    } else {
      connection.send(next.exchange, next.number, next.service, next.value);
    }
  }

  /** Handles the end of a connection. */
  void onClosed(StubConnection connection) {
    open--;
    idle.remove(connection);
    Call next = waiting.pollFirst();
    if (next != null) {
      connect(next);
    }
  }

  BareRequestWriter writer() {
    return writer;
  }

  private void connect(Call first) {
    open++;
    StubConnection connection = new StubConnection(this);
    bootstrap
        .clone()
        .handler(connection.initializer())
        .connect()
        .addListener(
            connected -> {
              if (connected.isSuccess()) {
                connection.send(first.exchange, first.number, first.service, first.value);
              } else {
                open--;
                first.exchange.onFailure("no connection to the stub: " + connected.cause());
              }
            });
  }

  private record Call(StartExchange exchange, int number, int service, long value) {}
}
