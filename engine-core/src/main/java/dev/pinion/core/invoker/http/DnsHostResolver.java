package dev.pinion.core.invoker.http;

import dev.pinion.core.limits.InvokerLimits;
import io.netty.channel.EventLoop;
import io.netty.resolver.ResolvedAddressTypes;
import io.netty.resolver.dns.DnsNameResolver;
import io.netty.resolver.dns.DnsNameResolverBuilder;
import io.netty.resolver.dns.DnsServerAddressStreamProvider;
import io.netty.resolver.dns.DnsServerAddressStreamProviders;
import io.netty.util.concurrent.Future;
import java.net.InetAddress;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The hosts file, and the system's name servers for names that it lacks. Their answers are cached
 * for their time to live, and no longer than {@code invoker.maxNameSeconds}.
 *
 * <p>Queries for IPv4 and IPv6 are separate, so that a server that is silent about one does not
 * delay the other (RFC 8305, section 3).
 */
public final class DnsHostResolver implements HostResolver {
  /** Number of servers, or queries to one, for which the time to connect is enough. */
  private static final int QUESTIONS_IN_TIME = 3;

  private final EventLoop loop;
  private final ChannelTypes channels;
  private final InvokerLimits limits;
  private final HostsFile hosts;
  private final DnsServerAddressStreamProvider servers;
  private final Map<Family, DnsNameResolver> resolvers = new EnumMap<>(Family.class);
  private final Map<DnsQuestion, Future<List<InetAddress>>> underWay = new HashMap<>();

  private record DnsQuestion(String host, Family family) {}

  /** A resolver with the hosts file and the name servers of the system. */
  public DnsHostResolver(EventLoop loop, ChannelTypes channels, InvokerLimits limits) {
    this(
        loop,
        channels,
        limits,
        HostsFile.ofSystem(),
        DnsServerAddressStreamProviders.platformDefault());
  }

  public DnsHostResolver(
      EventLoop loop,
      ChannelTypes channels,
      InvokerLimits limits,
      HostsFile hosts,
      DnsServerAddressStreamProvider servers) {
    this.loop = loop;
    this.channels = channels;
    this.limits = limits;
    this.hosts = hosts;
    this.servers = servers;
  }

  @Override
  public List<InetAddress> cached(String host, long nowNanos) {
    return hosts.addresses(host, nowNanos);
  }

  @Override
  public Future<List<InetAddress>> lookUp(String host, Family family) {
    DnsQuestion dnsQuestion = new DnsQuestion(host, family);
    Future<List<InetAddress>> asked = underWay.get(dnsQuestion);
    if (asked == null) {
      asked = resolvers.computeIfAbsent(family, this::resolver).resolveAll(host);
      if (!asked.isDone()) {
        underWay.put(dnsQuestion, asked);
        asked.addListener(answered -> underWay.remove(dnsQuestion));
      }
    }
    return asked;
  }

  private DnsNameResolver resolver(Family family) {
    return new DnsNameResolverBuilder(loop)
        .datagramChannelFactory(channels.datagram())
        .socketChannelFactory(channels.socket())
        .nameServerProvider(servers)
        .hostsFileEntriesResolver((host, types) -> null)
        .resolvedAddressTypes(
            family == Family.V4 ? ResolvedAddressTypes.IPV4_ONLY : ResolvedAddressTypes.IPV6_ONLY)
        .queryTimeoutMillis(Math.max(1, limits.connectTimeoutMillis() / QUESTIONS_IN_TIME))
        .ttl(0, limits.maxNameSeconds())
        .build();
  }

  @Override
  public void close() {
    resolvers.values().forEach(DnsNameResolver::close);
  }
}
