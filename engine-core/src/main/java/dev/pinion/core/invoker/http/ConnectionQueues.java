package dev.pinion.core.invoker.http;

import dev.pinion.core.invoker.TimeoutQueue;
import dev.pinion.core.limits.InvokerLimits;
import java.util.concurrent.TimeUnit;

/** The connections of an event loop that wait for something. Event loop only. */
final class ConnectionQueues {
  final TimeoutQueue<PooledConnection> connecting;
  final IdlePooledConnections<PooledConnection> idle;
  final HappyEyeballs.Delays races = new HappyEyeballs.Delays();

  ConnectionQueues(InvokerLimits limits) {
    this.connecting =
        new TimeoutQueue<>(TimeUnit.MILLISECONDS.toNanos(limits.connectTimeoutMillis()));
    this.idle = new IdlePooledConnections<>(limits.idleTimeoutMillis());
  }

  /** Closes the connection unused for longest; returns false when all are in use. */
  boolean closeUnused() {
    PooledConnection unused = idle.oldest();
    if (unused == null) {
      return false;
    }
    unused.close();
    return true;
  }
}
