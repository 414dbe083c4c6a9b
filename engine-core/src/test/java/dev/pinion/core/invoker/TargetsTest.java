package dev.pinion.core.invoker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

/** Bounded cache of targets. */
class TargetsTest {
  private static final String BASE = "http://host:81/";

  private final Targets targets = new Targets();

  @Test
  void shouldReadOnce() throws UncallableException {
    Target target = targets.of(BASE + "a?b=c");
    assertEquals("/a?b=c", target.path());
    assertEquals(new Origin(false, "host", 81), target.origin());
    assertSame(target, targets.of(BASE + "a?b=c"));
  }

  @Test
  void shouldForgetWhenThereAreTooMany() throws UncallableException {
    for (int i = 0; i < Targets.MOST; i++) {
      targets.of(BASE + i);
    }
    assertEquals(Targets.MOST, targets.size());
    assertEquals("/more", targets.of(BASE + "more").path());
    assertEquals(1, targets.size());
  }

  @Test
  void shouldKeepNeitherLongOnesNorWrongOnes() throws UncallableException {
    String longest = BASE + "x".repeat(Targets.MAX_LENGTH - BASE.length());
    targets.of(longest);
    assertEquals(1, targets.size());
    targets.of(longest + "x");
    assertThrows(UncallableException.class, () -> targets.of("ftp://host/"));
    assertThrows(UncallableException.class, () -> targets.of("ftp://host/"));
    assertEquals(1, targets.size());
  }
}
