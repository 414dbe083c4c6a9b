package dev.pinion.benchmarks.experiments.dharch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.benchmarks.experiment.ComparisonResults;
import dev.pinion.benchmarks.experiment.Finding;
import dev.pinion.benchmarks.experiment.Sample;
import dev.pinion.benchmarks.experiment.SampleSummary;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HandlersExperimentTest {
  @Test
  void shouldJudgeTheSpeedUpByRoundsInWhichTwoCpusWereIdle() {
    // given two rounds with idle CPUs, and one in which a second thread gained nothing
    List<Finding> findings =
        findings(List.of(5.0, 5.4, 9.0), List.of(2.5, 3.0, 8.9), List.of(4.4, 4.0, 8.0));

    assertEquals(2, findings.size());
    assertEquals(new SampleSummary(1.8, 9.0 / 8.9, 2.0), findings.getFirst().ratio());
    Finding idle = findings.getLast();
    assertEquals(new SampleSummary(1.9, 1.8, 2.0), idle.ratio());
    assertTrue(idle.note().startsWith("2 of 3 rounds, "), idle.note());
    assertTrue(idle.note().contains("target 1.7 reached"), idle.note());
  }

  @Test
  void shouldJudgeNothingWhereCpusWereNeverIdle() {
    List<Finding> findings = findings(List.of(5.0), List.of(2.5), List.of(4.5));

    assertEquals(1, findings.size());
    assertEquals("", findings.getFirst().note());
  }

  @Test
  void shouldSayWhereTheTargetIsMissed() {
    Finding idle = findings(List.of(5.0), List.of(3.0), List.of(4.0)).getLast();

    assertTrue(idle.note().contains("target 1.7 not reached"), idle.note());
  }

  /** Times of the sequential chain, of the fourth, and of two at once where one takes 4 ms. */
  private static List<Finding> findings(
      List<Double> sequential, List<Double> fourth, List<Double> twice) {
    Double[] once = new Double[sequential.size()];
    Arrays.fill(once, 4.0);
    Map<String, List<Sample>> samples =
        Map.of(
            "2 sequential", samples(sequential),
            "4 A+B C+D E", samples(fourth),
            "A B once, no chain", samples(List.of(once)),
            "A B twice at once, no chain", samples(twice));
    return HandlersExperiment.findings(new ComparisonResults("local", "2 sequential", samples))
        .toList();
  }

  private static List<Sample> samples(List<Double> millis) {
    return millis.stream().map(each -> new Sample(Map.of(RoundTripVariant.MEAN, each))).toList();
  }
}
