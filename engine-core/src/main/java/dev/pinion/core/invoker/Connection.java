package dev.pinion.core.invoker;

import dev.pinion.core.model.CallOutcome;
import dev.pinion.core.spi.Looks;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.handler.codec.http.HttpObject;
import java.io.IOException;
import java.net.UnknownHostException;
import java.util.Objects;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection to a service, with at most one request on it.
 *
 * <pre>
 *   CONNECTING ──▶ IDLE ──▶ BUSY ──▶ ANSWERED ──▶ IDLE, when both sides keep it
 *        └──────────┴─────────┴──────────┴──────▶ CLOSED
 * </pre>
 *
 * <p>An answered connection is used again only after everything that came with the answer was read,
 * so that bytes behind an answer close the connection instead of answering the next request.
 */
final class Connection extends TimeoutQueue.Node<Connection> {
  private static final Logger LOG = LoggerFactory.getLogger(Connection.class);

  private enum State {
    CONNECTING,
    IDLE,
    BUSY,
    ANSWERED,
    CLOSED
  }

  private final ServicePool pool;
  private final Network network;
  private final ResponseDecoder decoder;
  private final Answer answer;
  private State state = State.CONNECTING;
  private @Nullable Channel channel;

  /** The call on the connection; while connecting, the call it is meant for. */
  private @Nullable Exchange exchange;

  private boolean used;
  private boolean closeNotified;

  /**
   * A connection to be established.
   *
   * @param claimant the call it is meant for, or null for whoever waits
   */
  Connection(ServicePool pool, Network network, @Nullable Exchange claimant) {
    this.pool = pool;
    this.network = network;
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

  /** Begins to connect. */
  void connect() {
    network.connecting.add(this);
    ChannelFuture future = network.connect(pool.origin(), this);
    channel = future.channel();
    // A channel that could not even be made tells its listeners on another thread.
    if (future.isDone()) {
      onConnected(future.cause());
    } else {
      future.addListener(connected -> onConnected(connected.cause()));
    }
  }

  /** Sends a request on a free connection. */
  void send(Exchange next) {
    network.idle.remove(this);
    state = State.BUSY;
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

  /** The call on this connection is cancelled: HTTP/1.1 knows no way but to close it. */
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

  /** The time to connect is up. */
  void onConnectTimeout() {
    connectFailed(
        "expected "
            + pool.origin()
            + " to accept a connection within "
            + network.limits.connectTimeoutMillis()
            + " ms (invoker.connectTimeoutMillis), found it silent");
  }

  /** The engine stops before the connection was established. */
  void onStop() {
    connectFailed("the engine stopped before " + pool.origin() + " was connected");
  }

  /** What the call on this connection waits for. */
  String awaits() {
    if (state == State.CONNECTING) {
      return "a connection to";
    }
    return decoder.bytesSeen() ? "the rest of the answer of" : "the answer of";
  }

  void onHandshake(@Nullable Throwable cause) {
    if (state == State.CONNECTING && cause == null) {
      onReady();
    } else {
      onDisconnected(cause);
    }
  }

  /** The service will send no more on this TLS connection. */
  void onCloseNotify() {
    closeNotified = true;
    if (state == State.IDLE) {
      close();
    }
  }

  void onPart(HttpObject part) {
    if (state == State.BUSY) {
      try {
        if (answer.accept(part)) {
          onAnswered();
        }
      } catch (BadAnswerException e) {
        fail(Objects.requireNonNull(exchange), e);
      }
    } else if (state == State.IDLE || state == State.ANSWERED) {
      LOG.debug("closing a connection to {}: it sent what nobody asked for", pool.origin());
      close();
    }
  }

  void onReadComplete() {
    if (state == State.IDLE && !decoder.isDrained()) {
      LOG.debug("closing an idle connection to {}: more came than was asked for", pool.origin());
      close();
      return;
    }
    if (state != State.ANSWERED) {
      return;
    }
    ChannelOutboundBuffer unsent = channel().unsafe().outboundBuffer();
    boolean sent = unsent != null && unsent.isEmpty();
    if (answer.keepAlive() && decoder.isDrained() && sent && !closeNotified) {
      state = State.IDLE;
      used = true;
      pool.onFree(this);
    } else {
      close();
    }
  }

  /** The channel has closed or broken. */
  void onDisconnected(@Nullable Throwable cause) {
    switch (state) {
      case CONNECTING -> connectFailed(describeConnect(cause));
      case IDLE, ANSWERED -> close();
      case BUSY -> onBroken(Objects.requireNonNull(exchange), cause);
      case CLOSED -> LOG.trace("a closed connection to {} says", pool.origin(), cause);
    }
  }

  private void onConnected(@Nullable Throwable cause) {
    if (state != State.CONNECTING) {
      return;
    }
    if (cause != null) {
      connectFailed(describeConnect(cause));
    } else if (!pool.origin().tls()) {
      onReady();
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
    if (decoder.ended() && pool.origin().tls() && !closeNotified) {
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
    boolean peerClosed = cause == null || cause instanceof IOException;
    boolean stale = used && !decoder.bytesSeen() && peerClosed && !(cause instanceof SSLException);
    if (stale && broken.claimRetry()) {
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
    Exchange claimant = exchange;
    if (release()) {
      pool.onConnectFailed(claimant, Failures.communication(detail));
    }
  }

  /** Lets go of the channel; what comes from it later is ignored. */
  private boolean release() {
    if (state == State.CLOSED) {
      return false;
    }
    state = State.CLOSED;
    network.connecting.remove(this);
    network.idle.remove(this);
    exchange = null;
    answer.clear();
    if (channel != null && channel.isOpen()) {
      ChannelFuture _ = channel.close();
    }
    return true;
  }

  private String describeConnect(@Nullable Throwable cause) {
    if (cause instanceof UnknownHostException) {
      return "expected an address for host name " + pool.origin().host() + ", found none";
    }
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
