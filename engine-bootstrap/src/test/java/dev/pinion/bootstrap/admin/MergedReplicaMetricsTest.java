package dev.pinion.bootstrap.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.pinion.bootstrap.supervise.ReplicaState;
import dev.pinion.bootstrap.supervise.ReplicaStatus;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class MergedReplicaMetricsTest {
  private static ReplicaStatus replica(int index, String metrics) {
    return new ReplicaStatus(
        index,
        ReplicaState.READY,
        7,
        1,
        Duration.ZERO,
        ReplicaStatus.CircuitBreaker.CLOSED,
        null,
        null,
        metrics);
  }

  @Test
  void shouldPutTheSamplesOfANameTogether() {
    String first =
        """
        # HELP b Help of b.
        # TYPE b gauge
        b{c="x y"} 1
        b{c="z"} 2
        # HELP a_total Help.
        # TYPE a_total counter
        a_total 3
        """;
    String parent =
        """
        # HELP b Help of b.
        # TYPE b gauge
        b{c="x y"} 9
        """;
    String second =
        """
        # HELP b Help of b.
        # TYPE b gauge
        b{c="x y"} 4
        """;

    String text =
        MergedReplicaMetrics.of(
            parent, List.of(replica(0, first), replica(1, ""), replica(2, second)));

    assertEquals(
        """
        # HELP a_total Help.
        # TYPE a_total counter
        a_total{replica="0"} 3
        # HELP b Help of b.
        # TYPE b gauge
        b{c="x y"} 9
        b{replica="0",c="x y"} 1
        b{replica="0",c="z"} 2
        b{replica="2",c="x y"} 4
        """,
        text);
    assertEquals("", MergedReplicaMetrics.of("", List.of(replica(0, ""))));
  }
}
