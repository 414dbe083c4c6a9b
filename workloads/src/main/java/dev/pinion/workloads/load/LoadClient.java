package dev.pinion.workloads.load;

import dev.pinion.workloads.load.ResponseCheck.Problem;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One client: connects, sends at the times of its loop's {@link Pacing}, awaits the response. Used
 * on its event loop only.
 *
 * <pre>
 *   NEW ─▶ CONNECTING ─▶ IDLE ─▶ BUSY ─▶ IDLE …        any ─▶ DONE when the load ends
 *              ▲                   │
 *              └──── PAUSED ◀──────┘ something failed
 * </pre>
 */
final class LoadClient {
  private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
  private static final int MAX_DOUBLINGS = 6;

  private enum State {
    NEW,
    CONNECTING,
    IDLE,
    BUSY,
    PAUSED,
    DONE
  }

  private final LoadLoop loop;
  private final ThinkTime thinkTime;
  private State state = State.NEW;
  private @Nullable Channel channel;
  private @Nullable LoadConnection connection;
  private @Nullable Future<?> pause;
  private long iterationsLeft;
  private int request;
  private boolean thought;
  private boolean measured;
  private long dueNanos;
  private int failures;

  /**
   * A client that has not started.
   *
   * @param iterations measured requests it may send
   * @param firstRequest number of its first request
   */
  LoadClient(LoadLoop loop, ThinkTime thinkTime, long iterations, int firstRequest) {
    this.loop = loop;
    this.thinkTime = thinkTime;
    this.iterationsLeft = iterations;
    this.request = firstRequest;
  }

  /** Starts, unless it has started. */
  void start() {
    if (state == State.NEW) {
      connect();
    }
  }

  /** Ends now, unless its present action ends by itself. */
  void stop() {
    if (state == State.NEW || state == State.IDLE || state == State.PAUSED) {
      finish();
    }
  }

  /** Time it thinks before its next request; before its first one it is already thinking. */
  long nextThinkNanos() {
    if (thought) {
      return thinkTime.nextNanos();
    }
    thought = true;
    return thinkTime.restNanos();
  }

  /** Takes one of its measured requests; false when it has sent them all. */
  boolean takeIteration() {
    return iterationsLeft > 0 && iterationsLeft-- > 0;
  }

  /** Performs an action after a time, unless the client ends or loses its connection before. */
  void pause(long nanos, Runnable then) {
    pause =
        loop.schedule(
            () -> {
              pause = null;
              then.run();
            },
            nanos);
  }

  /**
   * Sends its next request; only when it is free.
   *
   * @param due scheduled time of sending; its latency counts from then
   */
  void send(long due, boolean isMeasured) {
    Channel to = channel;
    if (state != State.IDLE || to == null) {
      throw new IllegalStateException("expected a client that is free, found it " + state);
    }
    state = State.BUSY;
    measured = isMeasured;
    dueNanos = due;
    loop.tally().onSent();
    var _ = to.writeAndFlush(loop.wire(request), to.voidPromise());
  }

  /** Abandons the awaited response after the timeout. */
  void checkTimeout(long nowNanos, long timeoutNanos) {
    if (state == State.BUSY && nowNanos - dueNanos >= timeoutNanos) {
      fail(new Problem("timeout", "no answer after " + timeoutNanos / 1_000_000 + " ms"));
    }
  }

  void onAnswer(LoadConnection from, int status, byte[] body, int length, boolean keepAlive) {
    if (from != connection) {
      return;
    }
    if (state != State.BUSY) {
      onBroken(from, "unexpected answer", "status " + status + " without a request");
      return;
    }
    long latencyNanos = loop.nanoTime() - dueNanos;
    Problem problem = loop.request(request).check().check(status, body, length);
    if (problem == null) {
      loop.onRightAnswer(measured, latencyNanos);
    } else {
      loop.tally().onError(problem);
    }
    failures = 0;
    request = loop.requestAfter(request);
    if (keepAlive) {
      state = State.IDLE;
      loop.pacing().onFree(this);
    } else {
      disconnect();
      connect();
    }
  }

  /** Handles an invalid response: it is counted, and the connection is abandoned. */
  void onBroken(LoadConnection from, String kind, String detail) {
    if (from == connection) {
      fail(new Problem(kind, detail));
    }
  }

  void onClosed(LoadConnection from, String detail) {
    if (from != connection) {
      return;
    }
    if (state == State.BUSY) {
      fail(new Problem("connection lost", detail));
    } else {
      loop.pacing().onLost(this);
      loop.tally().onReconnect();
      disconnect();
      connect();
    }
  }

  private void connect() {
    cancelPause();
    if (loop.pacing().isDone()) {
      finish();
      return;
    }
    state = State.CONNECTING;
    LoadConnection next = new LoadConnection(this);
    var _ = loop.connect(next).addListener(done -> onConnected(next, (ChannelFuture) done));
  }

  private void onConnected(LoadConnection next, ChannelFuture done) {
    if (!done.isSuccess()) {
      fail(new Problem("connect", String.valueOf(done.cause().getMessage())));
      return;
    }
    connection = next;
    channel = done.channel();
    state = State.IDLE;
    loop.pacing().onFree(this);
  }

  private void fail(Problem problem) {
    if (state == State.IDLE) {
      loop.pacing().onLost(this);
    }
    loop.tally().onError(problem);
    disconnect();
    cancelPause();
    state = State.PAUSED;
    pause(FIRST_PAUSE_NANOS << Math.min(failures++, MAX_DOUBLINGS), this::connect);
  }

  private void finish() {
    cancelPause();
    disconnect();
    state = State.DONE;
    loop.onDone();
  }

  private void disconnect() {
    connection = null;
    if (channel != null) {
      var _ = channel.close();
      channel = null;
    }
  }

  private void cancelPause() {
    if (pause != null) {
      pause.cancel(false);
      pause = null;
    }
  }
}
