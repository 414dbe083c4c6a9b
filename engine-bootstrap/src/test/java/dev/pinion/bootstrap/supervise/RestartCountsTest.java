package dev.pinion.bootstrap.supervise;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.bootstrap.protocol.ReplicaProtocol;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RestartCountsTest {
  @TempDir private Path crashes;

  /** The reasons that were counted, of one replica. */
  private static Map<RestartReason, Integer> counted(FakeReplicas replicas, int index) {
    var asked = replicas.supervisor.restartsByReason();
    replicas.supervisor.turn();
    return asked.join().getOrDefault(index, Map.of()).entrySet().stream()
        .filter(each -> each.getValue() > 0)
        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  @Test
  void shouldTellDeathsFromSilence() {
    FakeReplicas replicas = FakeReplicas.serving(2, crashes);
    assertEquals(Map.of(), counted(replicas, 0));

    replicas.last(0).exit(3);
    replicas.last(0).ready();
    replicas.last(1).silence();
    replicas.pass(Duration.ofSeconds(6));

    assertEquals(Map.of(RestartReason.DIED, 1), counted(replicas, 0));
    assertEquals(Map.of(RestartReason.SILENT, 1), counted(replicas, 1));
  }

  @Test
  void shouldCountRequestedRestarts() {
    FakeReplicas replicas = FakeReplicas.serving(2, crashes);

    assertTrue(replicas.restart(0).isPresent());
    replicas.last(0).exit(0);
    replicas.last(0).ready();

    assertEquals(Map.of(RestartReason.REQUESTED, 1), counted(replicas, 0));
    assertEquals(Map.of(), counted(replicas, 1));
  }

  @Test
  void shouldCountThoseThatCouldNotStart() {
    FakeReplicas replicas = new FakeReplicas(2, ScalingSettings.between(2, 2), crashes);
    replicas.supervisor.turn();
    replicas.last(1).ready();
    replicas.last(0).exit(ReplicaProtocol.EXIT_CANNOT_START);
    assertEquals(Map.of(), counted(replicas, 0));

    replicas.pass(RestartPolicy.RETRY.plusSeconds(1));

    assertEquals(Map.of(RestartReason.NOT_STARTED, 1), counted(replicas, 0));
  }

  @Test
  void shouldCountThoseThatCameBack() {
    FakeReplicas replicas = new FakeReplicas(2, ScalingSettings.between(1, 2), crashes);
    replicas.supervisor.turn();
    replicas.last(0).ready();
    assertTrue(replicas.fix(2));
    replicas.pass(Duration.ofSeconds(2));
    replicas.last(1).ready();
    assertTrue(replicas.fix(1));
    replicas.pass(Duration.ofSeconds(2));
    replicas.last(1).exit(0);
    assertTrue(replicas.fix(2));
    replicas.pass(Duration.ofSeconds(2));

    assertEquals(Map.of(RestartReason.SCALED, 1), counted(replicas, 1));
  }
}
