package dev.pinion.bootstrap.brokerd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.broker.model.ConcreteService;
import dev.pinion.broker.registry.InterfaceMapping;
import dev.pinion.broker.registry.RegisteredService;
import dev.pinion.core.limits.EngineLimits;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class EndpointProbesTest {
  private static RegisteredService service(String id, String endpoint) {
    ConcreteService promise = new ConcreteService(id, 1, 1, 1, 1);
    return new RegisteredService(
        promise, Set.of("x"), endpoint, true, InterfaceMapping.NONE, null, null);
  }

  @Test
  void shouldTellWhoTakesConnections() throws IOException {
    int port;
    EndpointProbes probes = new EndpointProbes(Duration.ofSeconds(10), _ -> true);
    try (ServerSocket server = new ServerSocket(0, 8, InetAddress.getLoopbackAddress())) {
      port = server.getLocalPort();
      String base = "http://127.0.0.1:" + port;
      assertEquals(
          Map.of("a", true, "b", true, "c", false),
          probes.round(
              List.of(
                  service("a", base),
                  service("b", base + "/other"),
                  service("c", "http:///no-host"))));
    }
    assertEquals(
        Map.of("a", false), probes.round(List.of(service("a", "http://127.0.0.1:" + port))));
  }

  /** Field fault 27: a probe of a reserved address would reveal what listens there. */
  @Test
  void shouldNotConnectWhereCallsMayNotGo() throws IOException {
    try (ServerSocket server = new ServerSocket(0, 8, InetAddress.getLoopbackAddress())) {
      List<RegisteredService> services =
          List.of(service("a", "http://127.0.0.1:" + server.getLocalPort()));

      assertEquals(
          Map.of("a", false),
          new EndpointProbes(Duration.ofSeconds(10), _ -> false).round(services));
    }
    EngineLimits limits = EngineLimits.defaults();
    EngineLimits open = limits.with(Map.of("invoker.reservedAddresses", 1));
    InetAddress metadata = InetAddress.getByName("169.254.169.254");
    InetAddress reserved = InetAddress.getByName("240.0.0.1");
    assertFalse(EndpointProbes.callable(limits.invoker()).test(metadata));
    assertFalse(EndpointProbes.callable(open.invoker()).test(metadata));
    assertFalse(EndpointProbes.callable(limits.invoker()).test(reserved));
    assertTrue(EndpointProbes.callable(open.invoker()).test(reserved));
  }
}
