package dev.pinion.bootstrap.process;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class HandoverTimesTest {
  private final HandoverTimes times = new HandoverTimes();

  @Test
  void shouldTellNothingOfNoConnections() {
    assertEquals(new HandoverTimes.Picture(0, 0, 0), times.latest(HandoverTimes.LATEST));
  }

  @Test
  void shouldTellMedianAndTail() {
    for (int micros = 100; micros >= 1; micros--) {
      times.add(micros * 1_000L);
    }
    times.add(-1);

    assertEquals(new HandoverTimes.Picture(101, 50, 99), times.latest(HandoverTimes.LATEST));
  }

  @Test
  void shouldForgetAllButTheLatest() {
    times.add(1_000_000_000);
    for (int i = 0; i < HandoverTimes.LATEST; i++) {
      times.add(7_000);
    }

    assertEquals(
        new HandoverTimes.Picture(HandoverTimes.LATEST, 7, 7), times.latest(HandoverTimes.LATEST));
  }

  @Test
  void shouldLookBackAtAsManyAsAsked() {
    for (int i = 0; i < HandoverTimes.LATEST + 5; i++) {
      times.add(i < HandoverTimes.LATEST ? 9_000 : 3_000);
    }

    assertEquals(new HandoverTimes.Picture(5, 3, 3), times.latest(5));
    assertEquals(new HandoverTimes.Picture(6, 3, 3), times.latest(6));
    assertEquals(new HandoverTimes.Picture(11, 9, 9), times.latest(11));
  }
}
