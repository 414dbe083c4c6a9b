package dev.pinion.benchmarks.experiments.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class HostileRequestsTest {
  @Test
  void shouldDependOnTheSeedOnly() {
    assertEquals(kinds(7, 50), kinds(7, 50));
    assertNotEquals(kinds(7, 50), kinds(8, 50));
  }

  @Test
  void shouldSendEveryKindInTheEnd() {
    Set<String> all =
        HostileRequests.all().stream().map(HostileRequest::kind).collect(Collectors.toSet());

    assertEquals(all, Set.copyOf(kinds(1, 2_000)), "seed 1");
    assertEquals(HostileRequests.all().size(), all.size());
  }

  @Test
  void shouldGiveUpOneOfFive() {
    HostileRequests requests = new HostileRequests(3);

    long abandoned = IntStream.range(0, 500).filter(i -> requests.next().abandoned()).count();

    assertEquals(100, abandoned);
  }

  @Test
  void shouldSayTheSizesThatItIsMadeFor() {
    HostileRequest deep = named("deep arrays");
    HostileRequest huge = named("huge input");

    assertTrue(deep.text().contains("[".repeat(100_000)));
    assertTrue(deep.text().contains("content-length: 200010\r\n"), deep.text().substring(0, 200));
    assertTrue(huge.text().contains("content-length: 1073741824\r\n"));
    assertTrue(huge.bytes().length < 10_000);
  }

  private static HostileRequest named(String kind) {
    return HostileRequests.all().stream()
        .filter(request -> request.kind().equals(kind))
        .findFirst()
        .orElseThrow();
  }

  private static List<String> kinds(long seed, int count) {
    HostileRequests requests = new HostileRequests(seed);
    return IntStream.range(0, count).mapToObj(i -> requests.next().kind()).toList();
  }
}
