package dev.pinion.architecture;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** No two files of a module have one name: a reader finds a class by its name. */
class SimpleNamesTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "engine-core",
        "engine-handlers",
        "engine-broker",
        "engine-bootstrap",
        "workloads",
        "benchmarks"
      })
  void shouldGiveEachFileOfAModuleItsOwnName(String module) throws IOException {
    String root = System.getProperty("pinion.root", "");
    assumeFalse(root.isEmpty(), "pinion.root is not set: no source is read");
    Path source = Path.of(root, module, "src", "main", "java");
    try (Stream<Path> files = Files.walk(source)) {
      Map<String, List<String>> byName =
          files
              .filter(each -> each.toString().endsWith(".java"))
              .map(each -> source.relativize(each).toString())
              .filter(each -> !each.endsWith("package-info.java"))
              .collect(
                  groupingBy(
                      each -> Path.of(each).getFileName().toString(), TreeMap::new, toList()));
      byName.values().removeIf(each -> each.size() == 1);
      assertEquals(Map.of(), byName);
    }
  }
}
