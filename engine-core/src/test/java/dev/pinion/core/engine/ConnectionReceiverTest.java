package dev.pinion.core.engine;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.http.ClientConnections;
import dev.pinion.core.loop.StageLoopGroup;
import dev.pinion.core.loop.Transport;
import dev.pinion.core.model.Clock;
import dev.pinion.core.stage.ThreadSetup;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerDomainSocketChannel;
import io.netty.channel.unix.DomainSocketAddress;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The receiving side of the hand-over, in front of a scripted parent. */
@EnabledOnOs(OS.LINUX)
@Timeout(60)
class ConnectionReceiverTest {
  @TempDir private Path directory;

  private final EventLoopGroup parent =
      new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
  private final StageLoopGroup loops =
      StageLoopGroup.parked("ours", 1, Transport.best(), Clock.system(), ThreadSetup.NONE);
  private final BlockingQueue<Channel> lines = new LinkedBlockingQueue<>();
  private final BlockingQueue<Byte> words = new LinkedBlockingQueue<>();

  @BeforeEach
  void listen() {
    loops.loops().getFirst().host(List.of());
    new ServerBootstrap()
        .group(parent)
        .channel(EpollServerDomainSocketChannel.class)
        .childHandler(
            new ChannelInboundHandlerAdapter() {
              @Override
              public boolean isSharable() {
                return true;
              }

              @Override
              public void channelActive(ChannelHandlerContext ctx) {
                lines.add(ctx.channel());
              }

              @Override
              public void channelRead(ChannelHandlerContext ctx, Object message) {
                ByteBuf said = (ByteBuf) message;
                words.add(said.readByte());
                said.release();
              }
            })
        .bind(address())
        .syncUninterruptibly();
  }

  @AfterEach
  void stop() {
    loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly(10_000);
    parent.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly(10_000);
  }

  private DomainSocketAddress address() {
    return new DomainSocketAddress(directory.resolve("parent").toFile());
  }

  private ConnectionReceiver handover(DomainSocketAddress dispatcher) throws IOException {
    return new ConnectionReceiver(
        dispatcher, loops.loops(), channel -> {}, new ClientConnections(1_000), Clock.system());
  }

  @Test
  void shouldKeepNoLineThatOpensAfterItWasToldToTakeNoMore() throws Exception {
    // given an address whose path is requested in the middle of connecting
    AtomicInteger connects = new AtomicInteger();
    BlockingQueue<ConnectionReceiver> told = new LinkedBlockingQueue<>();
    DomainSocketAddress dispatcher =
        new DomainSocketAddress(address().path()) {
          @Override
          public String path() {
            if (connects.incrementAndGet() == 2) {
              told.remove().refuseMore();
            }
            return super.path();
          }
        };
    ConnectionReceiver connectionReceiver = handover(dispatcher);
    told.add(connectionReceiver);

    // when
    lines.take().close().sync();
    Channel again = lines.take();

    // then
    again.closeFuture().sync();
    await().until(() -> !connectionReceiver.isOpen());
    assertEquals(2, connects.get());
  }

  @Test
  void shouldEndThoughWhatItWasHandedIsNoConnection() throws Exception {
    ConnectionReceiver connectionReceiver = handover(address());
    EpollDomainSocketChannel line = (EpollDomainSocketChannel) lines.take();

    line.writeAndFlush(line.fd()).sync(); // a Unix socket instead of a client's
    assertEquals(ConnectionReceiver.TAKEN, words.take());
    assertTrue(connectionReceiver.isOpen());
    connectionReceiver.refuseMore();
    assertEquals(ConnectionReceiver.NO_MORE, words.take());
    line.close().sync();

    await().until(() -> !connectionReceiver.isOpen());
  }
}
