package dev.pinion.bootstrap.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProfileRequestTest {
  private static final Path FOLDER = Path.of("/tmp/a folder with spaces");

  @Test
  void shouldBeReadAsItWasSaid() {
    ProfileRequest order = new ProfileRequest(ProfileRequest.MAX_SECONDS, 1234, FOLDER);

    assertEquals(order, ProfileRequest.parse(order.line()));
    assertEquals(FOLDER.resolve("replica-3.jfr"), order.recording(ProfiledProcess.replica(3)));
    assertEquals(FOLDER.resolve("broker.jfr"), order.recording(ProfiledProcess.BROKER));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, ProfileRequest.MAX_SECONDS})
  void shouldTakeTimesWithinBounds(int seconds) {
    assertEquals(seconds, new ProfileRequest(seconds, 1, FOLDER).seconds());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, ProfileRequest.MAX_SECONDS + 1})
  void shouldRefuseTimesOutOfBounds(int seconds) {
    assertThrows(IllegalArgumentException.class, () -> new ProfileRequest(seconds, 1, FOLDER));
  }

  @ParameterizedTest
  @ValueSource(strings = {"relative", "/two\nlines", "/tab\there"})
  void shouldRefuseFoldersThatDoNotFitIntoALine(String folder) {
    assertThrows(IllegalArgumentException.class, () -> new ProfileRequest(1, 1, Path.of(folder)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"@drain", "@profile", "@profile 1 2", "@profile x 2 /tmp", ""})
  void shouldTakeOtherLinesForNoOrder(String line) {
    assertNull(ProfileRequest.parse(line));
  }
}
