package dev.pinion.core.invoker.http;

import dev.pinion.core.invoker.CallOutcomes;
import dev.pinion.core.invoker.InvokerCounters;
import dev.pinion.core.limits.InvokerLimits;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** What the pools and connections of one event loop share. Event loop only. */
final class ConnectionContext {
  private static final double LEAST_AGE = 0.75;
  private static final double GOLDEN_RATIO = 0.618_033_988_749_895;

  final InvokerLimits limits;
  final InvokerCounters counters;
  final RequestEncoder encoder;
  final CallOutcomes callOutcomes;
  final ResponseBudget responses;
  final ConnectionBudget budget;
  final TcpState tcp = new TcpState();
  final ResendLog resent = new ResendLog();
  final HostResolver addresses;

  private final ClientTls tls;
  private final Bootstrap bootstrap;
  private long nowNanos;
  private long connected;

  /**
   * State of an event loop.
   *
   * @param closeUnused closes the connection unused for longest; returns false when all are in use
   */
  ConnectionContext(
      EventLoop loop,
      ServiceCallerSettings settings,
      HostResolver addresses,
      InvokerCounters counters,
      BooleanSupplier closeUnused) {
    this.limits = settings.limits();
    this.counters = counters;
    this.encoder = new RequestEncoder(settings.codec(), limits, settings.userAgent());
    this.callOutcomes = new CallOutcomes(settings.codec(), limits);
    this.responses = new ResponseBudget(limits.maxBufferedBytes(), settings.heapHasRoom());
    this.addresses = addresses;
    this.budget = new ConnectionBudget(limits.maxConnections(), closeUnused, counters);
    this.tls = settings.tls();
    this.bootstrap =
        new Bootstrap()
            .group(loop)
            .channelFactory(settings.channels().socket())
            .option(ChannelOption.TCP_NODELAY, true)
            // Nothing is read before there is a handler to receive it; see install.
            .option(ChannelOption.AUTO_READ, false)
            .option(ChannelOption.ALLOW_HALF_CLOSURE, true)
            // The connecting queue enforces the time, without a scheduled task for each connection.
            .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, 0);
  }

  /** Sets the time of this duty cycle. */
  void now(long nanos) {
    nowNanos = nanos;
  }

  /** Monotonic time of the last duty cycle. */
  long nowNanos() {
    return nowNanos;
  }

  /**
   * Monotonic time at which a new connection is to be renewed. Multiples of the golden ratio spread
   * connections that were made together over the last quarter of their age.
   */
  long renewAtNanos() {
    double share = LEAST_AGE + (1 - LEAST_AGE) * (connected++ * GOLDEN_RATIO % 1);
    return nowNanos + (long) (TimeUnit.MILLISECONDS.toNanos(limits.connectionAgeMillis()) * share);
  }

  /** What an address is that calls may not reach; null for others. */
  @Nullable String refusal(InetAddress address) {
    return ReservedAddresses.refusal(address, limits);
  }

  /** Begins to connect to an address. */
  ChannelFuture connect(InetAddress address, int port) {
    return bootstrap
        .clone()
        .handler(new PendingHandler())
        .connect(new InetSocketAddress(address, port));
  }

  /**
   * Installs the handlers of a connection in a channel, and begins the handshake when the service
   * uses TLS.
   *
   * @param sentBytes counts what is sent
   * @param decoder decodes the responses
   * @param events told of what happens on the channel
   */
  void install(
      Channel channel,
      Origin origin,
      SentBytes sentBytes,
      ResponseDecoder decoder,
      ConnectionHandler.ChannelEvents events) {
    channel.pipeline().addLast(new HalfCloseHandler(events), sentBytes);
    if (origin.tls()) {
      channel.pipeline().addLast(tls.newHandler(channel.alloc(), origin));
    }
    channel.pipeline().addLast(decoder, new ConnectionHandler(events));
    channel.config().setAutoRead(true);
  }

  /** Handler of a channel until it has won its race. */
  private static final class PendingHandler extends ChannelInitializer<Channel> {
    @Override
    protected void initChannel(Channel channel) {
      // the channel gets its handlers when it is connected
    }
  }
}
