package dev.pinion.core.invoker.http;

import dev.pinion.core.invoker.CallFailures;
import dev.pinion.core.invoker.TimeoutQueue;
import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.call.CallOutcome;
import dev.pinion.core.spi.ProfilingHook;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.handler.codec.http.HttpObject;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection to a service, with at most one request on it, in the states of {@link
 * ConnectionState}.
 *
 * <p>An idle connection is checked before it is reused: one that the service has closed meanwhile,
 * or that is older than {@code invoker.connectionAgeMillis}, is not reused. The age is shorter by
 * up to a quarter at random, so that connections made together are not renewed together.
 *
 * <p>A complete response without room waits ({@link ResponseBudget}); its connection is not read
 * meanwhile and not reused.
 *
 * <p>An answered connection is reused only after everything that came with the response was read,
 * so that bytes behind a response close the connection instead of answering the next request.
 */
final class PooledConnection extends TimeoutQueue.TimeoutNode<PooledConnection>
    implements CallExchange.CallPlace,
        ConnectionHandler.ChannelEvents,
        HappyEyeballs.RaceListener,
        ResponseBudget.Receiver {
  private static final Logger LOG = LoggerFactory.getLogger(PooledConnection.class);

  /** Idle time after which a connection is checked by a system call. */
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private final ConnectionOwner<PooledConnection> pool;
  private final ConnectionContext connectionContext;
  private final TimeoutQueue<PooledConnection> connecting;
  private final HappyEyeballs race;
  private final ResponseDecoder decoder;
  private final ResponseAggregator responseAggregator;
  private ConnectionState connectionState = ConnectionState.CONNECTING;
  private @Nullable Channel channel;

  /** The call on the connection; while connecting, the call that it is intended for. */
  private @Nullable CallExchange callExchange;

  private final ResponseBudget.Share share = new ResponseBudget.Share(this);
  private boolean heldUp;

  /** Whether the response was complete only because TLS ended without close_notify. */
  private boolean cutOff;

  private boolean closeNotified;
  private long renewAtNanos;
  private final RequestDelivery delivery;

  /**
   * A connection to be established.
   *
   * @param connecting connections that are being established
   * @param races races that wait for a moment
   * @param claimant the call it is intended for, or null for any waiting call
   */
  PooledConnection(
      ConnectionOwner<PooledConnection> pool,
      ConnectionContext connectionContext,
      TimeoutQueue<PooledConnection> connecting,
      HappyEyeballs.Delays races,
      @Nullable CallExchange claimant) {
    this.pool = pool;
    this.connectionContext = connectionContext;
    this.connecting = connecting;
    this.race = new HappyEyeballs(this, pool.origin(), connectionContext, races);
    this.delivery = new RequestDelivery(connectionContext.tcp);
    this.decoder = new ResponseDecoder(connectionContext.limits);
    this.responseAggregator =
        new ResponseAggregator(
            connectionContext.limits.maxResponseBytes(),
            connectionContext.limits.maxHeaderBytes(),
            ByteBufAllocator.DEFAULT);
    this.callExchange = claimant;
    if (claimant != null) {
      claimant.on(this);
    }
  }

  /** Begins to connect. */
  void connect() {
    connecting.add(this);
    race.start();
  }

  /** Whether an idle connection can be reused. */
  boolean isUsable() {
    Channel idle = channel();
    long nowNanos = connectionContext.nowNanos();
    return idle.isActive()
        && !isTooOld()
        && !(started && deadlineNanos - nowNanos <= 0)
        && (IdlePooledConnections.idleNanos(this, nowNanos) < LOOK_NANOS
            || connectionContext.tcp.isOpen(idle));
  }

  /** Whether it is time for a new connection, perhaps to another address. */
  boolean isTooOld() {
    return connectionContext.nowNanos() - renewAtNanos >= 0;
  }

  /** Seconds for which the service keeps the connection, or {@link ResponseAggregator#UNTOLD}. */
  int keptSeconds() {
    return responseAggregator.keptSeconds();
  }

  /** Sends a request on a free connection. */
  void send(CallExchange next) {
    IdlePooledConnections.remove(this);
    connectionState = ConnectionState.BUSY;
    delivery.begin();
    heldUp = false;
    callExchange = next;
    next.on(this);
    decoder.expectAnswerTo(next.call().method());
    Channel open = channel();
    int look = ProfilingHook.samples();
    try {
      ByteBuf request =
          connectionContext.encoder.encode(
              next.call(), next.content(), next.path(), pool.hostField(), open.alloc());
      ChannelFuture _ = open.writeAndFlush(request, open.voidPromise());
      next.onWork(look);
    } catch (IOException e) {
      fail("the body of " + next.call().description() + " could not be written: " + e);
    }
  }

  /** Cancels the call on this connection: with HTTP/1.1 only closing it does that. */
  @Override
  public void abandon(CallExchange cancelled) {
    callExchange = null;
    if (connectionState == ConnectionState.CONNECTING) {
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
    int millis = connectionContext.limits.connectTimeoutMillis();
    connectFailed(
        channel == null
            ? race.describeTimeout(millis)
            : ConnectionFailures.handshakeTimeout(pool.origin(), millis));
  }

  /** Fails a connection that was not established before the engine stops. */
  void onStop() {
    connectFailed("the engine stopped before " + pool.origin() + " was connected");
  }

  @Override
  public String awaits() {
    return awaited() + " " + pool.origin();
  }

  private String awaited() {
    if (connectionState == ConnectionState.CONNECTING) {
      return "a connection to";
    }
    if (isHeldUp()) {
      return "room for the answer of";
    }
    return decoder.bytesSeen() ? "the rest of the answer of" : "the answer of";
  }

  /** Whether the response, or the rest of it, waits for room in this process. */
  private boolean isHeldUp() {
    return share.isUsed() && connectionContext.responses.isBlocking(share);
  }

  @Override
  public boolean wasHeldUp() {
    boolean was = heldUp;
    heldUp = isHeldUp();
    return was;
  }

  @Override
  public void read(boolean on) {
    heldUp |= !on;
    channel().config().setAutoRead(on);
  }

  @Override
  public void deliver() {
    connectionState = ConnectionState.BUSY;
    onAnswered();
    if (connectionState == ConnectionState.ANSWERED) {
      close(); // bytes behind the response were not read
    }
  }

  @Override
  public void onHandshake(@Nullable Throwable cause) {
    if (connectionState == ConnectionState.CONNECTING && cause == null) {
      onReady();
    } else {
      onDisconnected(cause);
    }
  }

  @Override
  public void onCloseNotify() {
    closeNotified = true;
    if (connectionState == ConnectionState.IDLE) {
      close();
    } else {
      onInputEnded(); // before TLS's answer breaks the closed connection
    }
  }

  @Override
  public void onPart(HttpObject part) {
    if (connectionState == ConnectionState.BUSY) {
      try {
        int before = responseAggregator.body().readableBytes();
        boolean complete = responseAggregator.accept(part);
        onPart(complete, responseAggregator.body().readableBytes() - before);
      } catch (BadResponseException e) {
        CallExchange failed = Objects.requireNonNull(callExchange);
        fail("bad answer to " + failed.call().description() + ": " + e.problem());
      }
    } else if (connectionState == ConnectionState.IDLE
        || connectionState == ConnectionState.ANSWERED) {
      LOG.debug("closing a connection to {}: it sent data without a request", pool.origin());
      close();
    }
  }

  private void onPart(boolean complete, int bytes) {
    if (!complete) {
      if (bytes > 0) {
        connectionContext.responses.onBytes(share, bytes);
        if (Objects.requireNonNull(callExchange).isWatched()) {
          lookAtPart();
        }
      }
      return;
    }
    cutOff = decoder.ended() && pool.origin().tls() && !closeNotified;
    if (responseAggregator.body().isReadable() && !connectionContext.responses.hasRoom()) {
      connectionState = ConnectionState.COMPLETE;
      connectionContext.responses.enqueue(share, bytes);
    } else {
      connectionContext.responses.release(share);
      onAnswered();
    }
  }

  /** Ends a call that has seen enough of its response: with HTTP/1.1 only closing does that. */
  private void lookAtPart() {
    CallExchange looking = Objects.requireNonNull(callExchange);
    int look = ProfilingHook.samples();
    boolean enough = looking.offerPart(responseAggregator);
    looking.onWork(look);
    if (enough) {
      connectionContext.counters.onResponse(responseAggregator.status());
      close();
    }
  }

  @Override
  public void onReadComplete() {
    if (connectionState == ConnectionState.IDLE && !decoder.isDrained()) {
      LOG.debug("closing an idle connection to {}: it sent more than the response", pool.origin());
      close();
      return;
    }
    if (connectionState != ConnectionState.ANSWERED) {
      return;
    }
    ChannelOutboundBuffer unsent = channel().unsafe().outboundBuffer();
    boolean allSent = unsent != null && unsent.isEmpty();
    if (responseAggregator.keepAlive() && decoder.isDrained() && allSent && !closeNotified) {
      connectionState = ConnectionState.IDLE;
      delivery.complete();
      pool.onFree(this);
    } else {
      close();
    }
  }

  @Override
  public void onDisconnected(@Nullable Throwable cause) {
    switch (connectionState) {
      case CONNECTING -> connectFailed(ConnectionFailures.connect(pool.origin(), cause));
      case IDLE, ANSWERED -> close();
      case BUSY -> onBroken(Objects.requireNonNull(callExchange), cause);
      case COMPLETE -> LOG.trace("{} has closed a connection", pool.origin(), cause);
      case CLOSED -> LOG.trace("a closed connection to {} reports", pool.origin(), cause);
    }
  }

  @Override
  public void onConnected(Channel connected) {
    channel = connected;
    renewAtNanos = connectionContext.renewAtNanos();
    connectionContext.install(connected, pool.origin(), delivery.sent(), decoder, this);
    if (!pool.origin().tls()) {
      onReady();
    }
  }

  @Override
  public void onUnreachable(String detail, boolean forbidden) {
    connectFailed(
        CallFailures.of(forbidden ? ErrorType.AUTHORIZATION : ErrorType.COMMUNICATION, detail));
  }

  @Override
  public void onInputEnded() {
    if (channel().isOpen()) {
      delivery.onInputEnded(channel(), connectionState == ConnectionState.BUSY);
    }
  }

  private void onReady() {
    connecting.remove(this);
    connectionState = ConnectionState.IDLE;
    if (callExchange != null) {
      send(callExchange);
    } else {
      pool.onReady(this);
    }
  }

  private void onAnswered() {
    CallExchange answered = Objects.requireNonNull(callExchange);
    if (cutOff) {
      fail(ConnectionFailures.cutOff(pool.origin()));
      return;
    }
    int look = ProfilingHook.samples();
    connectionContext.counters.onResponse(responseAggregator.status());
    boolean taken = answered.offer(responseAggregator);
    CallOutcome outcome =
        taken ? null : connectionContext.callOutcomes.of(answered.call(), responseAggregator);
    answered.onWork(look);
    callExchange = null;
    connectionState = ConnectionState.ANSWERED;
    responseAggregator.clear();
    if (outcome != null) {
      answered.end(outcome);
    }
  }

  private void onBroken(CallExchange broken, @Nullable Throwable cause) {
    if (delivery.isUnread()) {
      onInputEnded(); // it may have received the request since
    }
    if (delivery.claimRetry(broken, decoder.bytesSeen(), closeNotified, cause)) {
      release();
      pool.replace(broken);
      return;
    }
    if (!RequestDelivery.isByPeer(cause)) {
      LOG.warn("closing a connection to {} that failed unexpectedly", pool.origin(), cause);
    }
    fail(ConnectionFailures.broken(pool.origin(), broken.call(), decoder.bytesSeen(), cause));
  }

  private void fail(String detail) {
    CallExchange failed = Objects.requireNonNull(callExchange);
    callExchange = null;
    failed.end(CallFailures.communication(detail));
    close();
  }

  private void connectFailed(String detail) {
    connectFailed(CallFailures.communication(detail));
  }

  private void connectFailed(CallOutcome failure) {
    CallExchange claimant = callExchange;
    if (release()) {
      pool.onConnectFailed(claimant, failure);
    }
  }

  /** Releases the channel; its later events are ignored. */
  private boolean release() {
    if (connectionState == ConnectionState.CLOSED) {
      return false;
    }
    connectionState = ConnectionState.CLOSED;
    race.end();
    connecting.remove(this);
    IdlePooledConnections.remove(this);
    connectionContext.responses.release(share);
    callExchange = null;
    responseAggregator.clear();
    if (channel != null && channel.isOpen()) {
      ChannelFuture _ = channel.close();
    }
    return true;
  }

  private Channel channel() {
    return Objects.requireNonNull(channel, "channel of a connection that was established");
  }
}
