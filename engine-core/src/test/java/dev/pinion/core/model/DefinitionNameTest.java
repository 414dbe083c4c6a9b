package dev.pinion.core.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class DefinitionNameTest {
  /** Replicas of another version must agree on the owner of a schedule. */
  @Test
  void shouldBelongToTheSamePartitionForEver() {
    assertEquals(547, new DefinitionName("tests", "job").partition());
    assertEquals(479, new DefinitionName("docs", "nightly").partition());
    assertEquals(507, new DefinitionName("default", "a").partition());
  }

  @Test
  void shouldSpreadSimilarNames() {
    int[] names = new int[InstanceId.MAX_PARTITIONS];
    for (int i = 0; i < 10 * names.length; i++) {
      names[new DefinitionName("default", "job" + i).partition()]++;
    }
    for (int count : names) {
      assertTrue(count > 0 && count <= 25, () -> "names in a partition: " + count);
    }
  }

  @Test
  void shouldBeOrderedByNamespaceThenName() {
    List<DefinitionName> ordered =
        Stream.of("b/a", "a/b", "a/a", "a-a/c").map(DefinitionNameTest::name).sorted().toList();

    assertEquals(
        Stream.of("a/a", "a/b", "a-a/c", "b/a").map(DefinitionNameTest::name).toList(), ordered);
    assertEquals("a/b", ordered.get(1).toString());
    assertEquals(
        new DefinitionName("n", "d"), DefinitionName.of(new DefinitionKey("n", "d", "1.0.0")));
  }

  private static DefinitionName name(String text) {
    String[] parts = text.split("/", 2);
    return new DefinitionName(parts[0], parts[1]);
  }
}
