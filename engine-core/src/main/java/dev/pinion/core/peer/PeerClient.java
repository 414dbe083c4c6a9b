package dev.pinion.core.peer;

import dev.pinion.core.limits.RequestLimits;
import dev.pinion.core.partition.ReplicaGroup;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http.FullHttpRequest;
import java.net.SocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * HTTP/1.1 client for other replicas on Unix sockets, one request at a time on each connection.
 * Belongs to one event loop, which calls every method and receives every reply.
 */
public final class PeerClient {
  /** A client without peers, for a replica that is alone. */
  public static final PeerClient NONE = new PeerClient(List.of());

  private final List<PeerConnectionPool> pools;

  private PeerClient(List<PeerConnectionPool> pools) {
    this.pools = List.copyOf(pools);
  }

  /**
   * A client without connections.
   *
   * @param loop the event loop
   * @param channel type of the channels, which must fit the loop
   * @param address factory of the address of a Unix socket for such a channel
   * @param replicaGroup the replicas
   * @param limits bounds of connections, waiting requests and responses
   */
  public static PeerClient create(
      EventLoop loop,
      Class<? extends Channel> channel,
      Function<Path, SocketAddress> address,
      ReplicaGroup replicaGroup,
      RequestLimits limits) {
    List<PeerConnectionPool> pools = new ArrayList<>();
    for (int slot = 0; slot < replicaGroup.slots(); slot++) {
      SocketAddress remote = address.apply(replicaGroup.socket(slot));
      pools.add(
          new PeerConnectionPool(
              new Bootstrap().group(loop).channel(channel).remoteAddress(remote),
              limits,
              task -> {
                var _ = loop.schedule(task, PeerConnectionPool.IDLE_SECONDS, TimeUnit.SECONDS);
              }));
    }
    return new PeerClient(pools);
  }

  /**
   * Sends a request, which is released when it was sent or cannot be.
   *
   * @param slot slot of the other replica
   */
  public PeerRequest send(
      int slot, FullHttpRequest request, PeerResponseListener responseListener) {
    PeerCall call = new PeerCall(request, responseListener);
    pools.get(slot).send(call);
    return call;
  }
}
