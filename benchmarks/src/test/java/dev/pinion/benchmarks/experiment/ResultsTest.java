package dev.pinion.benchmarks.experiment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class ResultsTest {
  private static final Metric SPEED = new Metric("speed", "m/s", 1);

  @Test
  void shouldTakeRatiosWithinRoundsBeforeTheirMedian() {
    // given a machine that is twice as slow in the second round and four times in the third
    Results results = results(speeds("base", 100, 50, 25), speeds("half", 60, 25, 10));

    // when
    Optional<Summary> ratio = results.ratio("half", "base", SPEED);

    // then the slow rounds cancel out: 0.6, 0.5, 0.4
    assertEquals(Optional.of(new Summary(0.5, 0.4, 0.6)), ratio);
  }

  @Test
  void shouldGiveNoRatioToAZero() {
    Results results = results(speeds("base", 1, 0, 1), speeds("other", 1, 1, 1));

    assertEquals(Optional.empty(), results.ratio("other", "base", SPEED));
    assertTrue(ResultTable.render(results).contains("-"));
  }

  @Test
  void shouldNotTellApartWhatOverlaps() {
    Results results = results(speeds("base", 10, 11, 12), speeds("other", 12, 13, 14));

    assertEquals(Verdict.NOT_DISTINGUISHABLE, results.verdict("other", SPEED));
  }

  @Test
  void shouldSayWhichSideOfTheBaselineAVariantIs() {
    Results results =
        results(speeds("base", 10, 11, 12), speeds("fast", 13, 14, 15), speeds("slow", 1, 2, 9));

    assertEquals(Verdict.BASELINE, results.verdict("base", SPEED));
    assertEquals(Verdict.HIGHER, results.verdict("fast", SPEED));
    assertEquals(Verdict.LOWER, results.verdict("slow", SPEED));
  }

  @Test
  void shouldGiveNoVerdictOnTwoRounds() {
    Results results = results(speeds("base", 10, 11), speeds("fast", 100, 101));

    assertEquals(Verdict.TOO_FEW_ROUNDS, results.verdict("fast", SPEED));
  }

  @Test
  void shouldRefuseVariantsOfDifferentRounds() {
    assertThrows(
        IllegalArgumentException.class, () -> results(speeds("base", 1, 2), speeds("other", 1)));
  }

  @Test
  void shouldRefuseVariantsOfDifferentMetrics() {
    Map<String, List<Sample>> other = Map.of("other", List.of(new Sample(Map.of(Metric.P99, 1.0))));

    assertThrows(IllegalArgumentException.class, () -> results(speeds("base", 1), other));
  }

  @Test
  void shouldRefuseABaselineThatWasNotMeasured() {
    assertThrows(
        IllegalArgumentException.class, () -> new Results("title", "base", speeds("other", 1)));
  }

  @Test
  void shouldRefuseAValueThatIsNotFinite() {
    assertThrows(IllegalArgumentException.class, () -> speeds("base", Double.NaN));
  }

  @Test
  void shouldPrintMedianSpreadRatioAndVerdict() {
    Results results = results(speeds("base", 1000, 1100, 1200), speeds("slow", 500, 550, 600));

    assertEquals(
        """
        title (3 rounds, baseline base)
          metric       variant   median      min      max  ratio  ratio spread
          speed [m/s]  base     1,100.0  1,000.0  1,200.0   1.00  1.00 to 1.00  baseline
                       slow       550.0    500.0    600.0   0.50  0.50 to 0.50  lower
        """,
        ResultTable.render(results));
  }

  @Test
  void shouldGiveEverySampleAndSummaryAsJson() {
    Results results = results(speeds("base", 10, 20, 30), speeds("slow", 5, 10, 9));

    JsonNode json = ResultJson.render(results);

    assertEquals("title", json.at("/title").asText());
    assertEquals("base", json.at("/baseline").asText());
    assertEquals(3, json.at("/rounds").asInt());
    assertEquals("m/s", json.at("/units/speed").asText());
    assertEquals("[5.0,10.0,9.0]", json.at("/variants/slow/speed/rounds").toString());
    assertEquals(9.0, json.at("/variants/slow/speed/median").asDouble());
    assertEquals(5.0, json.at("/variants/slow/speed/min").asDouble());
    assertEquals(10.0, json.at("/variants/slow/speed/max").asDouble());
    assertEquals(0.5, json.at("/variants/slow/speed/ratioToBaseline/median").asDouble());
    assertEquals(0.3, json.at("/variants/slow/speed/ratioToBaseline/min").asDouble(), 1e-12);
    assertEquals("not distinguishable here", json.at("/variants/slow/speed/verdict").asText());
  }

  @Test
  void shouldTellPartsThatOnlySomeVariantsHaveWithoutComparingThem() {
    Metric second = new Metric("memory of replica 1", "MB", 0);
    Map<String, List<Sample>> two =
        Map.of(
            "two",
            List.of(
                new Sample(Map.of(SPEED, 2.0), Map.of(second, 200.0)),
                new Sample(Map.of(SPEED, 4.0), Map.of(second, 300.0)),
                new Sample(Map.of(SPEED, 3.0), Map.of(second, 250.0, Metric.MAX, 1.0))));

    Results results = results(speeds("base", 1, 2, 3), two);

    assertEquals(Set.of(second), results.parts());
    assertEquals(Set.of(), results.parts("base"));
    assertEquals(
        List.of("memory of replica 1 [MB]", "two", "250", "200", "300", "-", "-", ""),
        ResultTable.rows(results).getLast());
    JsonNode json = ResultJson.render(results);
    assertEquals("MB", json.at("/units/memory of replica 1").asText());
    assertEquals(
        "[200.0,300.0,250.0]", json.at("/variants/two/memory of replica 1/rounds").toString());
    assertTrue(json.at("/variants/base/memory of replica 1").isMissingNode());
    assertTrue(json.at("/variants/two/memory of replica 1/verdict").isMissingNode());
  }

  private static Map<String, List<Sample>> speeds(String name, double... speeds) {
    List<Sample> samples =
        Arrays.stream(speeds).mapToObj(s -> new Sample(Map.of(SPEED, s))).toList();
    return Map.of(name, samples);
  }

  @SafeVarargs
  private static Results results(Map<String, List<Sample>>... variants) {
    Map<String, List<Sample>> all = new LinkedHashMap<>();
    for (Map<String, List<Sample>> variant : variants) {
      all.putAll(variant);
    }
    return new Results("title", "base", all);
  }
}
