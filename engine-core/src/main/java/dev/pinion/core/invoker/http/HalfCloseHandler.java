package dev.pinion.core.invoker.http;

import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;

/**
 * First handler of a channel that may be half closed. When the service has closed its half, it
 * notifies the connection, which checks what the service had received by then, and closes the other
 * half.
 */
final class HalfCloseHandler extends ChannelInboundHandlerAdapter {
  private final ConnectionHandler.ChannelEvents connection;

  HalfCloseHandler(ConnectionHandler.ChannelEvents connection) {
    this.connection = connection;
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    if (event instanceof ChannelInputShutdownEvent) {
      connection.onInputEnded();
      ChannelFuture _ = context.close();
    } else {
      context.fireUserEventTriggered(event);
    }
  }
}
