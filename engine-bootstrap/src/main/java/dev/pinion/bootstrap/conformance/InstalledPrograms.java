package dev.pinion.bootstrap.conformance;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Programs found in folders.
 *
 * @param folders folders, as in {@code PATH}
 */
record InstalledPrograms(List<Path> folders) {
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
    return folders.stream().anyMatch(each -> Files.isExecutable(each.resolve(program)));
  }
}
