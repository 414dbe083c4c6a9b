package dev.pinion.core.invoker;

import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.HttpCall;
import io.netty.channel.EventLoop;
import io.netty.resolver.AddressResolverGroup;
import io.netty.resolver.dns.DnsAddressResolverGroup;
import io.netty.resolver.dns.DnsNameResolverBuilder;
import java.net.InetSocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Performs calls over HTTP/1.1 (RFC 9112), plain or by TLS, on pooled connections that carry one
 * request at a time.
 *
 * <p>Names are looked up by Netty's resolver, hosts file included, without blocking the event loop;
 * literal addresses are not looked up. Content codings are not asked for and not understood.
 * Redirections are not followed. A request that meets a kept connection which the service has
 * closed meanwhile is sent once more on a fresh one when its method is idempotent.
 */
public final class NettyServiceCaller implements ServiceCaller {
  private static final Logger LOG = LoggerFactory.getLogger(NettyServiceCaller.class);

  private final Targets targets = new Targets();
  private final Network network;
  private final AddressResolverGroup<InetSocketAddress> resolver;
  private @Nullable Runnable settled;

  /**
   * A caller.
   *
   * @param loop the event loop on whose thread every method is called
   * @param settings what the callers of an engine share
   * @param counters those of the Invoker
   */
  public NettyServiceCaller(EventLoop loop, InvokerSettings settings, InvokerCounters counters) {
    this(loop, settings, counters, dns(settings.channels()));
  }

  NettyServiceCaller(
      EventLoop loop,
      InvokerSettings settings,
      InvokerCounters counters,
      AddressResolverGroup<InetSocketAddress> resolver) {
    this.resolver = resolver;
    this.network = new Network(loop, settings, resolver, counters);
  }

  private static DnsAddressResolverGroup dns(ChannelTypes channels) {
    return new DnsAddressResolverGroup(
        new DnsNameResolverBuilder()
            .datagramChannelFactory(channels.datagram())
            .socketChannelFactory(channels.socket()));
  }

  @Override
  public OngoingCall call(HttpCall call, Listener listener) {
    Target target;
    try {
      RequestEncoder.check(call);
      target = targets.of(call.uri());
    } catch (UncallableException e) {
      listener.onOutcome(Failures.of(ErrorType.CONFIGURATION, e.problem()));
      return Refused.INSTANCE;
    }
    ServicePool pool = network.pool(target.origin());
    Exchange exchange = new Exchange(call, target.path(), pool, listener);
    pool.submit(exchange);
    return exchange;
  }

  @Override
  public void connectAhead(List<String> uris, Runnable onSettled) {
    settled = onSettled;
    for (String uri : uris) {
      try {
        network.pool(Target.parse(uri).origin()).openAhead();
      } catch (UncallableException e) {
        LOG.debug("no connection ahead of calls: {}", e.problem());
      }
    }
  }

  private void tellSettled() {
    Runnable told = settled;
    if (told != null && network.connecting.oldest() == null) {
      settled = null;
      told.run();
    }
  }

  @Override
  public int doWork(long nowNanos) {
    int work = 0;
    for (Connection late = network.connecting.pollExpired(nowNanos);
        late != null;
        late = network.connecting.pollExpired(nowNanos)) {
      late.onConnectTimeout();
      work++;
    }
    for (Connection unused = network.idle.pollExpired(nowNanos);
        unused != null;
        unused = network.idle.pollExpired(nowNanos)) {
      unused.close();
      work++;
    }
    network.connecting.start(nowNanos);
    network.idle.start(nowNanos);
    tellSettled();
    return work;
  }

  @Override
  public boolean hasWork() {
    return network.connecting.hasUnstarted()
        || network.idle.hasUnstarted()
        || (settled != null && network.connecting.oldest() == null);
  }

  @Override
  public long nextDeadlineNanos() {
    return Math.min(network.connecting.nextDeadlineNanos(), network.idle.nextDeadlineNanos());
  }

  @Override
  public void onClose() {
    for (Connection c = network.connecting.poll(); c != null; c = network.connecting.poll()) {
      c.onStop();
    }
    for (Connection c = network.idle.poll(); c != null; c = network.idle.poll()) {
      c.close();
    }
    resolver.close();
  }

  /** How many services have connections or calls. */
  int services() {
    return network.services();
  }

  /** A call that ended before it was begun. */
  private enum Refused implements OngoingCall {
    INSTANCE;

    @Override
    public void cancel() {
      // it has ended
    }

    @Override
    public String awaits() {
      return "nothing";
    }
  }
}
