package dev.pinion.core.language;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;

/** Third-party test data next to the checkout. */
final class Suites {
  private Suites() {}

  /**
   * A directory below the one that a system property names; skips the test with a message without
   * it.
   */
  static Path directory(String property, String below) {
    String root = System.getProperty(property, "");
    Path directory = Path.of(root).resolve(below);
    assumeTrue(
        !root.isEmpty() && Files.isDirectory(directory),
        "skipped: expected test data at " + directory + " (system property " + property + ")");
    return directory;
  }
}
