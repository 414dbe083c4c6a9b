package dev.pinion.core.invoker;

import dev.pinion.core.model.CallOutcome;
import dev.pinion.core.model.ErrorType;
import dev.pinion.core.spi.Looks;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.handler.codec.http.HttpObject;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection to a service, with at most one request on it.
 *
 * <pre>
 *   CONNECTING ──▶ IDLE ──▶ BUSY ──────────────▶ ANSWERED ──▶ IDLE, when both sides keep it
 *        │          │         └──▶ COMPLETE ──────▶ │
 *        └──────────┴─────────┴───────┴─────────────┴──▶ CLOSED
 * </pre>
 *
 * <p>An idle connection is checked before it is reused: one that the service has closed meanwhile,
 * or that is older than {@code invoker.connectionAgeMillis}, is not reused. The age is shorter by
 * up to a quarter at random, so that connections made together are not renewed together.
 *
 * <p>A complete response without room waits ({@link AnswerRoom}); its connection is not read
 * meanwhile and not reused.
 *
 * <p>An answered connection is reused only after everything that came with the response was read,
 * so that bytes behind a response close the connection instead of answering the next request.
 */
final class Connection extends TimeoutQueue.Node<Connection> {
  private static final Logger LOG = LoggerFactory.getLogger(Connection.class);

  private enum State {
    CONNECTING,
    IDLE,
    BUSY,
    COMPLETE,
    ANSWERED,
    CLOSED
  }

  /** Idle time after which a connection is checked by a system call. */
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private final ServicePool pool;
  private final Network network;
  private final ConnectRace race;
  private final ResponseDecoder decoder;
  private final Answer answer;
  private State state = State.CONNECTING;
  private @Nullable Channel channel;

  /** The call on the connection; while connecting, the call that it is intended for. */
  private @Nullable Exchange exchange;

  /** Bytes of the response that the {@link AnswerRoom} counts and sets. */
  int roomBytes;

  private boolean heldUp;

  /** Whether the response was complete only because TLS ended without close_notify. */
  private boolean cutOff;

  private boolean used;
  private boolean closeNotified;
  private long renewAtNanos;
  private final SentBytes sent = new SentBytes();

  /** Bytes sent before the request under way. */
  private long sentBefore;

  /** Whether the service closed before it received anything of the request under way. */
  private boolean closedUnread;

  /**
   * A connection to be established.
   *
   * @param claimant the call it is intended for, or null for any waiting call
   */
  Connection(ServicePool pool, Network network, @Nullable Exchange claimant) {
    this.pool = pool;
    this.network = network;
    this.race = new ConnectRace(this, pool.origin(), network);
    this.decoder = new ResponseDecoder(network.limits);
    this.answer =
        new Answer(
            network.limits.maxResponseBytes(),
            network.limits.maxHeaderBytes(),
            ByteBufAllocator.DEFAULT);
    this.exchange = claimant;
    if (claimant != null) {
      claimant.on(this);
    }
  }

  ResponseDecoder decoder() {
    return decoder;
  }

  SentBytes sentBytes() {
    return sent;
  }

  /** Begins to connect. */
  void connect() {
    network.connecting.add(this);
    race.start();
  }

  /** Whether an idle connection can be reused. */
  boolean isUsable() {
    Channel idle = channel();
    long nowNanos = network.nowNanos();
    return idle.isActive()
        && !isTooOld()
        && !(started && deadlineNanos - nowNanos <= 0)
        && (IdleConnections.idleNanos(this, nowNanos) < LOOK_NANOS || network.tcp.isOpen(idle));
  }

  /** Whether it is time for a new connection, perhaps to another address. */
  boolean isTooOld() {
    return network.nowNanos() - renewAtNanos >= 0;
  }

  /** Seconds for which the service keeps the connection, or {@link Answer#UNTOLD}. */
  int keptSeconds() {
    return answer.keptSeconds();
  }

  /** Sends a request on a free connection. */
  void send(Exchange next) {
    IdleConnections.remove(this);
    state = State.BUSY;
    closedUnread = false;
    sentBefore = sent.count();
    heldUp = false;
    exchange = next;
    next.on(this);
    decoder.expectAnswerTo(next.call().method());
    Channel open = channel();
    int look = Looks.count();
    try {
      ByteBuf request =
          network.encoder.encode(
              next.call(), next.content(), next.path(), pool.hostField(), open.alloc());
      ChannelFuture _ = open.writeAndFlush(request, open.voidPromise());
      next.worked(look);
    } catch (IOException e) {
      fail("the body of " + Failures.name(next.call()) + " could not be written: " + e);
    }
  }

