package dev.pinion.bootstrap.child;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/** Closes a connection at its deadline, which ends all waits on it. */
record ConnectionDeadline(Future<?> end) implements AutoCloseable {
  /** A timer that drops cancelled deadlines. */
  static ScheduledExecutorService clock(ThreadFactory threads) {
    ScheduledThreadPoolExecutor clock = new ScheduledThreadPoolExecutor(1, threads);
    clock.setRemoveOnCancelPolicy(true);
    return clock;
  }

  /** Closes a connection after a time limit, unless this is closed before. */
  static ConnectionDeadline of(
      ScheduledExecutorService clock, SocketChannel channel, Duration limit) {
    return new ConnectionDeadline(
        clock.schedule(() -> close(channel), limit.toMillis(), TimeUnit.MILLISECONDS));
  }

  private static void close(SocketChannel channel) {
    try {
      channel.close();
    } catch (IOException e) {
      // It is unusable either way.
    }
  }

  @Override
  public void close() {
    end.cancel(false);
  }
}
