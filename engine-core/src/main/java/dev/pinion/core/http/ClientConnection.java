package dev.pinion.core.http;

/** A connection that may be closed to make room for other clients. Event loop only. */
interface ClientConnection {
  /** Its place in a queue of connections. */
  ConnectionQueue.Link<ClientConnection> queueLink();

  /**
   * Milliseconds until it may be closed to make room for another client.
   *
   * @param leastSilentMillis least idle time of a connection that has sent nothing
   */
  long evictableInMillis(long nowNanos, long leastSilentMillis);

  /** Closes without an answer. */
  void closeNow();
}
