package dev.pinion.bootstrap.assembly;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.pinion.bootstrap.child.ReplicaSettingsReader;
import dev.pinion.bootstrap.protocol.BindingSettings;
import dev.pinion.bootstrap.protocol.DispatchMode;
import dev.pinion.bootstrap.protocol.HandlerSettings;
import dev.pinion.bootstrap.protocol.HistorySettings;
import dev.pinion.bootstrap.protocol.ReplicaSettings;
import dev.pinion.core.partition.ReplicaGroup;
import dev.pinion.core.partition.StartPolicy;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ReplicaGroupProtocolTest {
  private final ReplicaGroup place =
      new ReplicaGroup(1, 12, Path.of("/run"), StartPolicy.LEAST_LOADED);

  // Field fault 32: replicas of different sizes
  @Test
  void shouldWeighReplicasByTheirCpus() throws IOException {
    ReplicaSettings settings =
        new ReplicaSettings(
            0,
            2,
            "",
            DispatchMode.ROUND_ROBIN,
            "/run",
            "127.0.0.1",
            0,
            "data",
            "",
            "async",
            "fused:1",
            "park",
            Map.of(),
            "",
            "",
            1_000,
            Map.of(),
            Map.of("0", 3, "1", 1),
            HistorySettings.NONE,
            HandlerSettings.NONE,
            BindingSettings.OPEN,
            "");

    ReplicaGroup told = ReplicaGroupProtocol.group(ReplicaSettingsReader.read(settings.toJson()));

    assertEquals(3, told.weight(0));
    assertEquals(1, told.weight(1));
  }

  @Test
  void shouldKnowWhoServesOnceTold() {
    ReplicaGroupProtocol.updatePeers(place, "@peers 0 1 11");

    assertEquals(List.of(0, 11), others());
  }

  @Test
  void shouldKnowThatNobodyServesAnyMore() {
    ReplicaGroupProtocol.updatePeers(place, "@peers 0");

    ReplicaGroupProtocol.updatePeers(place, "@peers ");

    assertEquals(List.of(), others());
  }

  @Test
  void shouldRefuseWhatIsNoIndex() {
    ReplicaGroupProtocol.updatePeers(place, "@peers 2");

    assertThrows(
        NumberFormatException.class, () -> ReplicaGroupProtocol.updatePeers(place, "@peers 0 x"));

    assertEquals(List.of(2), others());
  }

  private List<Integer> others() {
    return IntStream.range(0, place.slots()).filter(place::serves).boxed().toList();
  }
}
