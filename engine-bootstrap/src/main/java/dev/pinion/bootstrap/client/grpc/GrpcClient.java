package dev.pinion.bootstrap.client.grpc;

import dev.pinion.bootstrap.client.call.OutcomeReport;
import dev.pinion.bootstrap.client.call.ProtocolSettings;
import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.invoker.ProtocolClient;
import dev.pinion.core.invoker.ServiceCaller;
import dev.pinion.core.invoker.http.ChannelTypes;
import dev.pinion.core.invoker.http.DnsHostResolver;
import dev.pinion.core.invoker.http.HostResolver;
import dev.pinion.core.invoker.http.Origin;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.EngineVersion;
import dev.pinion.core.model.call.GrpcCall;
import dev.pinion.core.model.call.GrpcMethod;
import dev.pinion.core.model.call.HttpCall;
import dev.pinion.core.model.call.ProtocolCall;
import dev.pinion.core.protobuf.ProtoMethod;
import dev.pinion.core.stage.AncillaryThreadFactory;
import io.grpc.ChannelCredentials;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.TlsChannelCredentials;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Calls methods of gRPC services, on an event loop of its own. Addresses are those that calls over
 * HTTP may reach, certificates those that they trust.
 */
public final class GrpcClient implements ProtocolClient {
  private static final long STOP_SECONDS = 1;

  private final ProtocolSettings settings;
  private final EventLoopGroup group;
  private final EventLoop loop;
  private final PayloadCodec json;
  private final ServiceChannels channels;

  /** Codecs of the methods of definitions that are in use. On the event loop. */
  private final Map<ProtoMethod, GrpcMethodCodec> codecs = new WeakHashMap<>();

  private @Nullable ChannelCredentials tls;

  /** A client that looks names up as calls over HTTP do. */
  public GrpcClient(ProtocolSettings settings) {
    this(
        settings,
        loop -> new DnsHostResolver(loop, ChannelTypes.nio(), settings.limits().invoker()));
  }

  /**
   * A client with another source of addresses.
   *
   * @param resolvers makes the resolver of an event loop
   */
  GrpcClient(ProtocolSettings settings, Function<EventLoop, HostResolver> resolvers) {
    this.settings = settings;
    this.group =
        new MultiThreadIoEventLoopGroup(
            1, new AncillaryThreadFactory("grpc", settings.threads()), NioIoHandler.newFactory());
    this.loop = group.next();
    this.json = new PayloadCodec(settings.limits().json());
    HostAddresses addresses =
        new HostAddresses(resolvers.apply(loop), settings.limits().invoker(), settings.clock());
    this.channels =
        new ServiceChannels(loop, settings.limits(), settings.clock(), addresses, this::open);
  }

  @Override
  public ServiceCaller.OngoingCall call(
      ProtocolCall call, CallingInvoker invoker, ServiceCaller.CallListener callListener) {
    if (!(call instanceof GrpcCall grpc)) {
      throw new IllegalArgumentException("expected a gRPC call, found " + call.description());
    }
    return invoker
        .services()
        .callBy(
            (complete, listener) -> begun(grpc.method(), complete, invoker.loop(), listener),
            grpc.request(),
            callListener);
  }

  private ServiceCaller.OngoingCall begun(
      GrpcMethod method,
      HttpCall request,
      Executor loopOfInvoker,
      ServiceCaller.CallListener callListener) {
    GrpcExchange exchange =
        new GrpcExchange(
            new GrpcCall(method, request), this, new OutcomeReport(loopOfInvoker, callListener));
    exchange.begin();
    return exchange;
  }

  EventLoop loop() {
    return loop;
  }

  EngineLimits limits() {
    return settings.limits();
  }

  PayloadCodec json() {
    return json;
  }

  ServiceChannels channels() {
    return channels;
  }

  /** The codec of a method. */
  GrpcMethodCodec codec(GrpcMethod method) {
    if (!(method instanceof ProtoMethod proto)) {
      throw new IllegalArgumentException("expected a method of a .proto file, found another");
    }
    return codecs.computeIfAbsent(proto, each -> new GrpcMethodCodec(each.descriptor()));
  }

  /** Opens a channel, which connects for its first call. Addresses are tried one by one. */
  @SuppressWarnings("deprecation") // the one way to give a channel a resolver of its own
  private ManagedChannel open(Origin origin, List<InetAddress> addresses) {
    int connectMillis =
        Math.max(1, settings.limits().invoker().connectTimeoutMillis() / addresses.size());
    return NettyChannelBuilder.forTarget(FixedAddresses.TARGET, credentials(origin))
        .nameResolverFactory(new FixedAddresses(origin.toString(), addresses, origin.port()))
        .eventLoopGroup(group)
        .channelType(NioSocketChannel.class)
        .withOption(ChannelOption.CONNECT_TIMEOUT_MILLIS, connectMillis)
        .executor(loop)
        .offloadExecutor(loop)
        .userAgent("pinion/" + EngineVersion.CURRENT)
        .maxInboundMessageSize(settings.limits().invoker().maxResponseBytes())
        .maxInboundMetadataSize(settings.limits().invoker().maxHeaderBytes())
        .disableServiceConfigLookUp()
        .build();
  }

  private ChannelCredentials credentials(Origin origin) {
    if (!origin.tls()) {
      return InsecureChannelCredentials.create();
    }
    ChannelCredentials known = tls;
    if (known == null) {
      known =
          TlsChannelCredentials.newBuilder().trustManager(settings.tls().trustManagers()).build();
      tls = known;
    }
    return known;
  }

  @Override
  public void close() {
    try {
      loop.execute(channels::close);
    } catch (RejectedExecutionException e) {
      return; // closed before
    }
    var _ = group.shutdownGracefully(0, STOP_SECONDS, TimeUnit.SECONDS);
  }
}
