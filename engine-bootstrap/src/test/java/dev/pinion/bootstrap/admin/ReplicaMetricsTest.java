package dev.pinion.bootstrap.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.pinion.bootstrap.supervise.ReplicaPicture;
import dev.pinion.bootstrap.supervise.ReplicaState;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReplicaMetricsTest {
  private static ReplicaPicture replica(int index, String metrics) {
    return new ReplicaPicture(
        index,
        ReplicaState.READY,
        7,
        1,
        Duration.ZERO,
        ReplicaPicture.Breaker.CLOSED,
        null,
        null,
        metrics);
  }

  @Test
  void shouldPutTheSamplesOfANameTogether() {
    String first =
        "# HELP b Help of b.\n# TYPE b gauge\nb{c=\"x y\"} 1\nb{c=\"z\"} 2\n"
            + "# HELP a_total Help.\n# TYPE a_total counter\na_total 3\n";
    String second = "# HELP b Help of b.\n# TYPE b gauge\nb{c=\"x y\"} 4\n";

    String text = ReplicaMetrics.of(List.of(replica(0, first), replica(1, ""), replica(2, second)));

    assertEquals(
        "# HELP a_total Help.\n# TYPE a_total counter\na_total{replica=\"0\"} 3\n"
            + "# HELP b Help of b.\n# TYPE b gauge\n"
            + "b{replica=\"0\",c=\"x y\"} 1\nb{replica=\"0\",c=\"z\"} 2\n"
            + "b{replica=\"2\",c=\"x y\"} 4\n",
        text);
    assertEquals("", ReplicaMetrics.of(List.of(replica(0, ""))));
  }
}
