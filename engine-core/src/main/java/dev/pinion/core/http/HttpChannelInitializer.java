package dev.pinion.core.http;

import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;

/**
 * Sets up accepted channels of a server; they are registered with its event loop. HTTP/1.1 and
 * HTTP/1.0.
 */
// A failed write reaches exceptionCaught or closes the channel; a failed close leaves nothing to
// do.
@SuppressWarnings("FutureReturnValueIgnored")
public final class HttpChannelInitializer extends ChannelInitializer<Channel> {
  private final HttpServer httpServer;
  private final boolean fromPeers;

  /**
   * An initializer for a server; every channel it sets up must belong to the server's event loop.
   *
   * @param fromPeers whether the channels come from other replicas, which are trusted to open no
   *     more than they need, instead of clients
   */
  public HttpChannelInitializer(HttpServer httpServer, boolean fromPeers) {
    this.httpServer = httpServer;
    this.fromPeers = fromPeers;
  }

  @Override
  protected void initChannel(Channel channel) {
    HttpConnection httpConnection = new HttpConnection(httpServer, fromPeers);
    channel.pipeline().addLast(httpConnection.decoder(), httpConnection);
  }
}
