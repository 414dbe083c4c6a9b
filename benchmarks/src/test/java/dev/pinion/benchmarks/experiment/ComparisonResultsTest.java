package dev.pinion.benchmarks.experiment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.benchmarks.report.ResultJson;
import dev.pinion.benchmarks.report.ResultTable;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class ComparisonResultsTest {
  private static final Metric SPEED = new Metric("speed", "m/s", 1);

  @Test
  void shouldTakeRatiosWithinRoundsBeforeTheirMedian() {
    // given a machine that is twice as slow in the second round and four times in the third
    ComparisonResults comparisonResults =
        results(speeds("base", 100, 50, 25), speeds("half", 60, 25, 10));

    // when
    Optional<SampleSummary> ratio = comparisonResults.ratio("half", "base", SPEED);

    // then the slow rounds cancel out: 0.6, 0.5, 0.4
    assertEquals(Optional.of(new SampleSummary(0.5, 0.4, 0.6)), ratio);
  }

  @Test
  void shouldGiveNoRatioToAZero() {
    ComparisonResults comparisonResults =
        results(speeds("base", 1, 0, 1), speeds("other", 1, 1, 1));

    assertEquals(Optional.empty(), comparisonResults.ratio("other", "base", SPEED));
    assertTrue(ResultTable.render(comparisonResults).contains("-"));
  }

  @Test
  void shouldNotTellApartWhatOverlaps() {
    ComparisonResults comparisonResults =
        results(speeds("base", 10, 11, 12), speeds("other", 12, 13, 14));

    assertEquals(ComparisonVerdict.NOT_DISTINGUISHABLE, comparisonResults.verdict("other", SPEED));
  }

  @Test
  void shouldSayWhichSideOfTheBaselineAVariantIs() {
    ComparisonResults comparisonResults =
        results(speeds("base", 10, 11, 12), speeds("fast", 13, 14, 15), speeds("slow", 1, 2, 9));

    assertEquals(ComparisonVerdict.BASELINE, comparisonResults.verdict("base", SPEED));
    assertEquals(ComparisonVerdict.HIGHER, comparisonResults.verdict("fast", SPEED));
    assertEquals(ComparisonVerdict.LOWER, comparisonResults.verdict("slow", SPEED));
  }

  @Test
  void shouldGiveNoVerdictOnTwoRounds() {
    ComparisonResults comparisonResults = results(speeds("base", 10, 11), speeds("fast", 100, 101));

    assertEquals(ComparisonVerdict.TOO_FEW_ROUNDS, comparisonResults.verdict("fast", SPEED));
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
        IllegalArgumentException.class,
        () -> new ComparisonResults("title", "base", speeds("other", 1)));
  }

  @Test
  void shouldRefuseAValueThatIsNotFinite() {
    assertThrows(IllegalArgumentException.class, () -> speeds("base", Double.NaN));
  }

  @Test
  void shouldPrintMedianSpreadRatioAndVerdict() {
    ComparisonResults comparisonResults =
        results(speeds("base", 1000, 1100, 1200), speeds("slow", 500, 550, 600));

    assertEquals(
        """
        title (3 rounds, baseline base)
          metric       variant   median      min      max  ratio  ratio spread
          speed [m/s]  base     1,100.0  1,000.0  1,200.0   1.00  1.00 to 1.00  baseline
                       slow       550.0    500.0    600.0   0.50  0.50 to 0.50  lower
        """,
        ResultTable.render(comparisonResults));
  }

  @Test
  void shouldGiveEverySampleAndSummaryAsJson() {
    ComparisonResults comparisonResults =
        results(speeds("base", 10, 20, 30), speeds("slow", 5, 10, 9));

    JsonNode json = ResultJson.render(comparisonResults);

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

    ComparisonResults comparisonResults = results(speeds("base", 1, 2, 3), two);

    assertEquals(Set.of(second), comparisonResults.parts());
    assertEquals(Set.of(), comparisonResults.parts("base"));
    assertEquals(
        List.of("memory of replica 1 [MB]", "two", "250", "200", "300", "-", "-", ""),
        ResultTable.rows(comparisonResults).getLast());
    JsonNode json = ResultJson.render(comparisonResults);
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
  private static ComparisonResults results(Map<String, List<Sample>>... variants) {
    Map<String, List<Sample>> all = new LinkedHashMap<>();
    for (Map<String, List<Sample>> variant : variants) {
      all.putAll(variant);
    }
    return new ComparisonResults("title", "base", all);
  }
}
