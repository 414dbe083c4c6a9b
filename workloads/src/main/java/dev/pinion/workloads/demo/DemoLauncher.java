package dev.pinion.workloads.demo;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The engine's command line, {@code bin/pinion}. */
final class DemoLauncher {
  /** System property that names the launcher, if it is not beside this class. */
  static final String PROPERTY = "pinion.launcher";

  private final Path path;

  private DemoLauncher(Path path) {
    this.path = path;
  }

  /** The launcher: by the system property, else {@code bin/pinion} above this class's own file. */
  static DemoLauncher find() throws DemoException {
    String given = System.getProperty(PROPERTY);
    if (given != null) {
      return at(Path.of(given));
    }
    Path from = codeSource();
    for (Path above = from; above != null; above = above.getParent()) {
      Path candidate = above.resolve("bin/pinion");
      if (Files.isExecutable(candidate)) {
        return new DemoLauncher(candidate);
      }
    }
    throw new DemoException(
        "expected bin/pinion above " + from + ", found none; name it with -D" + PROPERTY + "=FILE");
  }

  /** The launcher at this path. */
  static DemoLauncher at(Path path) throws DemoException {
    if (!Files.isExecutable(path)) {
      throw new DemoException("expected an executable file at " + path + ", found none");
    }
    return new DemoLauncher(path.toAbsolutePath());
  }

  /** Command that serves on a free port and keeps its data in a directory. */
  List<String> serve(Path data) {
    return List.of(path.toString(), "serve", "--port", "0", "--data", data.toString(), "--json");
  }

  /** Runs {@code topology} to its end and returns its output. */
  String topology(boolean json) throws DemoException, InterruptedException {
    List<String> command =
        json
            ? List.of(path.toString(), "topology", "--json")
            : List.of(path.toString(), "topology");
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    try {
      Process process = builder.start();
      String printed;
      try (var out = process.getInputStream()) {
        printed = new String(out.readAllBytes(), UTF_8);
      }
      int status = process.waitFor();
      if (status != 0) {
        throw new DemoException(
            "expected " + String.join(" ", command) + " to exit with 0, found " + status);
      }
      return printed;
    } catch (IOException notStarted) {
      throw new DemoException(
          "expected to run " + path + ", found: " + notStarted.getMessage(), notStarted);
    }
  }

  private static Path codeSource() throws DemoException {
    try {
      return Path.of(
          DemoLauncher.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException impossible) {
      throw new DemoException("expected this class to come from a file", impossible);
    }
  }
}