  /** Cancels the call on this connection: with HTTP/1.1 only closing it does that. */
  void abandon() {
    exchange = null;
    if (state == State.CONNECTING) {
      pool.onUnclaimed();
    } else {
      close();
    }
  }

  /** Closes a connection that no call depends on. */
  void close() {
    if (release()) {
      pool.onClosed(this);
    }
  }

  /** Fails a connection that was not established in time. */
  void onConnectTimeout() {
    int millis = network.limits.connectTimeoutMillis();
    connectFailed(
        channel == null
            ? race.describeTimeout(millis)
            : "expected "
                + pool.origin()
                + " to complete the TLS handshake within "
                + millis
                + " ms (invoker.connectTimeoutMillis), found it silent");
  }

  /** Fails a connection that was not established before the engine stops. */
  void onStop() {
    connectFailed("the engine stopped before " + pool.origin() + " was connected");
  }

  /** Description of what the call on this connection waits for. */
  String awaits() {
    if (state == State.CONNECTING) {
      return "a connection to";
    }
    if (isHeldUp()) {
      return "room for the answer of";
    }
    return decoder.bytesSeen() ? "the rest of the answer of" : "the answer of";
  }

  /** Whether the response, or the rest of it, waits for room in this process. */
  private boolean isHeldUp() {
    return roomBytes > 0 && network.room.holdsUp(this);
  }

  /** Whether the call {@linkplain ServiceCaller.OngoingCall#wasHeldUp was held up}. */
  boolean wasHeldUp() {
    boolean was = heldUp;
    heldUp = isHeldUp();
    return was;
  }

  /** Resumes or pauses reading. */
  void read(boolean on) {
    heldUp |= !on;
    channel().config().setAutoRead(on);
  }

  /** Forwards the waiting response. */
  void handOn() {
    state = State.BUSY;
    onAnswered();
    if (state == State.ANSWERED) {
      close(); // bytes behind the response were not read
    }
  }

  void onHandshake(@Nullable Throwable cause) {
    if (state == State.CONNECTING && cause == null) {
      onReady();
    } else {
      onDisconnected(cause);
    }
  }

  /** Handles the end of this TLS connection's input. */
  void onCloseNotify() {
    closeNotified = true;
    if (state == State.IDLE) {
      close();
    } else {
      onInputEnded(); // before TLS's answer breaks the closed connection
    }
  }

  void onPart(HttpObject part) {
    if (state == State.BUSY) {
      try {
        int before = answer.body().readableBytes();
        boolean complete = answer.accept(part);
        onPart(complete, answer.body().readableBytes() - before);
      } catch (BadAnswerException e) {
        fail(Objects.requireNonNull(exchange), e);
      }
    } else if (state == State.IDLE || state == State.ANSWERED) {
      LOG.debug("closing a connection to {}: it sent data without a request", pool.origin());
      close();
    }
  }

  private void onPart(boolean complete, int bytes) {
    if (!complete) {
      if (bytes > 0) {
        network.room.grew(this, bytes);
      }
      return;
    }
    cutOff = decoder.ended() && pool.origin().tls() && !closeNotified;
    if (answer.body().isReadable() && !network.room.isOpen()) {
      state = State.COMPLETE;
      network.room.hold(this, bytes);
    } else {
      network.room.leave(this);
      onAnswered();
    }
  }

  void onReadComplete() {
    if (state == State.IDLE && !decoder.isDrained()) {
      LOG.debug("closing an idle connection to {}: it sent more than the response", pool.origin());
      close();
      return;
    }
    if (state != State.ANSWERED) {
      return;
    }
    ChannelOutboundBuffer unsent = channel().unsafe().outboundBuffer();
    boolean allSent = unsent != null && unsent.isEmpty();
    if (answer.keepAlive() && decoder.isDrained() && allSent && !closeNotified) {
      state = State.IDLE;
      used = true;
      pool.onFree(this);
    } else {
      close();
    }
  }

