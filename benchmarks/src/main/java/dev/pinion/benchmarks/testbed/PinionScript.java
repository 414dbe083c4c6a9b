package dev.pinion.benchmarks.testbed;

import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** {@code bin/pinion} of the checkout that this program was built in. */
public final class PinionScript {
  /** System property that names a different launcher. */
  private static final String PROPERTY = "pinion.launcher";

  private static final Path IN_CHECKOUT = Path.of("bin", "pinion");

  private PinionScript() {}

  /**
   * The launcher.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static Path path() {
    String named = System.getProperty(PROPERTY);
    Path launcher = named == null ? found() : Path.of(named).toAbsolutePath();
    if (launcher == null || !Files.isExecutable(launcher)) {
      throw new IllegalArgumentException(
          "expected the command bin/pinion, found "
              + (launcher == null
                  ? "none above the classes of this program"
                  : "none at " + launcher)
              + "; name it with -D"
              + PROPERTY
              + "=FILE");
    }
    return launcher;
  }

  /** The checkout of the launcher; without a launcher the current folder. */
  public static Path checkout() {
    Path launcher = found();
    Path bin = launcher == null ? null : launcher.getParent();
    Path root = bin == null ? null : bin.getParent();
    return root == null ? Path.of(".") : root;
  }

  private static @Nullable Path found() {
    try {
      Path from =
          Path.of(PinionScript.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      for (Path above = from; above != null; above = above.getParent()) {
        Path candidate = above.resolve(IN_CHECKOUT);
        if (Files.isExecutable(candidate)) {
          return candidate;
        }
      }
      return null;
    } catch (URISyntaxException e) {
      throw new IllegalStateException("expected these classes to come from a file", e);
    }
  }
}
