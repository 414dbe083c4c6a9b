package dev.pinion.workloads.stub;

import dev.pinion.workloads.transport.NettyTransport;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.http.HttpRequestDecoder;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.concurrent.TimeUnit;

/**
 * A web-service provider that answers by formula: {@code POST /svc/s<k>} (and any path below) with
 * {@code {"value":n}} returns {@code {"service":"s<k>","value":2n+k,"items":[…]}}, see {@link
 * ServiceModel}. {@code /echo} returns the body of the request with its media type. It counts every
 * call of a service and listens on the loopback interface only. Delays are timers of the event
 * loops: no thread waits.
 */
public final class StubService implements AutoCloseable {
  private final StubState state;
  private final EventLoopGroup loops;
  private final Channel listener;

  private StubService(StubState state, EventLoopGroup loops, Channel listener) {
    this.state = state;
    this.loops = loops;
    this.listener = listener;
  }

  /**
   * Starts listening.
   *
   * @throws IllegalStateException when the port is taken
   */
  public static StubService start(StubSettings settings) {
    NettyTransport nettyTransport = NettyTransport.best();
    EventLoopGroup loops = nettyTransport.loops(settings.threads(), "stub");
    StubState state = new StubState(settings);
    ServerBootstrap bootstrap =
        new ServerBootstrap()
            .group(loops)
            .channel(nettyTransport.serverChannel())
            .option(ChannelOption.SO_BACKLOG, 4_096)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childOption(
                ChannelOption.WRITE_BUFFER_WATER_MARK,
                new WriteBufferWaterMark(64 << 10, 256 << 10))
            .childHandler(
                new ChannelInitializer<SocketChannel>() {
                  @Override
                  protected void initChannel(SocketChannel channel) {
                    channel.pipeline().addLast(new HttpRequestDecoder(), new StubHandler(state));
                  }
                });
    var bound =
        bootstrap
            .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), settings.port()))
            .awaitUninterruptibly();
    if (!bound.isSuccess()) {
      var _ = loops.shutdownGracefully(0, 1, TimeUnit.SECONDS);
      throw new IllegalStateException(
          "expected port "
              + settings.port()
              + " to be free on the loopback interface, found: "
              + bound.cause().getMessage()
              + "; choose another one, or 0 for any",
          bound.cause());
    }
    return new StubService(state, loops, bound.channel());
  }

  /** Address of the service, such as {@code http://127.0.0.1:8080}. */
  public URI uri() {
    return URI.create(
        "http://127.0.0.1:" + ((InetSocketAddress) listener.localAddress()).getPort());
  }

  /** Counts since the start or the last reset. */
  public StubStatistics stats() {
    return state.counters().stats();
  }

  /** Resets the counters. Calls on their way may be counted before or after. */
  public void reset() {
    state.counters().reset();
  }

  /** Closes every connection and waits until its threads have ended, at most 5 seconds. */
  @Override
  public void close() {
    listener.close().awaitUninterruptibly(5, TimeUnit.SECONDS);
    loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly(5, TimeUnit.SECONDS);
  }
}
