package dev.pinion.bootstrap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The page names every metric of the engine that its code names, and no other; tests of the parts
 * compare what they export.
 */
class DocumentedMetricsTest {
  private static final Pattern NAME = Pattern.compile("\"(pinion_[a-z0-9_]+)\"");
  private static final List<String> SECTIONS =
      List.of(
          "Of each replica",
          "Of the parent",
          "Of handlers",
          "Of sinks of events",
          "Of the broker's table");

  private static SortedSet<String> namedInCode() throws IOException {
    SortedSet<String> names = new TreeSet<>();
    for (String module : List.of("core", "handlers", "broker", "bootstrap")) {
      Path sources = DocumentedMetrics.root().resolve("engine-" + module + "/src/main/java");
      try (Stream<Path> files = Files.walk(sources)) {
        for (Path each : files.filter(Files::isRegularFile).toList()) {
          NAME.matcher(Files.readString(each)).results().forEach(it -> names.add(it.group(1)));
        }
      }
    }
    return names;
  }

  @Test
  void shouldNameWhatTheCodeNames() throws IOException {
    SortedSet<String> documented = new TreeSet<>();
    for (String each : SECTIONS) {
      documented.addAll(DocumentedMetrics.names(each));
    }

    assertEquals(namedInCode(), documented);
  }

  @Test
  void shouldTypeByName() throws IOException {
    for (String section : SECTIONS) {
      for (String each : DocumentedMetrics.of(section)) {
        assertEquals(each.contains("_total "), each.contains(" counter "), each);
      }
    }
  }

  @Test
  void shouldReadTextOfPrometheus() {
    String text =
        """
        # HELP a_seconds A.
        # TYPE a_seconds histogram
        a_seconds_bucket{kind="x, le=\\"y",le="1.0"} 2
        a_seconds_count{kind="x"} 2
        a_seconds_sum{kind="x"} 0.5
        # HELP b_count B.
        # TYPE b_count gauge
        b_count 1.0
        """;

    SortedSet<String> read = DocumentedMetrics.exported(text);

    assertEquals(List.of("a_seconds histogram [kind]", "b_count gauge []"), List.copyOf(read));
    assertTrue(DocumentedMetrics.exported("").isEmpty());
  }
}
