package dev.pinion.core.invoker.http;

import io.netty.util.concurrent.Future;
import java.net.InetAddress;
import java.util.List;

/** Source of the addresses of host names. On the thread of one event loop. */
public interface HostResolver {
  /** Kinds of addresses. */
  enum Family {
    V4,
    V6
  }

  /** Addresses of a name that need no look-up on the network; empty when there are none. */
  List<InetAddress> cached(String host, long nowNanos);

  /** Looks up the addresses of a name. The future's listeners run on the event loop. */
  Future<List<InetAddress>> lookUp(String host, Family family);

  /** Closes its resources. */
  void close();
}
