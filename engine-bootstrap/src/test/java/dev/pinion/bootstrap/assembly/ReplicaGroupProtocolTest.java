package dev.pinion.bootstrap.assembly;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.pinion.bootstrap.settings.EffectiveSettings;
import dev.pinion.bootstrap.settings.ReplicaKey;
import dev.pinion.bootstrap.settings.SettingLines;
import dev.pinion.core.partition.ReplicaGroup;
import dev.pinion.core.partition.StartPolicy;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ReplicaGroupProtocolTest {
  private final ReplicaGroup place =
      new ReplicaGroup(1, 12, Path.of("/run"), StartPolicy.LEAST_LOADED);

  // Field fault 32: replicas of different sizes
  @Test
  void shouldWeighReplicasByTheirCpus() throws IOException {
    EffectiveSettings settings =
        EffectiveSettings.defaults(Path.of("data"))
            .put(ReplicaKey.SLOTS, 2)
            .put(ReplicaKey.DISPATCH, "round-robin")
            .put(ReplicaKey.RUN_DIRECTORY, "/run")
            .put(ReplicaKey.CPUS, "0=3,1=1")
            .build();

    ReplicaGroup told = ReplicaGroupProtocol.group(sent(settings));

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

  private static EffectiveSettings sent(EffectiveSettings settings) throws IOException {
    StringReader lines = new StringReader(settings.lines() + "\n");
    return Objects.requireNonNull(SettingLines.read(new BufferedReader(lines)));
  }

  private List<Integer> others() {
    return IntStream.range(0, place.slots()).filter(place::serves).boxed().toList();
  }
}
