package dev.pinion.bootstrap.replica;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.pinion.bootstrap.process.BindingChoice;
import dev.pinion.bootstrap.process.Dispatch;
import dev.pinion.bootstrap.process.HandlerChoice;
import dev.pinion.bootstrap.process.HistoryChoice;
import dev.pinion.bootstrap.process.ReplicaSettings;
import dev.pinion.core.peer.Neighbourhood;
import dev.pinion.core.peer.StartPolicy;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class NeighboursToldTest {
  private final Neighbourhood place =
      new Neighbourhood(1, 12, Path.of("/run"), StartPolicy.LEAST_LOADED);

  // Field fault 32: replicas of different sizes
  @Test
  void shouldWeighReplicasByTheirCpus() throws IOException {
    ReplicaSettings settings =
        new ReplicaSettings(
            0,
            2,
            "",
            Dispatch.ROUND_ROBIN,
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
            HistoryChoice.NONE,
            HandlerChoice.NONE,
            BindingChoice.OPEN,
            "");

    Neighbourhood told = Neighbours.neighbourhood(SettingsReader.read(settings.toJson()));

    assertEquals(3, told.weight(0));
    assertEquals(1, told.weight(1));
  }

  @Test
  void shouldKnowWhoServesOnceTold() {
    Neighbours.told(place, "@peers 0 1 11");

    assertEquals(List.of(0, 11), others());
  }

  @Test
  void shouldKnowThatNobodyServesAnyMore() {
    Neighbours.told(place, "@peers 0");

    Neighbours.told(place, "@peers ");

    assertEquals(List.of(), others());
  }

  @Test
  void shouldRefuseWhatIsNoIndex() {
    Neighbours.told(place, "@peers 2");

    assertThrows(NumberFormatException.class, () -> Neighbours.told(place, "@peers 0 x"));

    assertEquals(List.of(2), others());
  }

  private List<Integer> others() {
    return IntStream.range(0, place.slots()).filter(place::serves).boxed().toList();
  }
}
