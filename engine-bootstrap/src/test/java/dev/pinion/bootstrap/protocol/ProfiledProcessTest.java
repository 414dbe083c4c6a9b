package dev.pinion.bootstrap.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProfiledProcessTest {
  @ParameterizedTest
  @ValueSource(strings = {"replica 0", "replica 12", "broker"})
  void shouldBeFoundByItsName(String name) {
    assertEquals(name, ProfiledProcess.named(name).name());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "replica", "replica x", "replica 1234567", "history"})
  void shouldRefuseOtherNames(String name) {
    assertThrows(IllegalArgumentException.class, () -> ProfiledProcess.named(name));
  }

  @Test
  void shouldHaveReplicasByIndexThenTheBroker() {
    assertEquals(
        List.of("replica 2", "replica 10", "broker"),
        Stream.of("broker", "replica 10", "replica 2")
            .map(ProfiledProcess::named)
            .sorted()
            .map(ProfiledProcess::name)
            .toList());
  }
}
