package dev.pinion.core.request;

import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;

/**
 * Sets up accepted channels for a Request Handler: the child handler of a server whose channels are
 * registered with that handler's event loop. HTTP/1.1 and HTTP/1.0.
 */
// A failed write reaches exceptionCaught or closes the channel; a failed close leaves nothing to
// do.
@SuppressWarnings("FutureReturnValueIgnored")
public final class HttpGateway extends ChannelInitializer<Channel> {
  private final RequestHandler handler;

  /** A gateway to a handler; every channel it sets up must belong to the handler's event loop. */
  public HttpGateway(RequestHandler handler) {
    this.handler = handler;
  }

  @Override
  protected void initChannel(Channel channel) {
    if (handler.connections() >= handler.limits().maxConnections()) {
      channel.close();
      return;
    }
    Connection connection = new Connection(handler);
    channel.pipeline().addLast(connection.decoder(), connection);
  }
}
