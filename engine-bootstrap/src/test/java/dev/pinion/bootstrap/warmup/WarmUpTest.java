package dev.pinion.bootstrap.warmup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.bootstrap.settings.EffectiveSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WarmUpTest {
  @TempDir private Path data;

  @Test
  void shouldAnswerAsManyRequestsAsTheLimitSaysAndLeaveNothing() throws IOException {
    // given: files of a replica that was killed meanwhile
    Files.createDirectories(data.resolve("warm-up-0/journal"));
    Files.writeString(data.resolve("warm-up-0/journal/nonsense"), "nonsense");

    // when
    int answered = run(Map.of("start.warmUpMillis", 60_000, "start.warmUpRequests", 211));

    // then
    assertEquals(211, answered);
    assertNothingLeft();
  }

  @Test
  void shouldWarmUpWhatTheLimitsOfTheUserAllow() throws IOException {
    int answered =
        run(
            Map.of(
                "start.warmUpMillis", 60_000,
                "start.warmUpRequests", 100,
                "definition.maxTasks", 5));

    assertTrue(answered > 0 && answered < 100, "answered well: " + answered);
    assertNothingLeft();
  }

  @Test
  void shouldDoNothingWhenItIsOff() throws IOException {
    assertEquals(0, run(Map.of("start.warmUpMillis", 0)));
    assertNothingLeft();
  }

  @Test
  void shouldEndWithTheTimeAndLetTheReplicaStart() throws IOException {
    int answered = run(Map.of("start.warmUpMillis", 1, "start.warmUpRequests", 1_000_000));

    assertTrue(answered < 1_000_000);
    assertNothingLeft();
  }

  @Test
  void shouldEndBeforeTheNextRequestWhenTheReplicaIsToStop() throws IOException {
    AtomicInteger looks = new AtomicInteger();

    int answered =
        warmUp()
            .run(
                settings(data, Map.of("start.warmUpMillis", 60_000)),
                () -> looks.incrementAndGet() > 3);

    assertEquals(3, answered);
    assertNothingLeft();
  }

  @Test
  void shouldLetTheReplicaStartWhenTheFolderCannotBeMade() throws IOException {
    Files.writeString(data.resolve("file"), "");

    assertEquals(
        0,
        warmUp()
            .run(settings(data.resolve("file"), Map.of("start.warmUpMillis", 1_000)), () -> false));
    assertFalse(Files.exists(data.resolve("warm-up-0")));
  }

  private int run(Map<String, Integer> limits) {
    return warmUp().run(settings(data, limits), () -> false);
  }

  private static WarmUp warmUp() {
    return WarmUp.ofThisProcess();
  }

  private void assertNothingLeft() throws IOException {
    try (Stream<Path> left = Files.list(data)) {
      assertEquals(0, left.count());
    }
  }

  private static EffectiveSettings settings(Path data, Map<String, Integer> limits) {
    return EffectiveSettings.defaults(data).limits(limits).build();
  }
}
