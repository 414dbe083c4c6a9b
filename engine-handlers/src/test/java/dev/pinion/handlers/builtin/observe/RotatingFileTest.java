package dev.pinion.handlers.builtin.observe;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rotated files. */
class RotatingFileTest {
  @TempDir private Path folder;

  private static ByteBuffer line(String text) {
    return ByteBuffer.wrap((text + "\n").getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void shouldGoOnWhenSomebodyDeletesTheFile() throws IOException {
    Path path = folder.resolve("log");
    var rotationPolicy = new RotatingFile.RotationPolicy(4, Duration.ofDays(1), 2);
    try (RotatingFile file = new RotatingFile(path, rotationPolicy, 0)) {
      file.append(line("one"), 0);
      file.append(line("two"), 0);
      file.append(line("six"), 0);
      Files.delete(path);
      file.append(line("ten"), 0);
    }
    assertEquals("ten\n", Files.readString(path));
    assertEquals("two\n", Files.readString(folder.resolve("log.1")), "older files stay");
    assertEquals("one\n", Files.readString(folder.resolve("log.2")), "older files stay");
  }
}
