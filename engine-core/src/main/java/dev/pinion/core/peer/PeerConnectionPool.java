package dev.pinion.core.peer;

import dev.pinion.core.limits.RequestLimits;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpUtil;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Connections to one other replica: as many as there are requests in progress, up to a bound. Of
 * those that were idle for {@link #IDLE_SECONDS} all but {@link #KEPT_IDLE} are closed; the other
 * replica, for its part, never closes an idle one. Its event loop only.
 */
// The call reports a failed write or connect; a failed close leaves nothing to do.
@SuppressWarnings("FutureReturnValueIgnored")
final class PeerConnectionPool {
  /** Connections that stay open even without requests. */
  static final int KEPT_IDLE = 8;

  /** Idle time in seconds after which connections are closed. */
  static final int IDLE_SECONDS = 30;

  private final Bootstrap bootstrap;
  private final Consumer<Runnable> afterIdleTime;
  private final RequestLimits limits;

  /**
   * Idle connections; the most recently used one is taken first, so unneeded ones are at the head.
   */
  private final Deque<PeerConnection> idle = new ArrayDeque<>();

  private final Deque<PeerCall> waiting = new ArrayDeque<>();
  private int open;
  private boolean watching;

  /** Least number of idle connections since the watch began. */
  private int leastIdle;

  /**
   * A pool without connections.
   *
   * @param bootstrap connector to the other replica
   * @param limits bounds of connections, waiting requests and responses
   * @param afterIdleTime runs an action on the event loop in {@link #IDLE_SECONDS}
   */
  PeerConnectionPool(Bootstrap bootstrap, RequestLimits limits, Consumer<Runnable> afterIdleTime) {
    this.bootstrap = bootstrap;
    this.limits = limits;
    this.afterIdleTime = afterIdleTime;
  }

  void send(PeerCall call) {
    PeerConnection peerConnection = idle.pollLast();
    if (peerConnection != null) {
      leastIdle = Math.min(leastIdle, idle.size());
      peerConnection.send(call);
    } else if (open < limits.maxPeerConnections()) {
      connect(call);
    } else if (waiting.size() < limits.maxPeerWaiting()) {
      waiting.addLast(call);
    } else {
      call.onLost(new IOException("too many requests wait for another replica"));
    }
  }

  private void connect(PeerCall call) {
    open++;
    PeerConnection peerConnection = new PeerConnection();
    ChannelFuture connected = bootstrap.clone().handler(new Setup(peerConnection)).connect();
    connected.addListener(
        done -> {
          if (done.isSuccess()) {
            peerConnection.send(call);
          } else {
            open--;
            call.onLost(done.cause());
            failWaiting(done.cause());
          }
        });
  }

  /** Fails the waiting requests when no connection is left to send them. */
  private void failWaiting(Throwable cause) {
    while (open == 0 && !waiting.isEmpty()) {
      waiting.pollFirst().onLost(cause);
    }
  }

  private void onIdle(PeerConnection peerConnection) {
    PeerCall next = nextWaiting();
    if (next != null) {
      peerConnection.send(next);
    } else {
      idle.addLast(peerConnection);
      watch();
    }
  }

  private void watch() {
    if (!watching && idle.size() > KEPT_IDLE) {
      watching = true;
      leastIdle = idle.size();
      afterIdleTime.accept(this::closeSurplus);
    }
  }

  private void closeSurplus() {
    int surplus = Math.min(leastIdle, idle.size() - KEPT_IDLE);
    for (int i = 0; i < surplus; i++) {
      idle.removeFirst().context.close();
    }
    watching = false;
    watch();
  }

  private void forget(PeerConnection peerConnection) {
    idle.remove(peerConnection);
    leastIdle = Math.min(leastIdle, idle.size());
  }

  private void onClosed(PeerConnection peerConnection) {
    open--;
    forget(peerConnection);
    PeerCall next = nextWaiting();
    if (next != null) {
      connect(next);
    }
  }

  private @Nullable PeerCall nextWaiting() {
    PeerCall next = waiting.pollFirst();
    while (next != null && next.ended()) {
      next = waiting.pollFirst();
    }
    return next;
  }

  private final class Setup extends ChannelInitializer<Channel> {
    private final PeerConnection peerConnection;

    Setup(PeerConnection peerConnection) {
      this.peerConnection = peerConnection;
    }

    @Override
    protected void initChannel(Channel channel) {
      channel
          .pipeline()
          .addLast(
              new HttpClientCodec(),
              new HttpObjectAggregator(limits.maxPeerResponseBytes()),
              peerConnection);
    }
  }

  /** One connection. */
  private final class PeerConnection extends SimpleChannelInboundHandler<FullHttpResponse> {
    @SuppressWarnings("NullAway.Init") // set when it is connected, before its first call
    private ChannelHandlerContext context;

    private @Nullable PeerCall call;

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
      context = ctx;
    }

    void send(PeerCall next) {
      if (next.ended()) {
        onIdle(this);
        return;
      }
      call = next;
      context
          .writeAndFlush(next.begin(context.channel()))
          .addListener(
              sent -> {
                if (!sent.isSuccess()) {
                  next.onUnsent(sent.cause());
                  context.close();
                }
              });
    }

    @Override
    protected void channelRead0(ChannelHandlerContext ctx, FullHttpResponse response) {
      PeerCall answered = call;
      call = null;
      if (answered != null && response.decoderResult().isFailure()) {
        answered.onLost(response.decoderResult().cause());
        ctx.close();
        return;
      }
      if (answered != null) {
        answered.onResponse(response);
      }
      if (HttpUtil.isKeepAlive(response) && answered != null) {
        onIdle(this);
      } else {
        ctx.close();
      }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
      onClosed(this);
      PeerCall lost = call;
      call = null;
      if (lost != null) {
        lost.onLost(new IOException("the other replica closed the connection"));
      }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
      forget(this);
      PeerCall lost = call;
      call = null;
      if (lost != null) {
        lost.onLost(cause);
      }
      ctx.close();
    }
  }
}
