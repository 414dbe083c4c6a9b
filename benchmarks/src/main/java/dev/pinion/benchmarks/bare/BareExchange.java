package dev.pinion.benchmarks.bare;

import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Clock;
import dev.pinion.workloads.transport.NettyTransport;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import java.net.InetSocketAddress;
import java.net.URI;

/**
 * The bare exchange: handles the starts of one workload by making its calls, on one event loop and
 * without an engine. It sends the same messages as the engine over as many connections, reads every
 * response with Jackson and checks it.
 */
public final class BareExchange {
  private BareExchange() {}

  /**
   * Starts the exchange.
   *
   * @param port port to listen on, 0 for a free one
   * @param callPattern calls of each request
   * @param stub address of the services
   * @throws IllegalStateException when the port is taken
   */
  public static SingleLoopServer start(int port, CallPattern callPattern, URI stub) {
    NettyTransport nettyTransport = NettyTransport.best();
    EventLoopGroup loop = nettyTransport.loops(1, "bare");
    Bootstrap toStub =
        new Bootstrap()
            .group(loop)
            .channel(nettyTransport.clientChannel())
            .option(ChannelOption.TCP_NODELAY, true)
            .remoteAddress(new InetSocketAddress(stub.getHost(), stub.getPort()));
    int maxConnections = EngineLimits.defaults().invoker().maxConnectionsPerService();
    BareRequestWriter calls =
        new BareRequestWriter(stub.getRawAuthority(), "pinion/" + engineVersion());
    StubConnectionPool services = new StubConnectionPool(toStub, calls, maxConnections);
    BareResponseWriter answers = new BareResponseWriter(Clock.system(), callPattern);
    return SingleLoopServer.listen(
        loop, nettyTransport, port, () -> new ClientHandler(callPattern, services, answers));
  }

  /** Version in the manifest of the engine's jar, as the engine's Invoker sends it. */
  private static String engineVersion() {
    String version = EngineLimits.class.getPackage().getImplementationVersion();
    return version == null ? "development" : version;
  }
}
