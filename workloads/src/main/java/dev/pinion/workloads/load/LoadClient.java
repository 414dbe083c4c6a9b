package dev.pinion.workloads.load;

import dev.pinion.workloads.load.AnswerCheck.Problem;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One client of the closed model: connect, send, await, think, send. Used on its event loop only.
 *
 * <pre>
 *   NEW ─▶ CONNECTING ─▶ BUSY ─▶ IDLE ─▶ BUSY …        any ─▶ DONE when the load ends
 *              ▲                  │
 *              └── without connection, after a pause when something failed
 * </pre>
 */
final class LoadClient {
  private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
  private static final int MAX_DOUBLINGS = 6;

  private enum State {
    NEW,
    CONNECTING,
    BUSY,
    IDLE,
    DONE
  }

  private final LoadLoop loop;
  private final ThinkTime thinkTime;
  private State state = State.NEW;
  private @Nullable Channel channel;
  private @Nullable LoadConnection connection;
  private @Nullable Future<?> pause;
  private int request;
  private boolean measured;
  private long sentAtNanos;
  private int failures;

  /**
   * A client that is yet to start.
   *
   * @param firstRequest number of the request it begins with
   */
  LoadClient(LoadLoop loop, ThinkTime thinkTime, int firstRequest) {
    this.loop = loop;
    this.thinkTime = thinkTime;
    this.request = firstRequest;
  }

  /** Begins, unless it has begun. */
  void start() {
    if (state == State.NEW) {
      act();
    }
  }

  /** Ends now when it awaits nothing, else when what it awaits has come. */
  void stop() {
    if (state == State.NEW || state == State.IDLE) {
      finish();
    }
  }

  /** Gives up the answer it awaits when that took too long. */
  void checkTimeout(long nowNanos, long timeoutNanos) {
    if (state == State.BUSY && nowNanos - sentAtNanos >= timeoutNanos) {
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
    long latencyNanos = loop.nanoTime() - sentAtNanos;
    Problem problem = loop.request(request).check().check(status, body, length);
    if (problem == null) {
      loop.onRightAnswer(measured, latencyNanos);
    } else {
      loop.tally().onError(problem);
    }
    failures = 0;
    request = loop.requestAfter(request);
    if (!keepAlive) {
      disconnect();
    }
    idle(thinkTime.nextNanos());
  }

  /** What came is no answer: counted, and the connection is given up. */
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
      disconnect();
      loop.tally().onReconnect();
    }
  }

  private void act() {
    pause = null;
    if (!loop.maySend()) {
      finish();
    } else if (channel == null) {
      connect();
    } else {
      send(channel);
    }
  }

  private void connect() {
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
    act();
  }

  private void send(Channel to) {
    if (!loop.takeTurn()) {
      finish();
      return;
    }
    state = State.BUSY;
    measured = loop.isMeasuring();
    sentAtNanos = loop.nanoTime();
    loop.tally().onSent();
    var _ = to.writeAndFlush(loop.wire(request), to.voidPromise());
  }

  private void fail(Problem problem) {
    loop.tally().onError(problem);
    disconnect();
    long nanos = FIRST_PAUSE_NANOS << Math.min(failures++, MAX_DOUBLINGS);
    idle(nanos);
  }

  private void idle(long nanos) {
    cancelPause();
    state = State.IDLE;
    if (nanos == 0 || !loop.maySend()) {
      act();
    } else {
      pause = loop.schedule(this::act, nanos);
    }
  }

  private void finish() {
    cancelPause();
    disconnect();
    if (state != State.DONE) {
      state = State.DONE;
      loop.onDone();
    }
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
