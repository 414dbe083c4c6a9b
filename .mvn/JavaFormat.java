import com.google.googlejavaformat.java.Formatter;
import com.google.googlejavaformat.java.ImportOrderer;
import com.google.googlejavaformat.java.JavaFormatterOptions;
import com.google.googlejavaformat.java.RemoveUnusedImports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Formats every Java file below a root, or checks that nothing is left to format.
 *
 * <p>Usage: {@code java JavaFormat.java check|apply ROOT}. Exit status 1 when {@code check} found an unformatted file.
 */
final class JavaFormat {
  public static void main(String[] args) throws Exception {
    boolean apply = args[0].equals("apply");
    Path root = Path.of(args[1]);
    List<Path> changed =
        javaFiles(root).parallelStream()
            .filter(file -> changes(file, apply))
            .map(root::relativize)
            .toList();
    changed.forEach(file -> System.err.println((apply ? "formatted " : "not formatted: ") + file));
    if (!apply && !changed.isEmpty()) {
      System.err.println("Run bin/format to format them.");
      System.exit(1);
    }
  }

  private static List<Path> javaFiles(Path root) throws IOException {
    try (Stream<Path> paths = Files.walk(root)) {
      return paths
          .filter(path -> path.toString().endsWith(".java"))
          .filter(path -> path.toString().contains("/src/"))
          .filter(path -> !path.toString().contains("/target/"))
          .sorted()
          .toList();
    }
  }

  private static boolean changes(Path file, boolean apply) {
    try {
      String before = Files.readString(file, StandardCharsets.UTF_8);
      String after = format(file, before);
      boolean changes = !after.equals(before);
      if (changes && apply) {
        Files.writeString(file, after, StandardCharsets.UTF_8);
      }
      return changes;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String format(Path file, String source) {
    try {
      String ordered =
          ImportOrderer.reorderImports(
              RemoveUnusedImports.removeUnusedImports(source), JavaFormatterOptions.Style.GOOGLE);
      return new Formatter().formatSource(ordered);
    } catch (Exception e) {
      throw new IllegalStateException("cannot format " + file, e);
    }
  }
}
