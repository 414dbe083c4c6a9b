package dev.pinion.core.request;

import io.netty.channel.Channel;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts the open client connections of a replica, whichever loop they belong to, against {@code
 * request.maxConnections}, and what waits for their clients. Any thread.
 */
public final class ClientConnections {
  /** Of so many connections one is kept for new clients: idle ones are closed to have it. */
  private static final int PART_FOR_NEW = 16;

  /** Of so many connections one is for clients that have not sent a request yet. */
  private static final int PART_FOR_SILENT = 8;

  private final int most;
  private final AtomicInteger open = new AtomicInteger();
  private final AtomicInteger heard = new AtomicInteger();
  private final AtomicInteger handlers = new AtomicInteger();
  private final AtomicLong unsentBytes = new AtomicLong();
  private final LongAdder acceptFailures = new LongAdder();
  private final List<Runnable> waiting = new CopyOnWriteArrayList<>();

  /** None yet, of at most so many. */
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

  /** Whether one more may be opened. */
  public boolean haveRoom() {
    return open.get() < most;
  }

  /** Whether idle connections have to make room for new clients. */
  public boolean areCrowded() {
    return open.get() >= most - most / PART_FOR_NEW;
  }

  /**
   * Whether connections that have sent requests have to make room: not while others do that take
   * more than their part, as in a flood of connections that send nothing.
   */
  boolean areCrowdedByHeard() {
    return heard.get() >= most - most / PART_FOR_SILENT;
  }

  /** A connection has sent its first request. */
  void heard() {
    heard.incrementAndGet();
  }

  /** A connection that has sent requests is no connection of this replica any more. */
  void heardHasLeft() {
    heard.decrementAndGet();
  }

  /** One more Request Handler serves some of them. */
  void servedByOneMore() {
    handlers.incrementAndGet();
  }

  /** Request Handlers that serve them. */
  int handlers() {
    return handlers.get();
  }

  /** So many bytes more wait for clients to read them, or fewer when negative. */
  void unsent(long change) {
    unsentBytes.addAndGet(change);
  }

  /** Bytes that wait for clients to read them. */
  long unsentBytes() {
    return unsentBytes.get();
  }

  void acceptFailed() {
    acceptFailures.increment();
  }

  /** Times that a connection could not be accepted. */
  public long acceptFailures() {
    return acceptFailures.sum();
  }

  /** Open now. */
  public int open() {
    return open.get();
  }

  /** Runs something, on any thread, each time there is room again. */
  void onRoom(Runnable task) {
    waiting.add(task);
  }

  void offRoom(Runnable task) {
    waiting.remove(task);
  }
}
