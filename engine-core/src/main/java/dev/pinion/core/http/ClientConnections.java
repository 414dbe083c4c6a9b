package dev.pinion.core.http;

import io.netty.channel.Channel;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts the open client connections of a replica on all loops, against {@code
 * request.maxConnections}, and the bytes that wait for their clients. Any thread.
 */
public final class ClientConnections {
  /** Divisor: this part of all connections is kept for new clients, by closing idle ones. */
  private static final int PART_FOR_NEW = 16;

  /** Divisor: this part of all connections is for clients that have not sent a request yet. */
  private static final int PART_FOR_SILENT = 8;

  private final int most;
  private final AtomicInteger open = new AtomicInteger();
  private final AtomicInteger heard = new AtomicInteger();
  private final AtomicInteger handlers = new AtomicInteger();
  private final AtomicLong unsentBytes = new AtomicLong();
  private final LongAdder acceptFailures = new LongAdder();
  private final List<Runnable> waiting = new CopyOnWriteArrayList<>();

  /**
   * Counters without connections.
   *
   * @param most most open connections
   */
  public ClientConnections(int most) {
    this.most = most;
  }

  /** Counts a connection until it is closed. */
  @SuppressWarnings("FutureReturnValueIgnored") // returns the future that it was called on
  public void opened(Channel client) {
    open.incrementAndGet();
    client.closeFuture().addListener(_ -> closed());
  }

  private void closed() {
    if (open.getAndDecrement() == most) {
      waiting.forEach(Runnable::run);
    }
  }

  /** Whether another connection may be opened. */
  public boolean haveRoom() {
    return open.get() < most;
  }

  /** Whether idle connections have to make room for new clients. */
  public boolean areCrowded() {
    return open.get() >= most - most / PART_FOR_NEW;
  }

  /**
   * Whether connections that have sent requests must make room: not while connections without
   * requests exceed their part, as in a flood of silent connections.
   */
  boolean areActiveCrowded() {
    return heard.get() >= most - most / PART_FOR_SILENT;
  }

  /** Records that a connection has sent its first request. */
  void onFirstRequest() {
    heard.incrementAndGet();
  }

  /** Records that a connection that has sent requests has left this replica. */
  void onActiveClosed() {
    heard.decrementAndGet();
  }

  /** Records one more Request Handler that serves connections. */
  void servedByOneMore() {
    handlers.incrementAndGet();
  }

  /** Number of Request Handlers that serve connections. */
  int handlers() {
    return handlers.get();
  }

  /** Adds bytes that wait for clients to read them; subtracts when negative. */
  void unsent(long change) {
    unsentBytes.addAndGet(change);
  }

  /** Bytes that wait for clients to read them. */
  public long unsentBytes() {
    return unsentBytes.get();
  }

  void acceptFailed() {
    acceptFailures.increment();
  }

  /** Failed attempts to accept a connection. */
  public long acceptFailures() {
    return acceptFailures.sum();
  }

  /** Connections open now. */
  public int open() {
    return open.get();
  }

  /** Runs something, on any thread, each time there is room again. */
  void addRoomListener(Runnable task) {
    waiting.add(task);
  }

  void removeRoomListener(Runnable task) {
    waiting.remove(task);
  }
}
