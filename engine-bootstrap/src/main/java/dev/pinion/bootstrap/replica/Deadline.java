package dev.pinion.bootstrap.replica;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/** Closes a connection when its time is over, which ends whatever waits for it. */
record Deadline(Future<?> end) implements AutoCloseable {
  /** A clock that forgets what is cancelled. */
  static ScheduledExecutorService clock(ThreadFactory threads) {
    ScheduledThreadPoolExecutor clock = new ScheduledThreadPoolExecutor(1, threads);
    clock.setRemoveOnCancelPolicy(true);
    return clock;
  }

  /** A connection that is closed in a while, unless this is closed before. */
  static Deadline of(ScheduledExecutorService clock, SocketChannel channel, Duration limit) {
    return new Deadline(
        clock.schedule(() -> close(channel), limit.toMillis(), TimeUnit.MILLISECONDS));
  }

  private static void close(SocketChannel channel) {
    try {
      channel.close();
    } catch (IOException e) {
      // It is of no use either way.
    }
  }

  @Override
  public void close() {
    end.cancel(false);
  }
}
