package dev.pinion.bootstrap.profile;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class IcicleGraphTest {
  /** The root and the group of threads above each stack. */
  private static final int ABOVE = 2;

  /** Frames of a stack: the flight recorder keeps at most 256. */
  private static final int DEPTH = 250;

  private static final int LARGE = (IcicleGraph.MAX_NODES - ABOVE) / DEPTH;
  private static final int LEFT = (IcicleGraph.MAX_NODES - ABOVE) % DEPTH;

  private static Stacks large() {
    Stacks stacks = new Stacks();
    for (int i = 0; i < LARGE; i++) {
      stacks.cpu(2, deep("a" + i + "_", DEPTH));
    }
    return stacks;
  }

  @Test
  void shouldShowAsManyNodesAsThereMayBe() {
    Profile profile = large().cpu(1, deep("b", LEFT)).profile("full");

    assertEquals(IcicleGraph.MAX_NODES, nodes(tree(profile)));
  }

  @Test
  void shouldLeaveOutTheSmallestBeyondThat() {
    Profile profile = large().cpu(1, deep("b", LEFT + 1)).profile("beyond");

    JsonNode tree = tree(profile);

    assertEquals(IcicleGraph.MAX_NODES, nodes(tree));
    JsonNode smallest = tree.at("/2/0/2").get(LARGE);
    assertEquals("b0", smallest.get(0).asText());
    assertEquals(LEFT, nodes(smallest));
  }

  @Test
  void shouldShowTheSmallestShareAndNothingBelowIt() {
    double whole = 10_000;
    double smallest = whole * IcicleGraph.MIN_SHARE;

    assertEquals(2, stacks(whole - smallest, smallest));
    assertEquals(1, stacks(whole - smallest + 1, smallest - 1));
  }

  private static int stacks(double large, double small) {
    Profile profile = new Stacks().cpu(large, "a.B.c").cpu(small, "d.E.f").profile("shares");
    return tree(profile).at("/2/0/2").size();
  }

  private static JsonNode tree(Profile profile) {
    return new IcicleGraph(ProfileSelection.of(List.of(profile), _ -> true))
        .json(new ObjectMapper());
  }

  private static int nodes(JsonNode node) {
    int nodes = 1;
    for (JsonNode child : node.get(2)) {
      nodes += nodes(child);
    }
    return nodes;
  }

  private static String[] deep(String name, int frames) {
    return IntStream.range(0, frames).mapToObj(i -> name + i).toArray(String[]::new);
  }
}
