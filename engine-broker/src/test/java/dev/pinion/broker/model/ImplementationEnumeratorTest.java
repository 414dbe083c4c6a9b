package dev.pinion.broker.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ImplementationEnumeratorTest {
  private static final double EXACT = 1e-12;
  private static final double NO_LIMIT = Double.POSITIVE_INFINITY;

  private final ConcreteService quick = new ConcreteService("quick", 0.1, 0.5, 1, NO_LIMIT);
  private final ConcreteService sure = new ConcreteService("sure", 10, 1, 2, NO_LIMIT);

  @Test
  void shouldTryAlternatesInTurn() {
    Implementation found = Implementation.alternate(List.of(quick, sure));

    assertEquals(0.1 + 0.5 * 10, found.response(), EXACT);
    assertEquals(1 + 0.5 * 2, found.cost(), EXACT);
    assertEquals(0, found.logReliability(), EXACT, "the second never fails");
    assertEquals(1, found.calls(0), EXACT);
    assertEquals(0.5, found.calls(1), EXACT, "the second is called when the first failed");
    assertEquals("alt:quick>sure", found.label());
  }

  @Test
  void shouldPredictParallelCallsByTheFirstSuccess() {
    List<ConcreteService> both = List.of(sure, quick);

    Implementation found = Implementation.parallel(both, ParallelResponse.FIRST_SUCCESS);
    Implementation least = Implementation.parallel(both, ParallelResponse.MIN);

    assertEquals(5.05, found.response(), EXACT);
    assertEquals(0.1, least.response(), EXACT, "too good: every second call takes 10 s");
    assertEquals(3, found.cost(), EXACT, "losers are paid");
    assertEquals(1, found.calls(1), EXACT);
    assertEquals("par:sure|quick", found.label());
  }

  @Test
  void shouldPayForTheSlowestWhenAllFail() {
    ConcreteService slow = new ConcreteService("slow", 2, 0.5, 0, NO_LIMIT);

    Implementation found =
        Implementation.parallel(List.of(slow, quick), ParallelResponse.FIRST_SUCCESS);

    assertEquals(0.1 * 0.5 + 2 * 0.25 + 2 * 0.25, found.response(), EXACT);
    assertEquals(Math.log(0.75), found.logReliability(), EXACT);
  }

  @Test
  void shouldKnowHowRarelyOneOfTwoSucceeds() {
    ConcreteService rare = new ConcreteService("rare", 1, 5e-17, 1, NO_LIMIT);
    List<ConcreteService> both = List.of(rare, rare);

    double found = Implementation.alternate(both).logReliability();

    assertEquals(Math.log(1e-16), found, EXACT, "1 - 5e-17 is 1");
    assertEquals(
        found,
        Implementation.parallel(both, ParallelResponse.FIRST_SUCCESS).logReliability(),
        EXACT);
  }

  @Test
  void shouldCountWhatItEnumerates() {
    for (int services = 1; services <= 5; services++) {
      for (int most = 1; most <= 6; most++) {
        AbstractTask task = task(services, EnumSet.allOf(CoordinationPattern.class));
        SolveOptions solveOptions = options(most, most);
        List<Implementation> all = ImplementationEnumerator.of(task, solveOptions);
        assertEquals(ImplementationEnumerator.count(task, solveOptions), all.size());
        assertEquals(all.size(), all.stream().map(Implementation::label).distinct().count());
      }
    }
  }

  @Test
  void shouldKeepToPatterns() {
    AbstractTask once = task(3, EnumSet.of(CoordinationPattern.SINGLE));

    assertEquals(3, ImplementationEnumerator.of(once, options(3, 3)).size());
    assertTrue(
        ImplementationEnumerator.of(once, options(3, 3)).stream()
            .allMatch(each -> each.services().size() == 1));
    assertEquals(
        0,
        ImplementationEnumerator.count(
            task(1, EnumSet.of(CoordinationPattern.ALTERNATE)), options(2, 2)));
  }

  @Test
  void shouldNotOverflowWhenCounting() {
    AbstractTask task = task(400, EnumSet.allOf(CoordinationPattern.class));

    assertEquals(Long.MAX_VALUE, ImplementationEnumerator.count(task, options(400, 400)));
  }

  private static SolveOptions options(int alternates, int parallel) {
    return new SolveOptions(
        alternates,
        parallel,
        ParallelResponse.FIRST_SUCCESS,
        Objective.PROFIT,
        PromiseMode.STRICT,
        Penalties.of(Objective.PROFIT));
  }

  private static AbstractTask task(int count, Set<CoordinationPattern> patterns) {
    List<ConcreteService> services = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      services.add(new ConcreteService("s" + i, 1, 0.9, 1, NO_LIMIT));
    }
    return new AbstractTask("task", services, patterns);
  }
}
