package dev.pinion.broker.analyse;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.pinion.broker.model.ProcessNode;
import dev.pinion.broker.model.ProcessNode.Choice;
import dev.pinion.broker.model.ProcessNode.Flow;
import dev.pinion.broker.model.ProcessNode.Loop;
import dev.pinion.broker.model.ProcessNode.Sequence;
import dev.pinion.broker.model.ProcessNode.Task;
import dev.pinion.broker.model.SawWeights;
import dev.pinion.broker.model.ServiceClass;
import dev.pinion.broker.model.UsageProfile;
import dev.pinion.broker.optimise.VisitRatios;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Inference of choices and loops from visits of tasks: the inferred usage gives the same visits.
 */
class PathAnalyzerTest {
  private static final ServiceClass GOLD =
      new ServiceClass(
          "gold", 1, new ServiceClass.Promise(1, 0, 1), 1, 1, new SawWeights(1, 1, 1), Map.of());

  private static Map<String, Double> again(ProcessNode process, Map<String, Double> visits) {
    return VisitRatios.of(process, GOLD.withUsage(PathAnalyzer.of(process, GOLD, visits)));
  }

  private static void same(Map<String, Double> expected, Map<String, Double> found) {
    assertEquals(expected.keySet(), found.keySet());
    expected.forEach(
        (task, each) -> assertEquals(each, found.getOrDefault(task, -1.0), 1e-9, task));
  }

  @Test
  void shouldFindProbabilitiesAndRounds() {
    ProcessNode process =
        new Sequence(
            List.of(
                new Task("a"),
                new Choice("c", List.of(new Task("b"), new Task("d")), List.of(0.5, 0.5)),
                new Loop("l", new Sequence(List.of(new Task("e"), new Task("f"))), 2)));
    Map<String, Double> visits = Map.of("a", 1.0, "b", 0.9, "d", 0.1, "e", 3.5, "f", 3.5);
    same(visits, again(process, visits));
  }

  @Test
  void shouldFindALoopWithinAChoiceByWhatIsLeft() {
    ProcessNode process =
        new Choice("c", List.of(new Task("a"), new Loop("l", new Task("b"), 4)), List.of(0.5, 0.5));
    Map<String, Double> visits = Map.of("a", 0.8, "b", 0.6);
    same(visits, again(process, visits));
  }

  @Test
  void shouldLeaveWhatItCannotKnow() {
    ProcessNode twice =
        new Choice(
            "c",
            List.of(new Task("a"), new Sequence(List.of(new Task("a"), new Task("a")))),
            List.of(0.25, 0.75));
    assertEquals(Map.of(), PathAnalyzer.of(twice, GOLD, Map.of("a", 1.0)));
    ProcessNode never = new Loop("l", new Choice("c", List.of(new Task("a")), List.of(1.0)), 3);
    same(Map.of("a", PathAnalyzer.LEAST_PROBABILITY), again(never, Map.of()));
  }

  @Test
  void shouldKeepWhatMayHappenPossible() {
    ProcessNode process =
        new Choice(
            "c", List.of(new Task("a"), new Task("b"), new Task("d")), List.of(0.5, 0.5, 0.0));
    double least = PathAnalyzer.LEAST_PROBABILITY / (1 + PathAnalyzer.LEAST_PROBABILITY);
    same(Map.of("a", 1 - least, "b", least), again(process, Map.of("a", 1.0)));
  }

  @Test
  void shouldTellWhoInvokesNothing() {
    ProcessNode process =
        new Choice(
            "c",
            List.of(new Sequence(List.of(new Task("a"), new Task("b"))), new Sequence(List.of())),
            List.of(1.0, 0.0));
    Map<String, Double> visits = Map.of("a", 0.4, "b", 0.4);
    same(visits, again(process, visits));
    same(Map.of("a", 1.0, "b", 1.0), again(process, Map.of("a", 1.0, "b", 1.0)));
  }

  @Test
  void shouldTakeLikeBranchesForOnePlace() {
    ProcessNode process =
        new Flow(
            "f",
            List.of(
                new Loop(
                    "l", new Sequence(List.of(new Task("a"), new Loop("m", new Task("b"), 1))), 1),
                new Loop(
                    "l~2",
                    new Sequence(List.of(new Task("a"), new Loop("m~2", new Task("b"), 1))),
                    1)),
            1);
    Map<String, Double> visits = Map.of("a", 7.0, "b", 3.5);
    same(visits, again(process, visits));
    assertEquals(
        3.5,
        PathAnalyzer.of(process, GOLD, visits)
            .getOrDefault("l~2", UsageProfile.SAME)
            .iterations()
            .orElseThrow(),
        1e-9);
    // branches that differ are separate places: nothing is known of them
    ProcessNode different =
        new Flow("f", List.of(new Loop("l", new Task("a"), 1), new Loop("k", new Task("a"), 2)), 1);
    assertEquals(Map.of(), PathAnalyzer.of(different, GOLD, visits));
  }

  @Test
  void shouldNotTakeProbabilitiesOfAnotherNumberOfChildren() {
    Choice before = new Choice("c", List.of(new Task("a"), new Task("b")), List.of(0.5, 0.5));
    Choice after =
        new Choice(
            "c", List.of(new Task("a"), new Task("b"), new Task("d")), List.of(0.5, 0.25, 0.25));
    ServiceClass measured =
        GOLD.withUsage(PathAnalyzer.of(before, GOLD, Map.of("a", 0.9, "b", 0.1)));
    same(Map.of("a", 0.9, "b", 0.1), VisitRatios.of(before, measured));
    same(Map.of("a", 0.5, "b", 0.25, "d", 0.25), VisitRatios.of(after, measured));
  }
}
