package dev.pinion.broker.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.broker.model.ConcreteService;
import dev.pinion.broker.model.CoordinationPattern;
import dev.pinion.broker.registry.InterfaceMapping;
import dev.pinion.broker.registry.PublishedTable;
import dev.pinion.broker.registry.RegisteredService;
import dev.pinion.broker.registry.ServiceRegistry;
import dev.pinion.broker.registry.TableShare;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class TableRepairTest {
  private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");

  private final ServiceRegistry serviceRegistry =
      ServiceRegistry.EMPTY
          .with(service("a1", 1, 0.9, null))
          .with(service("a2", 2, 0.99, null))
          .with(service("a3", 1, 0.99, null));

  private static RegisteredService service(
      String id, double response, double reliability, @Nullable Instant until) {
    return new RegisteredService(
        new ConcreteService(id, response, reliability, 1, Double.POSITIVE_INFINITY),
        Set.of("A"),
        "http://" + id,
        true,
        InterfaceMapping.NONE,
        null,
        until);
  }

  private static TableShare share(double fraction, String id) {
    return new TableShare(CoordinationPattern.SINGLE, List.of(id), fraction);
  }

  private static List<TableShare> repaired(
      ServiceRegistry serviceRegistry, Set<String> down, TableShare... of) {
    PublishedTable table =
        new PublishedTable(7, "gold", serviceRegistry, Map.of("gold", Map.of("A", List.of(of))));
    PublishedTable found = new TableRepair(serviceRegistry, NOW, down).of(table);
    assertEquals(7, found.version());
    return Objects.requireNonNull(found.bindings().getOrDefault("gold", Map.of()).get("A"));
  }

  @Test
  void shouldKeepProportionsOfWhatIsLeft() {
    List<TableShare> left =
        repaired(
            serviceRegistry,
            Set.of("a1"),
            share(0.5, "a1"),
            share(0.3, "a2"),
            new TableShare(CoordinationPattern.ALTERNATE, List.of("a3", "a1"), 0.15),
            share(0.05, "a3"));
    assertEquals(
        List.of(List.of("a2"), List.of("a3")), left.stream().map(TableShare::services).toList());
    assertEquals(0.3 / 0.35, left.get(0).fraction(), 1e-12);
    assertEquals(0.05 / 0.35, left.get(1).fraction(), 1e-12);
  }

  @Test
  void shouldFallBackToTheBestService() {
    assertEquals(
        List.of(share(1, "a3")),
        repaired(serviceRegistry, Set.of("a1"), share(1, "a1")),
        "as sure as a2, but faster");
  }

  @Test
  void shouldStayWhenAllAreDown() {
    List<TableShare> shares = List.of(share(1, "a1"));
    assertEquals(
        shares,
        repaired(serviceRegistry, Set.of("a1", "a2", "a3"), shares.toArray(TableShare[]::new)));
  }

  @Test
  void shouldChangeNothingWhenNoneIsGone() {
    List<TableShare> left =
        repaired(serviceRegistry, Set.of("b"), share(0.4, "a1"), share(0.6, "a2"));
    assertEquals(List.of(share(0.4, "a1"), share(0.6, "a2")), left);
  }

  @Test
  void shouldDoWithoutServicesWhoseTimeIsOver() {
    ServiceRegistry over = serviceRegistry.with(service("a1", 1, 0.9, NOW.minusSeconds(1)));
    assertEquals(
        List.of(share(1, "a2")), repaired(over, Set.of(), share(0.4, "a1"), share(0.6, "a2")));
    assertTrue(over.service("a1").isPresent());
  }
}
