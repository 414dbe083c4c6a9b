package dev.pinion.core.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.pinion.core.http.Rejections.Reason;
import dev.pinion.core.http.message.ProblemType;
import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RejectionsTest {
  @Test
  void shouldCountRefusalsByReasonAndNotFaultsOfClients() {
    Rejections rejections = new Rejections();

    for (ProblemType each : ProblemType.values()) {
      rejections.onProblem(each);
    }

    Map<Reason, Long> counts = new EnumMap<>(Reason.class);
    for (Reason each : Reason.values()) {
      counts.put(each, rejections.count(each));
    }
    assertEquals(
        Map.of(Reason.DISK_FULL, 1L, Reason.OVERLOAD, 2L, Reason.QUOTA, 2L, Reason.DRAIN, 1L),
        counts);
  }
}
