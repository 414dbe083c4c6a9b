package dev.pinion.core.engine;

import dev.pinion.core.loop.StageLoop;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.socket.DuplexChannel;
import io.netty.channel.unix.DomainSocketReadMode;
import io.netty.channel.unix.FileDescriptor;
import java.io.IOException;
import java.net.SocketAddress;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes client connections that the parent has accepted, over a Unix socket (SCM_RIGHTS), and deals
 * them out to the event loops in turn.
 *
 * <p>Opening the socket asks for connections; half-closing it asks for no more. What was handed
 * over before still arrives.
 */
// A failed write closes the channel, which is heard of; a failed close leaves nothing to do.
@SuppressWarnings("FutureReturnValueIgnored")
final class Handover implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Handover.class);

  private final List<StageLoop> loops;
  private final Consumer<Channel> setup;
  private final EpollDomainSocketChannel channel;
  private int next;

  /**
   * Begins to take connections.
   *
   * @param dispatcher where the parent hands over
   * @param loops event loops for the connections; the first one hosts the Unix socket too
   * @param setup prepares each connection, on its loop
   * @throws IOException when the parent cannot be reached
   */
  Handover(SocketAddress dispatcher, List<StageLoop> loops, Consumer<Channel> setup)
      throws IOException {
    this.loops = loops;
    this.setup = setup;
    try {
      channel =
          (EpollDomainSocketChannel)
              new Bootstrap()
                  .group(loops.getFirst())
                  .channel(EpollDomainSocketChannel.class)
                  .option(
                      EpollChannelOption.DOMAIN_SOCKET_READ_MODE,
                      DomainSocketReadMode.FILE_DESCRIPTORS)
                  .handler(new Receiver())
                  .connect(dispatcher)
                  .syncUninterruptibly()
                  .channel();
    } catch (Exception e) { // Netty throws the checked cause of a failed connect undeclared
      throw new IOException(
          "expected the parent to hand connections over at "
              + dispatcher
              + ", but could not connect: "
              + e.getMessage(),
          e);
    }
  }

  /** Asks for no more connections; those on their way still arrive. */
  void refuseMore() {
    ((DuplexChannel) channel).shutdownOutput();
  }

  @Override
  public void close() {
    channel.close().syncUninterruptibly();
  }

  private void adopt(FileDescriptor descriptor) {
    EpollSocketChannel client = new EpollSocketChannel(descriptor.intValue());
    client.pipeline().addLast(new Welcome());
    StageLoop loop = loops.get(next);
    next = (next + 1) % loops.size();
    loop.register(client)
        .addListener(
            registered -> {
              if (!registered.isSuccess()) {
                LOG.warn("a connection could not be taken over", registered.cause());
                client.unsafe().closeForcibly();
              }
            });
  }

  /** Prepares a connection once its loop is known. */
  private final class Welcome extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRegistered(ChannelHandlerContext ctx) {
      setup.accept(ctx.channel());
      ctx.pipeline().remove(this);
      ctx.fireChannelRegistered();
    }
  }

  private final class Receiver extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      adopt((FileDescriptor) message);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
      LOG.warn("connections can no longer be handed over", cause);
      ctx.close();
    }
  }
}
