package dev.pinion.benchmarks.bare;

import dev.pinion.workloads.transport.NettyTransport;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpRequestDecoder;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** An HTTP server of exactly one event loop, on the loopback interface. */
public final class SingleLoopServer implements AutoCloseable {
  private static final int BACKLOG = 4_096;
  private static final long STOP_SECONDS = 5;

  // Most bytes of one read from a socket: large bodies arrive in few pieces.
  private static final int MOST_CHUNK_BYTES = 1 << 16;

  private final EventLoopGroup loop;
  private final Channel listener;

  private SingleLoopServer(EventLoopGroup loop, Channel listener) {
    this.loop = loop;
    this.listener = listener;
  }

  private static HttpDecoderConfig decoding() {
    return new HttpDecoderConfig().setMaxChunkSize(MOST_CHUNK_BYTES);
  }

  /** Address of the server, such as {@code http://127.0.0.1:8080}. */
  public URI uri() {
    InetSocketAddress address = (InetSocketAddress) listener.localAddress();
    return URI.create("http://127.0.0.1:" + address.getPort());
  }

  /** Closes every connection and waits until the event loop has ended, at most 5 seconds. */
  @Override
  public void close() {
    listener.close().awaitUninterruptibly(STOP_SECONDS, TimeUnit.SECONDS);
    loop.shutdownGracefully(0, STOP_SECONDS, TimeUnit.SECONDS)
        .awaitUninterruptibly(STOP_SECONDS, TimeUnit.SECONDS);
  }

  /**
   * Starts listening.
   *
   * @param loop the event loop; shut down with the server, or here when the port is taken
   * @param handlers factory of the last handler of each connection
   * @throws IllegalStateException when the port is taken
   */
  public static SingleLoopServer listen(
      EventLoopGroup loop,
      NettyTransport nettyTransport,
      int port,
      Supplier<ChannelHandler> handlers) {
    ChannelFuture bound =
        new ServerBootstrap()
            .group(loop)
            .channel(nettyTransport.serverChannel())
            .option(ChannelOption.SO_BACKLOG, BACKLOG)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childHandler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    channel.pipeline().addLast(new HttpRequestDecoder(decoding()), handlers.get());
                  }
                })
            .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
            .awaitUninterruptibly();
    if (!bound.isSuccess()) {
      loop.shutdownGracefully(0, STOP_SECONDS, TimeUnit.SECONDS).awaitUninterruptibly();
      throw new IllegalStateException(
          "expected port "
              + port
              + " to be free on the loopback interface, found: "
              + bound.cause().getMessage(),
          bound.cause());
    }
    return new SingleLoopServer(loop, bound.channel());
  }
}
