package dev.pinion.bootstrap.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FeatureLibraryTest {
  private static final String FEATURE =
      "Feature: %s\n  Scenario: One\n    When the workflow is executed\n";

  @TempDir private Path folder;

  @Test
  void shouldListEveryFeatureOfTheSuiteInItsIndex() throws Exception {
    URL index = Objects.requireNonNull(FeatureLibrary.class.getResource("/conformance/index.txt"));
    TreeSet<String> found;
    try (Stream<Path> files = Files.list(Path.of(index.toURI()).resolveSibling(""))) {
      found =
          files
              .map(each -> each.getFileName().toString())
              .filter(each -> each.endsWith(".feature"))
              .map(each -> each.replace(".feature", ""))
              .collect(Collectors.toCollection(TreeSet::new));
    }

    List<String> listed = FeatureLibrary.resource("index.txt").lines().toList();
    assertEquals(found, new TreeSet<>(listed));
    assertEquals(found.size(), listed.size());
  }

  @Test
  void shouldReadFoldersInOrderOfTheirFiles() throws Exception {
    Files.createDirectory(folder.resolve("b"));
    Files.writeString(folder.resolve("b/two.feature"), FEATURE.formatted("Two"));
    Files.writeString(folder.resolve("a.feature"), FEATURE.formatted("First"));
    Files.writeString(folder.resolve("notes.txt"), "no feature");

    assertEquals(
        List.of("First", "Two"),
        FeatureLibrary.in(folder).stream().map(Scenario::feature).toList());
  }

  @Test
  void shouldRefuseFoldersWithoutFeatures() {
    IOException e = assertThrows(IOException.class, () -> FeatureLibrary.in(folder));

    assertTrue(String.valueOf(e.getMessage()).contains("expected files *.feature in " + folder));
    assertThrows(NoSuchFileException.class, () -> FeatureLibrary.in(folder.resolve("missing")));
  }

  @Test
  void shouldRefuseFilesThatAreTooLarge() throws Exception {
    Path file = folder.resolve("large.feature");
    Files.writeString(file, FEATURE.formatted("Large"));
    grow(file, FeatureLibrary.MAX_BYTES + 1);

    IOException e = assertThrows(IOException.class, () -> FeatureLibrary.in(folder));

    assertTrue(String.valueOf(e.getMessage()).contains("expected at most 4194304 bytes"));
  }

  private static void grow(Path file, long bytes) throws IOException {
    try (RandomAccessFile content = new RandomAccessFile(file.toFile(), "rw")) {
      content.setLength(bytes);
    }
  }

  @Test
  void shouldTellMissingResources() {
    IOException e = assertThrows(IOException.class, () -> FeatureLibrary.resource("none.feature"));

    assertEquals(
        "expected /conformance/none.feature on the class path, found none", e.getMessage());
  }
}
