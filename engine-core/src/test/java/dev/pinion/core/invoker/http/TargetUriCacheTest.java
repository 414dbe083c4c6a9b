package dev.pinion.core.invoker.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

/** Bounded cache of targets. */
class TargetUriCacheTest {
  private static final String BASE = "http://host:81/";

  private final TargetUriCache targetUriCache = new TargetUriCache();

  @Test
  void shouldReadOnce() throws InvalidCallException {
    TargetUri targetUri = targetUriCache.of(BASE + "a?b=c");
    assertEquals("/a?b=c", targetUri.path());
    assertEquals(new Origin(false, "host", 81), targetUri.origin());
    assertSame(targetUri, targetUriCache.of(BASE + "a?b=c"));
  }

  @Test
  void shouldForgetWhenThereAreTooMany() throws InvalidCallException {
    for (int i = 0; i < TargetUriCache.MOST; i++) {
      targetUriCache.of(BASE + i);
    }
    assertEquals(TargetUriCache.MOST, targetUriCache.size());
    assertEquals("/more", targetUriCache.of(BASE + "more").path());
    assertEquals(1, targetUriCache.size());
  }

  @Test
  void shouldKeepNeitherLongOnesNorWrongOnes() throws InvalidCallException {
    String longest = BASE + "x".repeat(TargetUriCache.MAX_LENGTH - BASE.length());
    targetUriCache.of(longest);
    assertEquals(1, targetUriCache.size());
    targetUriCache.of(longest + "x");
    assertThrows(InvalidCallException.class, () -> targetUriCache.of("ftp://host/"));
    assertThrows(InvalidCallException.class, () -> targetUriCache.of("ftp://host/"));
    assertEquals(1, targetUriCache.size());
  }
}
