package dev.pinion.core.engine;

import dev.pinion.core.http.ConnectionReturn;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoop;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import java.net.SocketAddress;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Returns connections to the parent, over a Unix socket (SCM_RIGHTS). The parent confirms each;
 * until then this replica keeps its own descriptor.
 */
// A listener handles a failed write; a failed close leaves nothing to do.
@SuppressWarnings("FutureReturnValueIgnored")
final class ParentConnectionReturn implements ConnectionReturn, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ParentConnectionReturn.class);

  /** Connections that the parent has not confirmed; a Unix socket holds a few hundred. */
  private static final int WINDOW = 64;

  private final AtomicInteger underWay = new AtomicInteger();
  private final Deque<EpollSocketChannel> waiting = new ArrayDeque<>();
  private final Deque<EpollSocketChannel> unconfirmed = new ArrayDeque<>();
  private volatile @Nullable Channel parent;

  /** Begins to return connections; they are closed instead when the parent cannot be reached. */
  void open(EventLoop loop, SocketAddress address) {
    try {
      parent =
          new Bootstrap()
              .group(loop)
              .channel(EpollDomainSocketChannel.class)
              .handler(new Confirmations())
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

  /** Connections that are being returned. */
  int underWay() {
    return underWay.get();
  }

  @Override
  public void giveBack(Channel channel) {
    EpollSocketChannel client = (EpollSocketChannel) channel;
    underWay.incrementAndGet();
    client.deregister().addListener(_ -> lineLoop().execute(() -> send(client)));
  }

  private EventLoop lineLoop() {
    return Objects.requireNonNull(parent).eventLoop();
  }

  /** On the loop of the line. */
  private void send(EpollSocketChannel client) {
    waiting.addLast(client);
    sendWaiting();
  }

  private void sendWaiting() {
    Channel to = Objects.requireNonNull(parent);
    while (!waiting.isEmpty() && unconfirmed.size() < WINDOW && to.isActive()) {
      EpollSocketChannel client = waiting.removeFirst();
      if (!client.isOpen()) { // its descriptor may have been reused by now
        end(client);
        continue;
      }
      unconfirmed.addLast(client);
      to.writeAndFlush(client.fd())
          .addListener(
              sent -> {
                if (!sent.isSuccess()) {
                  LOG.warn("a connection could not be given back to the parent", sent.cause());
                  to.close();
                }
              });
    }
    if (!to.isActive()) {
      endAll();
    }
  }

  private void endAll() {
    int lost = unconfirmed.size() + waiting.size();
    if (lost > 0) {
      LOG.warn("{} idle connections are closed, for the parent takes no more back", lost);
    }
    unconfirmed.forEach(this::end);
    unconfirmed.clear();
    waiting.forEach(this::end);
    waiting.clear();
  }

  /** This replica's own descriptor is closed, whether the parent has another one or not. */
  private void end(EpollSocketChannel client) {
    client.unsafe().closeForcibly();
    underWay.decrementAndGet();
  }

  /** Receives the parent's confirmations. */
  private final class Confirmations extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      ByteBuf said = (ByteBuf) message;
      for (int i = said.readableBytes(); i > 0 && !unconfirmed.isEmpty(); i--) {
        end(unconfirmed.removeFirst());
      }
      said.release();
      sendWaiting();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
      endAll();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
      LOG.warn("the line by which connections are given back broke", cause);
      ctx.close();
    }
  }

  @Override
  public void close() {
    Channel channel = parent;
    if (channel != null) {
      channel.close().syncUninterruptibly();
    }
  }
}
