package dev.pinion.core.engine;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerDomainSocketChannel;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.unix.DomainSocketAddress;
import io.netty.channel.unix.DomainSocketReadMode;
import io.netty.channel.unix.FileDescriptor;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Connections that are returned to a parent, which here only counts and confirms them. */
@EnabledOnOs(OS.LINUX)
@SuppressWarnings("FutureReturnValueIgnored") // the relevant outcome is awaited otherwise
class ParentConnectionReturnTest {
  private final EventLoopGroup loop =
      new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
  private final AtomicInteger arrived = new AtomicInteger();
  private final BlockingQueue<Channel> accepted = new LinkedBlockingQueue<>();
  private final ParentConnectionReturn parentConnectionReturn = new ParentConnectionReturn();

  @TempDir private Path directory;

  @AfterEach
  void stop() {
    parentConnectionReturn.close();
    loop.shutdownGracefully(0, 5, TimeUnit.SECONDS).syncUninterruptibly();
  }

  private DomainSocketAddress parent() {
    DomainSocketAddress address = new DomainSocketAddress(directory.resolve("p").toFile());
    new ServerBootstrap()
        .group(loop)
        .channel(EpollServerDomainSocketChannel.class)
        .childOption(
            EpollChannelOption.DOMAIN_SOCKET_READ_MODE, DomainSocketReadMode.FILE_DESCRIPTORS)
        .childHandler(
            new ChannelInboundHandlerAdapter() {
              @Override
              public boolean isSharable() {
                return true;
              }

              @Override
              public void channelRead(ChannelHandlerContext ctx, Object message) throws Exception {
                arrived.incrementAndGet();
                ((FileDescriptor) message).close();
                ctx.writeAndFlush(Unpooled.buffer(1).writeByte(1));
              }
            })
        .bind(address)
        .syncUninterruptibly();
    return address;
  }

  private InetSocketAddress server() {
    return (InetSocketAddress)
        new ServerBootstrap()
            .group(loop)
            .channel(EpollServerSocketChannel.class)
            .childHandler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    accepted.add(channel);
                  }
                })
            .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .syncUninterruptibly()
            .channel()
            .localAddress();
  }

  @Test
  void shouldSendNothingOfAConnectionThatIsClosedByThen() throws Exception {
    parentConnectionReturn.open(loop.next(), parent());
    InetSocketAddress server = server();
    try (Socket gone = new Socket(server.getAddress(), server.getPort())) {
      Channel channel = accepted.take();
      loop.next()
          .submit(
              () -> {
                channel.close(); // noticed after this turn
                parentConnectionReturn.giveBack(channel);
              })
          .sync();
      await().until(() -> parentConnectionReturn.underWay() == 0);
      assertEquals(0, arrived.get());
      assertEquals(-1, gone.getInputStream().read());
    }
    try (Socket stays = new Socket(server.getAddress(), server.getPort())) {
      Channel channel = accepted.take();
      loop.next().submit(() -> parentConnectionReturn.giveBack(channel)).sync();
      await().until(() -> parentConnectionReturn.underWay() == 0);
      assertEquals(1, arrived.get(), "the line still stands");
      assertTrue(stays.isConnected());
      assertTrue(parentConnectionReturn.open());
    }
  }
}
