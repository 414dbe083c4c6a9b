package dev.pinion.core.invoker.http;

import dev.pinion.core.invoker.CallOutcomes;
import dev.pinion.core.invoker.InvokerCounters;
import dev.pinion.core.invoker.TimeoutQueue;
import dev.pinion.core.limits.InvokerLimits;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Common state of the pools and connections of one event loop. */
final class ConnectionContext {
  private static final double LEAST_AGE = 0.75;
  private static final double GOLDEN_RATIO = 0.618_033_988_749_895;

  final InvokerLimits limits;
  final InvokerCounters counters;
  final RequestEncoder encoder;
  final CallOutcomes callOutcomes;
  final TimeoutQueue<PooledConnection> connecting;
  final IdlePooledConnections<PooledConnection> idle;
  final ResponseBudget room;
  final ConnectionBudget budget;
  final TcpState tcp = new TcpState();
  final ResendLog resent = new ResendLog();
  final HostResolver addresses;

  /** Races that try the next address when an attempt has taken its time. */
  final TimeoutQueue<HappyEyeballs> attempting =
      new TimeoutQueue<>(TimeUnit.MILLISECONDS.toNanos(HappyEyeballs.ATTEMPT_DELAY_MILLIS));

  /** Races that have addresses of IPv4 and wait for those of IPv6. */
  final TimeoutQueue<HappyEyeballs> resolving =
      new TimeoutQueue<>(TimeUnit.MILLISECONDS.toNanos(HappyEyeballs.RESOLUTION_DELAY_MILLIS));

  private final ClientTls tls;
  private final Bootstrap bootstrap;
  private final Map<Origin, ServicePool> pools = new HashMap<>();
  private long nowNanos;
  private long connected;

  ConnectionContext(
      EventLoop loop,
      ServiceCallerSettings settings,
      HostResolver addresses,
      InvokerCounters counters) {
    this.limits = settings.limits();
    this.counters = counters;
    this.encoder = new RequestEncoder(settings.codec(), settings.userAgent());
    this.callOutcomes = new CallOutcomes(settings.codec());
    this.connecting =
        new TimeoutQueue<>(TimeUnit.MILLISECONDS.toNanos(limits.connectTimeoutMillis()));
    this.room = new ResponseBudget(limits.maxBufferedBytes(), settings.heapHasRoom());
    this.idle = new IdlePooledConnections<>(limits.idleTimeoutMillis());
    this.addresses = addresses;
    this.budget = new ConnectionBudget(limits.maxConnections(), this::closeUnused, counters);
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

  /** The pool of a service; it exists while it has connections or calls. */
  ServicePool pool(Origin origin) {
    return pools.computeIfAbsent(origin, missing -> new ServicePool(missing, this));
  }

  /** Forgets a pool that has neither connections nor calls. */
  void drop(ServicePool pool) {
    pools.remove(pool.origin(), pool);
  }

  /** Closes the connection unused for longest; returns false when all are in use. */
  private boolean closeUnused() {
    PooledConnection unused = idle.oldest();
    if (unused == null) {
      return false;
    }
    unused.close();
    return true;
  }

  /** Number of services with a pool. */
  int services() {
    return pools.size();
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

  /** Whether calls may reach an address. */
  boolean isAllowed(InetAddress address) {
    return limits.reservedAddresses() == 1 || !ReservedAddresses.isReserved(address);
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
   */
  void install(Channel channel, Origin origin, PooledConnection pooledConnection) {
    channel
        .pipeline()
        .addLast(new HalfCloseHandler(pooledConnection), pooledConnection.sentBytes());
    if (origin.tls()) {
      channel.pipeline().addLast(tls.newHandler(channel.alloc(), origin));
    }
    channel.pipeline().addLast(pooledConnection.decoder(), new ConnectionHandler(pooledConnection));
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
