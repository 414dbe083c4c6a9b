package dev.pinion.core.invoker;

import dev.pinion.core.model.EngineLimits;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.resolver.AddressResolverGroup;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** What the pools and connections of one event loop share. */
final class Network {
  final EngineLimits.Invoker limits;
  final InvokerCounters counters;
  final RequestEncoder encoder;
  final Outcomes outcomes;
  final TimeoutQueue<Connection> connecting;
  final TimeoutQueue<Connection> idle;
  final ConnectionBudget budget;
  private final InvokerTls tls;
  private final Bootstrap bootstrap;
  private final Map<Origin, ServicePool> pools = new HashMap<>();

  Network(
      EventLoop loop,
      InvokerSettings settings,
      AddressResolverGroup<InetSocketAddress> resolver,
      InvokerCounters counters) {
    this.limits = settings.limits();
    this.counters = counters;
    this.encoder = new RequestEncoder(settings.codec(), settings.userAgent());
    this.outcomes = new Outcomes(settings.codec());
    this.connecting =
        new TimeoutQueue<>(TimeUnit.MILLISECONDS.toNanos(limits.connectTimeoutMillis()));
    this.idle = new TimeoutQueue<>(TimeUnit.MILLISECONDS.toNanos(limits.idleTimeoutMillis()));
    this.budget = new ConnectionBudget(limits.maxConnections(), idle, counters);
    this.tls = settings.tls();
    this.bootstrap =
        new Bootstrap()
            .group(loop)
            .channelFactory(settings.channels().socket())
            .resolver(resolver)
            .option(ChannelOption.TCP_NODELAY, true)
            // The connecting queue keeps the time, without a scheduled task for each connection.
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

  /** How many services have a pool. */
  int services() {
    return pools.size();
  }

  /** Begins to connect, and to shake hands when the service speaks TLS. */
  ChannelFuture connect(Origin origin, Connection connection) {
    return bootstrap
        .clone()
        .handler(
            new ChannelInitializer<Channel>() {
              @Override
              protected void initChannel(Channel channel) {
                if (origin.tls()) {
                  channel.pipeline().addLast(tls.newHandler(channel.alloc(), origin));
                }
                channel.pipeline().addLast(connection.decoder(), new ConnectionHandler(connection));
              }
            })
        .connect(origin.address());
  }
}
