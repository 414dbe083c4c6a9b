package dev.pinion.bootstrap.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;

class MetricsLineTest {
  @Test
  void shouldTellATextOnOneLine() {
    String text = "# TYPE a gauge\na{b=\"c \\\"d\\\"\"} 1\n";

    String line = MetricsLine.of(text);

    assertFalse(line.contains("\n"), line);
    assertEquals(text, MetricsLine.parse(line));
    assertEquals("a\n\n", MetricsLine.parse(MetricsLine.of("a\r\n")), "no other end of line");
  }

  @Test
  void shouldLeaveOtherLinesAlone() {
    assertNull(MetricsLine.parse(new Heartbeat(1, 2, 3, 4, false, "").line()));
    assertNull(MetricsLine.parse(ReplicaProtocol.METRICS));
    assertNull(Heartbeat.parse(MetricsLine.of("a 1\n")));
  }
}
