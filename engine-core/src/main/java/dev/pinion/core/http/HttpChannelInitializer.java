package dev.pinion.core.http;

import dev.pinion.core.api.RequestHandler;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;

/**
 * Sets up accepted channels for a Request Handler: the child handler of a server whose channels are
 * registered with that handler's event loop. HTTP/1.1 and HTTP/1.0.
 */
// A failed write reaches exceptionCaught or closes the channel; a failed close leaves nothing to
// do.
@SuppressWarnings("FutureReturnValueIgnored")
public final class HttpChannelInitializer extends ChannelInitializer<Channel> {
  private final RequestHandler handler;
  private final boolean fromPeers;

  /**
   * A gateway to a handler; every channel it sets up must belong to the handler's event loop.
   *
   * @param fromPeers whether the channels come from other replicas, which are trusted to open no
   *     more than they need, instead of clients
   */
  public HttpChannelInitializer(RequestHandler handler, boolean fromPeers) {
    this.handler = handler;
    this.fromPeers = fromPeers;
  }

  @Override
  protected void initChannel(Channel channel) {
    HttpConnection httpConnection = new HttpConnection(handler, fromPeers);
    channel.pipeline().addLast(httpConnection.decoder(), httpConnection);
  }
}
