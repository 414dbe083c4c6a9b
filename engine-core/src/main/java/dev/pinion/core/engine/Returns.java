package dev.pinion.core.engine;

import dev.pinion.core.request.Handback;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoop;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import java.net.SocketAddress;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Gives connections back to the parent, over a Unix socket (SCM_RIGHTS). */
// A failed write is heard of by its listener; a failed close leaves nothing to do.
@SuppressWarnings("FutureReturnValueIgnored")
final class Returns implements Handback, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Returns.class);

  private final AtomicInteger underWay = new AtomicInteger();
  private volatile @Nullable Channel parent;

  /** Begins to give back; connections are closed instead when the parent cannot be reached. */
  void open(EventLoop loop, SocketAddress address) {
    try {
      parent =
          new Bootstrap()
              .group(loop)
              .channel(EpollDomainSocketChannel.class)
              .handler(new ChannelInboundHandlerAdapter())
              .connect(address)
              .syncUninterruptibly()
              .channel();
    } catch (Exception e) { // Netty throws the checked cause of a failed connect undeclared
      LOG.warn("idle connections are closed, for the parent does not take them back", e);
    }
  }

  @Override
  public boolean open() {
    Channel channel = parent;
    return channel != null && channel.isActive();
  }

  /** Connections that are on their way back. */
  int underWay() {
    return underWay.get();
  }

  @Override
  public void take(Channel channel) {
    EpollSocketChannel client = (EpollSocketChannel) channel;
    underWay.incrementAndGet();
    client.deregister().addListener(_ -> send(client));
  }

  private void send(EpollSocketChannel client) {
    Channel to = parent;
    if (to == null) {
      end(client);
    } else {
      to.writeAndFlush(client.fd()).addListener(_ -> end(client));
    }
  }

  /** This replica's own descriptor is closed, whether the parent has another one or not. */
  private void end(EpollSocketChannel client) {
    client.unsafe().closeForcibly();
    underWay.decrementAndGet();
  }

  @Override
  public void close() {
    Channel channel = parent;
    if (channel != null) {
      channel.close().syncUninterruptibly();
    }
  }
}
