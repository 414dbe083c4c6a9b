package dev.pinion.core.engine;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.loop.Transport;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Field fault 2: a flood of new connections does not delay existing ones. */
class FairAcceptsTest {
  private static final int CLIENTS = 10;

  /** Counts the connections accepted in each turn of a listening socket. */
  private static final class Turns extends ChannelInboundHandlerAdapter {
    private final List<Integer> accepted = new CopyOnWriteArrayList<>();
    private int now;

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      now++;
      ctx.fireChannelRead(message);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
      accepted.add(now);
      now = 0;
      ctx.fireChannelReadComplete();
    }

    private int sum() {
      return accepted.stream().mapToInt(Integer::intValue).sum();
    }
  }

  static Stream<Transport> transports() {
    return Stream.of(Transport.best(), Transport.nio()).distinct();
  }

  @ParameterizedTest
  @MethodSource("transports")
  void shouldAcceptFourConnectionsATurn(Transport transport) throws Exception {
    EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, transport.ioHandler());
    Turns turns = new Turns();
    List<Socket> clients = new ArrayList<>();
    try {
      Channel server =
          new ServerBootstrap()
              .group(loop)
              .channel(transport.serverChannel())
              .option(ChannelOption.RECVBUF_ALLOCATOR, FairTurns.accepts())
              .handler(turns)
              .childHandler(
                  new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {}
                  })
              .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
              .sync()
              .channel();
      CountDownLatch mayGoOn = new CountDownLatch(1);
      var held = loop.submit(() -> mayGoOn.await(20, TimeUnit.SECONDS));
      InetSocketAddress address = (InetSocketAddress) server.localAddress();
      for (int i = 0; i < CLIENTS; i++) {
        clients.add(new Socket(address.getAddress(), address.getPort()));
      }
      mayGoOn.countDown();
      assertTrue(held.get());

      await().until(() -> turns.sum() == CLIENTS);
      assertEquals(4, Collections.max(turns.accepted), () -> transport.name() + turns.accepted);
    } finally {
      for (Socket client : clients) {
        client.close();
      }
      loop.shutdownGracefully(0, 5, TimeUnit.SECONDS).sync();
    }
  }
}
