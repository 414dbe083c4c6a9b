package dev.pinion.bootstrap.profile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.pinion.bootstrap.profile.ProfileRow.TaskOrigin;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class WorkSpansTest {
  private static final long THREAD = 7;
  private static final TaskOrigin LONG = new TaskOrigin("d/long/1", "/do/0", "gold");
  private static final TaskOrigin SHORT = new TaskOrigin("d/short/1", "/do/1", "");

  private final WorkSpans spans = new WorkSpans();

  @BeforeEach
  void work() {
    spans.add(THREAD, PipelineStage.KERNEL, 1_000, 5_000, LONG);
    spans.add(THREAD, PipelineStage.KERNEL, 9_000, 9_100, SHORT);
  }

  @Test
  void shouldGiveASampleToTheWorkThatWasUnderWay() {
    assertEquals(LONG, spans.at(THREAD, PipelineStage.KERNEL, 1_000));
    assertEquals(LONG, spans.at(THREAD, PipelineStage.KERNEL, 4_999));
    assertEquals(SHORT, spans.at(THREAD, PipelineStage.KERNEL, 9_050));
  }

  @Test
  void shouldGiveASampleBetweenWorksToTheNearest() {
    assertEquals(LONG, spans.at(THREAD, PipelineStage.KERNEL, 6_900));
    assertEquals(SHORT, spans.at(THREAD, PipelineStage.KERNEL, 7_100));
    assertEquals(LONG, spans.at(THREAD, PipelineStage.KERNEL, 0));
  }

  @Test
  void shouldSayNothingOfOtherThreadsAndStagesAndOfTimesFarAway() {
    assertNull(spans.at(THREAD + 1, PipelineStage.KERNEL, 2_000));
    assertNull(spans.at(THREAD, PipelineStage.INVOKER, 2_000));
    long last = 9_100 + WorkSpans.MAX_DISTANCE_NANOS;
    assertEquals(SHORT, spans.at(THREAD, PipelineStage.KERNEL, last));
    assertNull(spans.at(THREAD, PipelineStage.KERNEL, last + 1));
  }
}
