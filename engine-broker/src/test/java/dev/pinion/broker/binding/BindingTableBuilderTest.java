package dev.pinion.broker.binding;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import dev.pinion.broker.model.ConcreteService;
import dev.pinion.broker.model.CoordinationPattern;
import dev.pinion.broker.registry.InterfaceMapping;
import dev.pinion.broker.registry.PublishedTable;
import dev.pinion.broker.registry.RegisteredService;
import dev.pinion.broker.registry.ServiceRegistry;
import dev.pinion.broker.registry.TableShare;
import dev.pinion.core.binding.BindingTable;
import dev.pinion.core.binding.BoundService;
import dev.pinion.core.binding.ServiceCandidates;
import dev.pinion.core.model.Payload;
import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

class BindingTableBuilderTest {
  /** Greatest deviation of the calls of a share from its part, for the first tasks. */
  private static final double DEVIATION = 4;

  private final KroneckerCounters kroneckerCounters = new KroneckerCounters(() -> 0);

  private static RegisteredService service(String id) {
    return new RegisteredService(
        new ConcreteService(id, 1, 1, 1, Double.POSITIVE_INFINITY),
        Set.of("flights"),
        "http://" + id,
        true,
        new InterfaceMapping("/x", Map.of("K", "v"), ".", null),
        null,
        null);
  }

  private BindingTable table(long version, boolean stateful, List<TableShare> shares) {
    ServiceRegistry serviceRegistry =
        ServiceRegistry.EMPTY
            .with(service("a"))
            .with(service("b"))
            .withStateful("flights", stateful);
    PublishedTable published =
        new PublishedTable(
            version, "std", serviceRegistry, Map.of("std", Map.of("flights", shares)));
    return BindingTableBuilder.of(
        published, _ -> (input, scope, budget) -> Payload.of("mapped"), kroneckerCounters);
  }

  @Test
  void shouldServeThePartOfAClassThatThePlanDoes() {
    TableShare all = new TableShare(CoordinationPattern.SINGLE, List.of("a"), 1);
    PublishedTable published =
        new PublishedTable(
                3,
                "none",
                ServiceRegistry.EMPTY.with(service("a")),
                Map.of("std", Map.of("flights", List.of(all))))
            .withServed(Map.of("none", 0.0, "std", 0.25));
    BindingTable table =
        BindingTableBuilder.of(
            published, _ -> (input, scope, budget) -> Payload.of("mapped"), kroneckerCounters);
    int served = 0;
    for (int i = 0; i < 1_000; i++) {
      served += Objects.requireNonNull(table.parts().get("std")).next().getAsBoolean() ? 1 : 0;
      assertFalse(Objects.requireNonNull(table.parts().get("none")).next().getAsBoolean());
    }
    assertEquals(250, served, 4);
    assertEquals(Map.of("none", 1_000L, "std", 1_000L - served), kroneckerCounters.shed());
    assertEquals("none", table.className(null), "who has no class is of the default one still");
    assertEquals("none", table.className("unknown"));
    assertEquals(flights(table), table.service("none", "flights"), "instances of before are bound");
    assertNull(table.service("std", "hotels"));
  }

  private static BoundService flights(BindingTable table) {
    return Objects.requireNonNull(table.service("std", "flights"));
  }

  @Test
  void shouldKeepSharesWithinTheDeviationOverChangesOfTheTable() {
    List<TableShare> shares =
        List.of(
            new TableShare(CoordinationPattern.SINGLE, List.of("a"), 0.3),
            new TableShare(CoordinationPattern.ALTERNATE, List.of("a", "b"), 0.2),
            new TableShare(CoordinationPattern.PARALLEL, List.of("a", "b"), 0.5));
    Map<ServiceCandidates.Pattern, Integer> dealt = new HashMap<>();
    for (int call = 1; call <= 10_000; call++) {
      BindingTable table = table(1 + call / 1_000, false, shares);
      dealt.merge(flights(table).next().pattern(), 1, Integer::sum);
      assertShare(dealt, ServiceCandidates.Pattern.SINGLE, 0.3 * call);
      assertShare(dealt, ServiceCandidates.Pattern.ALTERNATE, 0.2 * call);
      assertShare(dealt, ServiceCandidates.Pattern.PARALLEL, 0.5 * call);
    }
  }

  private static void assertShare(
      Map<ServiceCandidates.Pattern, Integer> dealt,
      ServiceCandidates.Pattern pattern,
      double expected) {
    int found = dealt.getOrDefault(pattern, 0);
    assertTrue(Math.abs(found - expected) <= DEVIATION, () -> pattern + ": " + found);
  }

  @Test
  void shouldNameEveryServiceThatServes() {
    BoundService flights =
        flights(
            table(1, true, List.of(new TableShare(CoordinationPattern.SINGLE, List.of("a"), 1))));

    assertTrue(flights.isStateful());
    assertNotNull(flights.named("b"), "no share, yet calls may be bound to it");
    assertNull(flights.named("c"));
    assertEquals("a", flights.next().first().id());
  }

  @Test
  void shouldCarryMappings() {
    BindingTable table =
        table(3, false, List.of(new TableShare(CoordinationPattern.SINGLE, List.of("a"), 1)));

    assertEquals(3, table.version());
    assertEquals("/x", String.valueOf(flights(table).next().first().mapping().path()));
    assertNotNull(flights(table).next().first().mapping().request());
    assertNull(flights(table).next().first().mapping().answer());
    assertEquals("v", flights(table).next().first().mapping().headers().getFirst().value());
  }

  @Test
  void shouldNotAllocateWhenChoosing() {
    BindingTable table =
        table(
            1,
            false,
            List.of(
                new TableShare(CoordinationPattern.SINGLE, List.of("a"), 0.3),
                new TableShare(CoordinationPattern.ALTERNATE, List.of("a", "b"), 0.7)));
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    int calls = 100_000;
    int endpoints = endpoints(table, calls); // warms up the compiler

    long before = threads.getCurrentThreadAllocatedBytes();
    endpoints += endpoints(table, calls);
    long allocated = threads.getCurrentThreadAllocatedBytes() - before;

    assertEquals(2 * (0.3 + 2 * 0.7) * calls, endpoints, 2 * DEVIATION);
    assertTrue(allocated < calls / 10, allocated + " bytes for " + calls + " choices");
  }

  private static int endpoints(BindingTable table, int calls) {
    int sum = 0;
    for (int i = 0; i < calls; i++) {
      sum += flights(table).next().services().size();
    }
    return sum;
  }
}
