package dev.pinion.core.invoker.http;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.util.ReferenceCountUtil;
import org.jspecify.annotations.Nullable;

/** Handler of a channel that notifies its connection of events. */
final class ConnectionHandler extends ChannelInboundHandlerAdapter {
  private final ChannelEvents connection;

  /** A connection, which is told what happens on its channel. */
  interface ChannelEvents {
    /** Handles a part of a response. */
    void onPart(HttpObject part);

    /** Handles the end of what could be read. */
    void onReadComplete();

    /** Handles the end of the handshake of TLS; the cause is null when it succeeded. */
    void onHandshake(@Nullable Throwable cause);

    /** Handles the end of a TLS connection's input. */
    void onCloseNotify();

    /** Handles the end of the service's output, by TCP or by TLS. */
    void onInputEnded();

    /** Handles a closed or broken channel; the cause is null when it was closed. */
    void onDisconnected(@Nullable Throwable cause);
  }

  ConnectionHandler(ChannelEvents connection) {
    this.connection = connection;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    try {
      if (message instanceof HttpObject part) {
        connection.onPart(part);
      }
    } finally {
      ReferenceCountUtil.release(message);
    }
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    connection.onReadComplete();
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    connection.onDisconnected(null);
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    if (event instanceof SslHandshakeCompletionEvent handshake) {
      connection.onHandshake(handshake.cause());
    } else if (event instanceof SslCloseCompletionEvent close && close.isSuccess()) {
      connection.onCloseNotify();
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    connection.onDisconnected(cause);
  }
}
