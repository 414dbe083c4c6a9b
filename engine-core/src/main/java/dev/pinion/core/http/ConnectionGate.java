package dev.pinion.core.http;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ServerChannel;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handler of a channel that accepts client connections: reads it only while the replica has room
 * for more; clients wait in the backlog of the operating system meanwhile. It pauses after a failed
 * accept, so that a system without file descriptors is not asked in a loop.
 */
public final class ConnectionGate extends ChannelInboundHandlerAdapter {
  /** Pause after a failed accept. */
  static final long PAUSE_MILLIS = 100;

  private static final Logger LOG = LoggerFactory.getLogger(ConnectionGate.class);

  private final ClientConnections clients;
  private final Runnable onRoom = this::onRoom;

  @SuppressWarnings("NullAway.Init") // set by handlerAdded, which comes before every other call
  private ChannelHandlerContext context;

  private boolean pausing;
  private boolean failing;

  /** A gate with a counter of connections. */
  public ConnectionGate(ClientConnections clients) {
    this.clients = clients;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    context = ctx;
    clients.addRoomListener(onRoom);
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext ctx) {
    clients.removeRoomListener(onRoom);
  }

  /**
   * Counts a channel; a message of another type is counted by the code that makes a channel of it.
   */
  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    failing = false;
    if (message instanceof Channel client) {
      clients.opened(client);
    }
    ctx.fireChannelRead(message);
    apply();
  }

  private void onRoom() {
    try {
      context.executor().execute(this::apply);
    } catch (RejectedExecutionException _) {
      // the loop has ended, and with it the channel
    }
  }

  private void apply() {
    if (context.channel().isOpen()) {
      context.channel().config().setAutoRead(!pausing && clients.haveRoom());
    }
  }

  @Override
  @SuppressWarnings("FutureReturnValueIgnored") // the loop ends with the pause, or nobody accepts
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    if (!(ctx.channel() instanceof ServerChannel)) {
      ctx.fireExceptionCaught(cause);
      return;
    }
    clients.acceptFailed();
    if (!failing) {
      failing = true;
      LOG.warn(
          "expected to accept connections of clients, but could not: {}; look at the limit of open"
              + " files (ulimit -n)",
          cause.toString());
    }
    if (!pausing) {
      pausing = true;
      apply();
      ctx.executor().schedule(this::goOn, PAUSE_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  private void goOn() {
    pausing = false;
    apply();
  }
}
