package dev.pinion.workloads.load;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.workloads.load.ResponseCheck.Problem;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LoadReportTest {
  @Test
  void shouldTellWhatWasMeasured() {
    // given
    LoopStatistics loopStatistics = new LoopStatistics();
    loopStatistics.onMeasuringFrom(1_000, 0);
    for (int millis = 1; millis <= 1_000; millis++) {
      loopStatistics.onSent();
      loopStatistics.onInTime();
      loopStatistics.onMeasured(millis * 1_000_000L, false);
    }
    loopStatistics.onSent();
    loopStatistics.onUnmeasured();
    loopStatistics.onSent();
    loopStatistics.onError(new Problem("status 503", "full"));
    loopStatistics.onMeasuringTo(2_000_001_000L, 0);

    // when
    LoadResult result = loopStatistics.result();
    JsonNode json = result.toJson();

    // then
    assertEquals(500, result.throughput());
    assertEquals(500, json.get("throughput").doubleValue());
    assertEquals(500, json.at("/latencyMs/p50").doubleValue(), 0.5);
    assertEquals(999, json.at("/latencyMs/p99.9").doubleValue(), 1);
    assertEquals(1_000, json.at("/latencyMs/max").doubleValue(), 1);
    assertEquals(1_002, json.get("sent").longValue());
    assertEquals(1, json.get("unmeasuredAnswers").longValue());
    assertEquals(1, json.at("/errorsByKind/status 503").longValue());
    assertEquals("full", json.at("/errorExamples/status 503").textValue());
    assertEquals("  1 x status 503, such as: full\n", result.errorLines());
    assertEquals(LoadResult.tableHead("").length(), result.row("sequential").length());
  }

  @Test
  void shouldAddUpWhatSeveralLoopsSaw() {
    // given
    LoopStatistics one = new LoopStatistics();
    one.onMeasured(5, false);
    one.onError(new Problem("timeout", "first"));
    LoopStatistics other = new LoopStatistics();
    other.onMeasured(7, true);
    other.onReconnect();
    other.onError(new Problem("timeout", "second"));
    other.onError(new Problem("connect", "refused"));

    // when
    LoadResult sum = one.result().plus(other.result());

    // then
    assertEquals(2, sum.rightResponses());
    assertEquals(1, sum.late());
    assertEquals(1, sum.reconnects());
    assertEquals(Map.of("timeout", 2L, "connect", 1L), sum.errors());
    assertEquals(Map.of("timeout", "first", "connect", "refused"), sum.examples());
  }

  @Test
  void shouldCountAnswersWithinTheTimeWheneverTheirRequestsWereDue() {
    // given
    LoopStatistics loopStatistics = new LoopStatistics();
    loopStatistics.onMeasuringFrom(0, 0);
    loopStatistics.onInTime(); // of a request that was due before
    loopStatistics.onUnmeasured();
    loopStatistics.onInTime();
    loopStatistics.onMeasured(1_000_000, false);
    loopStatistics.onMeasured(9_000_000, true); // after the time
    loopStatistics.onMeasuringTo(1_000_000_000, 0);

    // when
    LoadResult result = loopStatistics.result();

    // then
    assertEquals(2, result.throughput());
    assertEquals(2, result.rightResponses());
    assertEquals(9, result.maxMillis(), 0.01);
  }

  @ParameterizedTest
  @CsvSource({
    "0.89, 0.99, 0.1, true",
    "0.90, 0.99, 0.1, false",
    "0.10, 1.1, 0.1, false",
    "0.10, 1.1, 12, true",
    "0.10, 1.3, 12, false",
  })
  void shouldSayWhetherTheGeneratorHadTimeToSpare(
      double cores, double lagMillis, double medianMillis, boolean keptUp) {
    // given
    LoopStatistics loopStatistics = new LoopStatistics();
    loopStatistics.onMeasuringFrom(0, 0);
    loopStatistics.onMeasured((long) (medianMillis * 1e6), false);
    loopStatistics.onLag((long) (lagMillis * 1e6));
    loopStatistics.onMeasuringTo(1_000_000_000, (long) (cores * 1e9));

    // when
    LoadResult result = loopStatistics.result();

    // then
    assertEquals(keptUp, result.keptUp(), result.generatorLine());
    assertEquals(keptUp, result.toJson().at("/generator/keptUp").booleanValue());
    boolean busy = cores >= GeneratorLoad.BUSY;
    assertEquals(busy, result.generatorLine().contains("more --threads"), result.generatorLine());
    assertEquals(!keptUp && !busy, result.generatorLine().contains("requests were sent late"));
  }

  @Test
  void shouldTellOnlySoManyKindsOfErrorsApart() {
    // given
    LoopStatistics loopStatistics = new LoopStatistics();

    // when
    for (int i = 0; i <= LoopStatistics.MAX_KINDS; i++) {
      loopStatistics.onError(new Problem("kind " + i, ""));
    }
    loopStatistics.onError(new Problem("kind 0", ""));

    // then
    LoadResult result = loopStatistics.result();
    assertEquals(LoopStatistics.MAX_KINDS + 1, result.errors().size());
    assertEquals(1, result.errors().get("other"));
    assertEquals(2, result.errors().get("kind 0"));
    assertEquals(LoopStatistics.MAX_KINDS + 2, result.errorCount());
  }

  @Test
  void shouldDrawProgressOverItself() {
    // given
    ByteArrayOutputStream drawn = new ByteArrayOutputStream();

    // when
    try (ProgressBar bar = ProgressBar.on(new PrintStream(drawn, false, UTF_8), "loop")) {
      bar.onProgress(0.5, "measuring");
    }

    // then
    String text = drawn.toString(UTF_8);
    assertTrue(
        text.contains("loop [############............]  50%  measuring"), () -> "drawn: " + text);
    assertEquals(2, text.split("\r", -1).length - 1);
  }
}
