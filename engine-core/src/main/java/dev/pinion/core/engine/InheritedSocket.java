package dev.pinion.core.engine;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoop;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.netty.channel.unix.DomainSocketReadMode;
import io.netty.channel.unix.FileDescriptor;
import java.io.IOException;
import java.net.SocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Receives the listening socket that the parent keeps open, over a Unix socket (SCM_RIGHTS). */
// A failed close leaves nothing to do.
@SuppressWarnings("FutureReturnValueIgnored")
final class InheritedSocket {
  private static final long PATIENCE_SECONDS = 10;

  private InheritedSocket() {}

  /**
   * The descriptor of the socket.
   *
   * @param loop an event loop to receive on
   * @param parent address where the parent sends it
   * @throws IOException when the parent does not send it
   */
  static FileDescriptor receive(EventLoop loop, SocketAddress parent) throws IOException {
    CompletableFuture<FileDescriptor> received = new CompletableFuture<>();
    try {
      Channel line =
          new Bootstrap()
              .group(loop)
              .channel(EpollDomainSocketChannel.class)
              .option(
                  EpollChannelOption.DOMAIN_SOCKET_READ_MODE, DomainSocketReadMode.FILE_DESCRIPTORS)
              .handler(new DescriptorReceiver(received))
              .connect(parent)
              .syncUninterruptibly()
              .channel();
      FileDescriptor descriptor = received.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
      line.close();
      return descriptor;
    } catch (Exception e) { // Netty throws the checked cause of a failed connect undeclared
      throw new IOException(
          "expected the parent to give its listening socket at " + parent + ", found: " + e, e);
    }
  }

  private static final class DescriptorReceiver extends ChannelInboundHandlerAdapter {
    private final CompletableFuture<FileDescriptor> received;

    DescriptorReceiver(CompletableFuture<FileDescriptor> received) {
      this.received = received;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      received.complete((FileDescriptor) message);
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
      received.completeExceptionally(new IOException("the parent closed the line"));
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
      received.completeExceptionally(cause);
      ctx.close();
    }
  }
}
