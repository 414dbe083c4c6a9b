package dev.pinion.core.invoker.http;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.util.ReferenceCountUtil;

/** Handler of a channel that notifies its {@link PooledConnection} of events. */
final class ConnectionHandler extends ChannelInboundHandlerAdapter {
  private final PooledConnection pooledConnection;

  ConnectionHandler(PooledConnection pooledConnection) {
    this.pooledConnection = pooledConnection;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    try {
      if (message instanceof HttpObject part) {
        pooledConnection.onPart(part);
      }
    } finally {
      ReferenceCountUtil.release(message);
    }
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    pooledConnection.onReadComplete();
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    pooledConnection.onDisconnected(null);
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    if (event instanceof SslHandshakeCompletionEvent handshake) {
      pooledConnection.onHandshake(handshake.cause());
    } else if (event instanceof SslCloseCompletionEvent close && close.isSuccess()) {
      pooledConnection.onCloseNotify();
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    pooledConnection.onDisconnected(cause);
  }
}
