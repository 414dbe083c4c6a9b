package dev.pinion.broker.binding;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import dev.pinion.broker.model.AbstractTask;
import dev.pinion.broker.model.ConcreteService;
import dev.pinion.broker.model.Implementation;
import dev.pinion.broker.model.Pattern;
import dev.pinion.broker.model.Share;
import dev.pinion.broker.optimise.ClassLevel;
import java.lang.management.ManagementFactory;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class BindingPlanTest {
  private static final double NO_LIMIT = Double.POSITIVE_INFINITY;

  private final ConcreteService a1 = new ConcreteService("a1", 1, 0.9, 1, NO_LIMIT);
  private final ConcreteService a2 = new ConcreteService("a2", 2, 0.99, 1, NO_LIMIT);
  private final ConcreteService a3 = new ConcreteService("a3", 1, 0.99, 5, NO_LIMIT);
  private final AbstractTask task =
      new AbstractTask("A", List.of(a1, a2, a3), EnumSet.allOf(Pattern.class));
  private final Random random = new Random(11);
  private final Counters counters = new Counters(random::nextLong);

  @Test
  void shouldDealByShares() {
    BindingPlan plan = plan(1, 1, share(0.5, a1), share(0.3, a2), share(0.2, a3));

    Map<String, Integer> counts = deal(plan, 10_000);

    assertEquals(5_000, count(counts, "single:a1"), 5);
    assertEquals(3_000, count(counts, "single:a2"), 5);
    assertEquals(2_000, count(counts, "single:a3"), 5);
  }

  @Test
  void shouldGiveTheWholeRangeToASingleShare() {
    BindingPlan plan = plan(1, 1, share(1, a2));

    assertEquals(Map.of("single:a2", 1_000), deal(plan, 1_000));
  }

  @Test
  void shouldGoOnCountingWhenAPlanIsReplaced() {
    // given plans that replace each other after every few calls
    Map<String, Integer> counts = new HashMap<>();
    for (int version = 1; version <= 1_000; version++) {
      deal(plan(version, 1, share(0.3, a1), share(0.7, a2)), 3)
          .forEach((label, count) -> counts.merge(label, count, Integer::sum));
    }

    assertEquals(
        900, count(counts, "single:a1"), 5, "counters that began anew would not get there");
  }

  @Test
  void shouldRepairWithoutAService() {
    BindingPlan plan =
        plan(1, 1, share(0.5, a1), share(0.3, a2), new Share(both(a1, a3), 0.15), share(0.05, a3));

    BindingPlan repaired = plan.repaired(2, Set.of("a1"));

    assertEquals(2, repaired.version());
    assertEquals(Set.of("a1"), repaired.down());
    List<Share> left = repaired.shares("gold", "A");
    assertEquals(2, left.size());
    assertEquals(0.3 / 0.35, left.get(0).fraction(), 1e-12);
    assertEquals(0.05 / 0.35, left.get(1).fraction(), 1e-12);
    assertFalse(deal(repaired, 1_000).keySet().stream().anyMatch(each -> each.contains("a1")));
  }

  @Test
  void shouldFallBackToTheBestSingleService() {
    BindingPlan plan = plan(1, 1, share(1, a1));

    List<Share> left = plan.repaired(2, Set.of("a1")).shares("gold", "A");

    assertEquals(
        "single:a3", left.getFirst().implementation().label(), "as sure as a2, but faster");
    assertEquals(1, left.getFirst().fraction());
  }

  @Test
  void shouldBindNothingWhenAllServicesAreDown() {
    BindingPlan plan = plan(1, 1, share(1, a1)).repaired(2, Set.of("a1", "a2", "a3"));

    assertNull(plan.choose("gold", "A"));
    assertEquals(List.of(), plan.shares("gold", "A"));
  }

  @Test
  void shouldTakeAServiceBackThatIsUpAgain() {
    BindingPlan plan = plan(1, 1, share(0.5, a1), share(0.5, a2));

    BindingPlan back = plan.repaired(2, Set.of("a1")).repaired(3, Set.of());

    assertEquals(plan.shares("gold", "A"), back.shares("gold", "A"));
  }

  @Test
  void shouldNotBindWhatItDoesNotKnow() {
    BindingPlan plan = plan(1, 1, share(1, a1));

    assertNull(plan.choose("gold", "B"));
    assertNull(plan.choose("bronze", "A"));
    assertFalse(plan.serves("bronze"));
  }

  @Test
  void shouldServeThePartOfAClassThatThePlanSays() {
    BindingPlan some = plan(1, 0.4, share(1, a1));
    int served = 0;
    for (int i = 0; i < 1_000; i++) {
      served += some.serves("gold") ? 1 : 0;
    }
    assertEquals(400, served, 5);

    BindingPlan none =
        BindingPlan.of(
            2,
            List.of(task),
            List.of(new ClassLevel("gold", Double.NaN, Double.NaN, Double.NaN, 0, Map.of())),
            counters);
    BindingPlan all = plan(3, 1, share(1, a1));
    for (int i = 0; i < 1_000; i++) {
      assertFalse(none.serves("gold"));
      assertTrue(all.serves("gold"));
    }
  }

  @Test
  void shouldConvertFractionsToTheUnsignedRange() {
    assertEquals(0, Deal.unsigned(0));
    assertEquals(Long.MIN_VALUE, Deal.unsigned(0.5), "2^63");
    assertEquals(0x4000000000000000L, Deal.unsigned(0.25));
    assertEquals(0xC000000000000000L, Deal.unsigned(0.75));
    assertEquals(-1, Deal.unsigned(1));
    assertEquals(-1, Deal.unsigned(1 + 1e-15));
    assertTrue(Long.compareUnsigned(Deal.unsigned(1 - 1e-15), Deal.unsigned(0.999)) > 0);
  }

  @Test
  void shouldNotAllocateWhenChoosing() {
    BindingPlan plan = plan(1, 0.5, share(0.5, a1), share(0.3, a2), share(0.2, a3));
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    int calls = 100_000;
    int found = 0;
    for (int i = 0; i < calls; i++) { // lets the compiler do its work
      found += isBound(plan);
    }

    long before = threads.getCurrentThreadAllocatedBytes();
    for (int i = 0; i < calls; i++) {
      found += isBound(plan);
    }
    long allocated = threads.getCurrentThreadAllocatedBytes() - before;

    assertEquals(2 * calls, found);
    assertTrue(allocated < calls / 10, allocated + " bytes for " + calls + " choices");
  }

  private static int isBound(BindingPlan plan) {
    boolean served = plan.serves("gold");
    return plan.choose("gold", "A") == null && served ? 0 : 1;
  }

  private static Implementation both(ConcreteService first, ConcreteService second) {
    return new Implementation(Pattern.ALTERNATE, List.of(first, second), 1, 0, 1);
  }

  private static Share share(double fraction, ConcreteService service) {
    return new Share(Implementation.single(service), fraction);
  }

  private BindingPlan plan(long version, double served, Share... shares) {
    ClassLevel level = new ClassLevel("gold", 1, -0.01, 1, served, Map.of("A", List.of(shares)));
    return BindingPlan.of(version, List.of(task), List.of(level), counters);
  }

  private static Map<String, Integer> deal(BindingPlan plan, int calls) {
    Map<String, Integer> counts = new HashMap<>();
    for (int i = 0; i < calls; i++) {
      Implementation chosen = Objects.requireNonNull(plan.choose("gold", "A"));
      counts.merge(chosen.label(), 1, Integer::sum);
    }
    return counts;
  }

  private static int count(Map<String, Integer> counts, String label) {
    return Objects.requireNonNullElse(counts.get(label), 0);
  }
}
