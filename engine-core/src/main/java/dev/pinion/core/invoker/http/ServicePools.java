package dev.pinion.core.invoker.http;

import dev.pinion.core.invoker.InvokerCounters;
import io.netty.channel.EventLoop;
import java.util.HashMap;
import java.util.Map;

/** The pools of one event loop, and what their connections share. Event loop only. */
final class ServicePools {
  final ConnectionQueues queues;
  final ConnectionContext context;

  private final Map<Origin, ServicePool> pools = new HashMap<>();

  ServicePools(
      EventLoop loop,
      ServiceCallerSettings settings,
      HostResolver addresses,
      InvokerCounters counters) {
    this.queues = new ConnectionQueues(settings.limits());
    this.context = new ConnectionContext(loop, settings, addresses, counters, queues::closeUnused);
  }

  /** The pool of a service; it exists while it has connections or calls. */
  ServicePool pool(Origin origin) {
    return pools.computeIfAbsent(
        origin, missing -> new ServicePool(missing, context, queues, this::drop));
  }

  private void drop(ServicePool pool) {
    pools.remove(pool.origin(), pool);
  }

  /** Number of services with a pool. */
  int services() {
    return pools.size();
  }
}
