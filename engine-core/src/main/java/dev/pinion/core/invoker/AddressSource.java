package dev.pinion.core.invoker;

import io.netty.util.concurrent.Future;
import java.net.InetAddress;
import java.util.List;

/** Knows the addresses of host names. On the thread of one event loop. */
interface AddressSource {
  /** Kinds of addresses. */
  enum Family {
    V4,
    V6
  }

  /** The addresses of a name that need no question to anybody; empty when there are none. */
  List<InetAddress> local(String host, long nowNanos);

  /** Asks for the addresses of a name. The future's listeners run on the event loop. */
  Future<List<InetAddress>> lookUp(String host, Family family);

  /** Lets go of what it holds open. */
  void close();
}
