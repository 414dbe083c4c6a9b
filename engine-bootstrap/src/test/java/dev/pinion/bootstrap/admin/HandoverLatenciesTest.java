package dev.pinion.bootstrap.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class HandoverLatenciesTest {
  private final HandoverLatencies times = new HandoverLatencies();

  @Test
  void shouldTellNothingOfNoConnections() {
    assertEquals(
        new HandoverLatencies.Percentiles(0, 0, 0), times.latest(HandoverLatencies.LATEST));
  }

  @Test
  void shouldTellMedianAndTail() {
    for (int micros = 100; micros >= 1; micros--) {
      times.add(micros * 1_000L);
    }
    times.add(-1);

    assertEquals(
        new HandoverLatencies.Percentiles(101, 50, 99), times.latest(HandoverLatencies.LATEST));
  }

  @Test
  void shouldForgetAllButTheLatest() {
    times.add(1_000_000_000);
    for (int i = 0; i < HandoverLatencies.LATEST; i++) {
      times.add(7_000);
    }

    assertEquals(
        new HandoverLatencies.Percentiles(HandoverLatencies.LATEST, 7, 7),
        times.latest(HandoverLatencies.LATEST));
  }

  @Test
  void shouldLookBackAtAsManyAsAsked() {
    for (int i = 0; i < HandoverLatencies.LATEST + 5; i++) {
      times.add(i < HandoverLatencies.LATEST ? 9_000 : 3_000);
    }

    assertEquals(new HandoverLatencies.Percentiles(5, 3, 3), times.latest(5));
    assertEquals(new HandoverLatencies.Percentiles(6, 3, 3), times.latest(6));
    assertEquals(new HandoverLatencies.Percentiles(11, 9, 9), times.latest(11));
  }
}
