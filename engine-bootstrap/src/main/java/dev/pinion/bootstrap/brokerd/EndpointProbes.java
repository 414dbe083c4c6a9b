package dev.pinion.bootstrap.brokerd;

import dev.pinion.broker.registry.RegisteredService;
import dev.pinion.core.invoker.http.ReservedAddresses;
import dev.pinion.core.limits.InvokerLimits;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.function.Predicate;

/**
 * Probes services: one is alive when its address accepts a connection. Each address is probed once
 * a round, however many services it has; nothing is sent.
 */
final class EndpointProbes {
  /** Longest wait for a connection. */
  static final Duration PATIENCE = Duration.ofMillis(800);

  /** Concurrent probes. */
  static final int MAX_AT_ONCE = 256;

  private static final int HTTPS_PORT = 443;
  private static final int HTTP_PORT = 80;

  private final Duration patience;
  private final Predicate<InetAddress> allowed;

  /**
   * Probes with a time limit.
   *
   * @param allowed permitted addresses; a service at others only is not alive
   */
  EndpointProbes(Duration patience, Predicate<InetAddress> allowed) {
    this.patience = patience;
    this.allowed = allowed;
  }

  /** Permitted addresses of calls. */
  static Predicate<InetAddress> callable(InvokerLimits limits) {
    return each -> ReservedAddresses.refusal(each, limits) == null;
  }

  /** Whether each service is alive, by its id. Waits for all probes. */
  Map<String, Boolean> round(List<RegisteredService> services) {
    Map<String, Address> addresses = new HashMap<>();
    services.forEach(each -> addresses.put(each.id(), Address.of(each.endpoint())));
    Map<Address, Boolean> answers = new ConcurrentHashMap<>();
    Semaphore room = new Semaphore(MAX_AT_ONCE);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Address each : Map.copyOf(addresses).values().stream().distinct().toList()) {
        threads.execute(
            () -> {
              room.acquireUninterruptibly();
              try {
                answers.put(each, accepts(each));
              } finally {
                room.release();
              }
            });
      }
    }
    Map<String, Boolean> alive = new HashMap<>();
    addresses.forEach((id, each) -> alive.put(id, answers.getOrDefault(each, false)));
    return alive;
  }

  private boolean accepts(Address address) {
    if (address.host().isEmpty()) {
      return false;
    }
    try {
      for (InetAddress each : InetAddress.getAllByName(address.host())) {
        if (allowed.test(each) && connects(new InetSocketAddress(each, address.port()))) {
          return true;
        }
      }
      return false;
    } catch (UnknownHostException e) {
      return false;
    }
  }

  private boolean connects(InetSocketAddress address) {
    try (Socket socket = new Socket()) {
      socket.connect(address, (int) patience.toMillis());
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** Address of a service. */
  private record Address(String host, int port) {
    static Address of(String endpoint) {
      URI uri = URI.create(endpoint);
      int usual = "https".equals(uri.getScheme()) ? HTTPS_PORT : HTTP_PORT;
      String host = uri.getHost() == null ? "" : uri.getHost().replaceAll("^\\[|]$", "");
      return new Address(host, uri.getPort() < 0 ? usual : uri.getPort());
    }
  }
}
