package dev.pinion.bootstrap.client.asyncapi;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.websocketx.BinaryWebSocketFrame;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketServerProtocolHandler;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A server of WebSocket on loopback, at the path {@code /feed}. */
public final class WebSocketStub implements AutoCloseable {
  private static final int MAX_BYTES = 1 << 16;
  private static final long SECONDS = 20;

  /** Frames that came: text as it is, binary ones in hexadecimal digits. */
  final BlockingQueue<String> received = new LinkedBlockingQueue<>();

  /** Authorizations of clients as they connect; "none" where there is none. */
  final BlockingQueue<String> authorizations = new LinkedBlockingQueue<>();

  private final EventLoopGroup group =
      new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
  private final BlockingQueue<Channel> clients = new LinkedBlockingQueue<>();
  private final List<String> greetings;
  private final Channel server;

  /**
   * A server.
   *
   * @param greetings frames that each client gets at once
   */
  public WebSocketStub(String... greetings) throws InterruptedException {
    this.greetings = List.of(greetings);
    server =
        new ServerBootstrap()
            .group(group)
            .channel(NioServerSocketChannel.class)
            .childHandler(
                new ChannelInitializer<SocketChannel>() {
                  @Override
                  protected void initChannel(SocketChannel made) {
                    made.pipeline()
                        .addLast(
                            new HttpServerCodec(),
                            new HttpObjectAggregator(MAX_BYTES),
                            new WebSocketServerProtocolHandler("/feed"),
                            new Frames());
                  }
                })
            .bind(InetAddress.getLoopbackAddress(), 0)
            .sync()
            .channel();
  }

  public int port() {
    return ((InetSocketAddress) server.localAddress()).getPort();
  }

  /** The next client. */
  Channel client() throws InterruptedException {
    Channel client = clients.poll(SECONDS, TimeUnit.SECONDS);
    if (client == null) {
      throw new AssertionError("expected a client, found none");
    }
    return client;
  }

  /** The next frame that came. */
  @Nullable String next() throws InterruptedException {
    return received.poll(SECONDS, TimeUnit.SECONDS);
  }

  static void send(Channel client, String text) {
    var _ = client.writeAndFlush(new TextWebSocketFrame(text));
  }

  static void end(Channel client) {
    var _ = client.writeAndFlush(new CloseWebSocketFrame(1000, ""));
  }

  @Override
  public void close() {
    group.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
  }

  private final class Frames extends SimpleChannelInboundHandler<WebSocketFrame> {
    @Override
    protected void channelRead0(ChannelHandlerContext context, WebSocketFrame frame) {
      if (frame instanceof TextWebSocketFrame text) {
        received.add(text.text());
      } else if (frame instanceof BinaryWebSocketFrame binary) {
        received.add(ByteBufUtil.hexDump(binary.content()));
      }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) throws Exception {
      if (event instanceof WebSocketServerProtocolHandler.HandshakeComplete done) {
        String authorization = done.requestHeaders().get("Authorization");
        authorizations.add(authorization == null ? "none" : authorization);
        clients.add(context.channel());
        greetings.forEach(text -> send(context.channel(), text));
      }
      super.userEventTriggered(context, event);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      var _ = context.close(); // clients end connections as they like
    }
  }
}
