package dev.pinion.bootstrap.replica;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.pinion.core.peer.Neighbourhood;
import dev.pinion.core.peer.StartPolicy;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class NeighboursToldTest {
  private final Neighbourhood place =
      new Neighbourhood(1, 12, Path.of("/run"), StartPolicy.LEAST_LOADED);

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
