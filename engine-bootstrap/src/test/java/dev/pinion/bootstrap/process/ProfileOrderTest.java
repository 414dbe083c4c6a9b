package dev.pinion.bootstrap.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProfileOrderTest {
  private static final Path FOLDER = Path.of("/tmp/a folder with spaces");

  @Test
  void shouldBeReadAsItWasSaid() {
    ProfileOrder order = new ProfileOrder(ProfileOrder.MAX_SECONDS, 1234, FOLDER);

    assertEquals(order, ProfileOrder.parse(order.line()));
    assertEquals(FOLDER.resolve("replica-3.jfr"), order.recording(ProfiledProcess.replica(3)));
    assertEquals(FOLDER.resolve("broker.jfr"), order.recording(ProfiledProcess.BROKER));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, ProfileOrder.MAX_SECONDS})
  void shouldTakeTimesWithinBounds(int seconds) {
    assertEquals(seconds, new ProfileOrder(seconds, 1, FOLDER).seconds());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, ProfileOrder.MAX_SECONDS + 1})
  void shouldRefuseTimesOutOfBounds(int seconds) {
    assertThrows(IllegalArgumentException.class, () -> new ProfileOrder(seconds, 1, FOLDER));
  }

  @ParameterizedTest
  @ValueSource(strings = {"relative", "/two\nlines", "/tab\there"})
  void shouldRefuseFoldersThatDoNotFitIntoALine(String folder) {
    assertThrows(IllegalArgumentException.class, () -> new ProfileOrder(1, 1, Path.of(folder)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"@drain", "@profile", "@profile 1 2", "@profile x 2 /tmp", ""})
  void shouldTakeOtherLinesForNoOrder(String line) {
    assertNull(ProfileOrder.parse(line));
  }
}
