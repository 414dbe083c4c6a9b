package dev.pinion.bootstrap.conformance;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Programs found in folders.
 *
 * @param folders folders, as in {@code PATH}
 */
record InstalledPrograms(List<Path> folders) {
  /** Programs that do nothing without a service of the machine. */
  private static final Set<String> CONTAINER_ENGINES = Set.of("docker", "podman");

  private static final int SECONDS_TO_ANSWER = 10;

  /** Those of this process's {@code PATH}. */
  static InstalledPrograms ofPath() {
    String path = System.getenv().getOrDefault("PATH", "");
    return new InstalledPrograms(
        Stream.of(path.split(File.pathSeparator, -1))
            .filter(each -> !each.isEmpty())
            .map(Path::of)
            .toList());
  }

  /** What a scenario needs and nobody has installed; empty if it can run. */
  Optional<String> missing(Scenario scenario) {
    return scenario.requiredPrograms().stream()
        .filter(oneOf -> oneOf.stream().noneMatch(this::has))
        .map(oneOf -> String.join(" or ", oneOf))
        .findFirst();
  }

  private boolean has(String program) {
    return folders.stream()
        .map(each -> each.resolve(program))
        .filter(Files::isExecutable)
        .anyMatch(each -> !CONTAINER_ENGINES.contains(program) || answers(each));
  }

  /** Whether a container engine can be asked about itself. */
  private static boolean answers(Path engine) {
    try {
      Process process =
          new ProcessBuilder(engine.toString(), "info")
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      if (!process.waitFor(SECONDS_TO_ANSWER, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        return false;
      }
      return process.exitValue() == 0;
    } catch (IOException _) {
      return false;
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
