package dev.pinion.benchmarks.cli;

import java.nio.file.Files;
import java.nio.file.Path;

/** {@code bin/pinion}, as it names itself by a system property to what it starts. */
final class Launcher {
  private static final String PROPERTY = "pinion.launcher";

  private Launcher() {}

  /**
   * The launcher.
   *
   * @throws IllegalArgumentException when this command was not started through it
   */
  static Path path() {
    String launcher = System.getProperty(PROPERTY);
    if (launcher == null || !Files.isExecutable(Path.of(launcher))) {
      throw new IllegalArgumentException(
          "expected -D"
              + PROPERTY
              + "=FILE to name bin/pinion, found "
              + launcher
              + "; start this command through bin/pinion");
    }
    return Path.of(launcher).toAbsolutePath();
  }

  /** The checkout that the launcher belongs to; without a launcher the current folder. */
  static Path checkout() {
    String launcher = System.getProperty(PROPERTY);
    Path folder = launcher == null ? null : Path.of(launcher).toAbsolutePath().getParent();
    return folder == null ? Path.of(".") : folder.resolveSibling(".").normalize();
  }
}
