package dev.pinion.benchmarks.bare;

import io.netty.bootstrap.Bootstrap;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Persistent connections to the stub, all on one event loop. The connection used last is used next,
 * so a chain of calls stays on one connection and there are as many connections as concurrent calls
 * at the busiest moment, up to a bound; calls beyond it wait in order.
 */
final class ServicePool {
  private final Bootstrap bootstrap;
  private final CallWriter writer;
  private final int maxConnections;
  private final Deque<ServiceConnection> idle = new ArrayDeque<>();
  private final Deque<Call> waiting = new ArrayDeque<>();
  private int open;

  /**
   * A pool without connections.
   *
   * @param bootstrap creates connections to the stub on the event loop
   * @param maxConnections most connections open at a time
   */
  ServicePool(Bootstrap bootstrap, CallWriter writer, int maxConnections) {
    this.bootstrap = bootstrap;
    this.writer = writer;
    this.maxConnections = maxConnections;
  }

  /** Makes a call of an exchange. */
  void call(Exchange exchange, int number, int service, long value) {
    ServiceConnection connection = idle.pollLast();
    if (connection != null) {
      connection.send(exchange, number, service, value);
    } else if (open < maxConnections) {
      connect(new Call(exchange, number, service, value));
    } else {
      waiting.addLast(new Call(exchange, number, service, value));
    }
  }

  /** Handles a connection that has its response and can carry the next call. */
  void onFree(ServiceConnection connection) {
    Call next = waiting.pollFirst();
    if (next == null) {
      idle.addLast(connection);
    } else {
      connection.send(next.exchange, next.number, next.service, next.value);
    }
  }

  /** Handles the end of a connection. */
  void onClosed(ServiceConnection connection) {
    open--;
    idle.remove(connection);
    Call next = waiting.pollFirst();
    if (next != null) {
      connect(next);
    }
  }

  CallWriter writer() {
    return writer;
  }

  private void connect(Call first) {
    open++;
    ServiceConnection connection = new ServiceConnection(this);
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

  private record Call(Exchange exchange, int number, int service, long value) {}
}