  /** Handles a closed or broken channel. */
  void onDisconnected(@Nullable Throwable cause) {
    switch (state) {
      case CONNECTING -> connectFailed(describeConnect(cause));
      case IDLE, ANSWERED -> close();
      case BUSY -> onBroken(Objects.requireNonNull(exchange), cause);
      case COMPLETE -> LOG.trace("{} has closed a connection", pool.origin(), cause);
      case CLOSED -> LOG.trace("a closed connection to {} reports", pool.origin(), cause);
    }
  }

  /** Handles a connected channel. */
  void onConnected(Channel connected) {
    channel = connected;
    renewAtNanos = network.renewAtNanos();
    network.install(connected, pool.origin(), this);
    if (!pool.origin().tls()) {
      onReady();
    }
  }

  /** Fails the connection: no address of the service accepts one, or none may be called. */
  void onUnreachable(String detail, boolean forbidden) {
    connectFailed(
        Failures.of(forbidden ? ErrorType.AUTHORIZATION : ErrorType.COMMUNICATION, detail));
  }

  /** Handles the end of the service's output, by TCP or by TLS. */
  void onInputEnded() {
    if (channel().isOpen()) {
      closedUnread = state == State.BUSY && network.tcp.isUnread(channel(), sentBefore);
    }
  }

  private void onReady() {
    network.connecting.remove(this);
    state = State.IDLE;
    if (exchange != null) {
      send(exchange);
    } else {
      pool.onReady(this);
    }
  }

  private void onAnswered() {
    Exchange answered = Objects.requireNonNull(exchange);
    if (cutOff) {
      fail(
          "expected " + pool.origin() + " to end its answer by TLS close_notify, found it cut off");
      return;
    }
    int look = Looks.count();
    boolean taken = answered.taken(answer);
    CallOutcome outcome = taken ? null : network.outcomes.of(answered.call(), answer);
    answered.worked(look);
    exchange = null;
    state = State.ANSWERED;
    answer.clear();
    if (outcome != null) {
      answered.end(outcome);
    }
  }

  private void onBroken(Exchange broken, @Nullable Throwable cause) {
    if (closedUnread) {
      onInputEnded(); // it may have received the request since
    }
    boolean peerClosed = cause == null || cause instanceof IOException;
    boolean stale = used && !decoder.bytesSeen() && peerClosed && !(cause instanceof SSLException);
    boolean reset = cause != null && !closeNotified;
    if (stale && broken.claimRetry(closedUnread, reset)) {
      release();
      pool.replace(broken);
      return;
    }
    if (!peerClosed) {
      LOG.warn("closing a connection to {} that failed unexpectedly", pool.origin(), cause);
    }
    String when = decoder.bytesSeen() ? "in the middle of" : "before";
    fail(
        "expected "
            + pool.origin()
            + " to answer "
            + Failures.name(broken.call())
            + ", found the connection closed "
            + when
            + " the answer"
            + (cause == null ? "" : " (" + cause.getMessage() + ")"));
  }

  private void fail(Exchange failed, BadAnswerException e) {
    fail("bad answer to " + Failures.name(failed.call()) + ": " + e.problem());
  }

  private void fail(String detail) {
    Exchange failed = Objects.requireNonNull(exchange);
    exchange = null;
    failed.end(Failures.communication(detail));
    close();
  }

  private void connectFailed(String detail) {
    connectFailed(Failures.communication(detail));
  }

  private void connectFailed(CallOutcome failure) {
    Exchange claimant = exchange;
    if (release()) {
      pool.onConnectFailed(claimant, failure);
    }
  }

  /** Releases the channel; its later events are ignored. */
  private boolean release() {
    if (state == State.CLOSED) {
      return false;
    }
    state = State.CLOSED;
    race.end();
    network.connecting.remove(this);
    IdleConnections.remove(this);
    network.room.leave(this);
    exchange = null;
    answer.clear();
    if (channel != null && channel.isOpen()) {
      ChannelFuture _ = channel.close();
    }
    return true;
  }

  private String describeConnect(@Nullable Throwable cause) {
    if (cause instanceof SSLException) {
      return "TLS with " + pool.origin() + " failed: " + cause.getMessage();
    }
    String found = cause == null ? "it closed the connection" : String.valueOf(cause.getMessage());
    return "expected " + pool.origin() + " to accept a connection, found: " + found;
  }

  private Channel channel() {
    return Objects.requireNonNull(channel, "channel of a connection that was established");
  }
}
