package dev.pinion.core.partition;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The journals of a data directory, in the file {@code journal/journals}: otherwise one that is
 * lost together with its claims would look like one that never existed. A journal is listed after
 * its files exist, so a crash in between does not report a missing one. Read and written only by
 * the holder of the {@link MigrationLock}.
 */
public final class JournalCatalog {
  private static final String NAME = "journals";

  private JournalCatalog() {}

  /**
   * Checks that no part of a listed journal is missing.
   *
   * @throws IOException when one is, or when the list is damaged
   */
  public static void requireAll(Path root) throws IOException {
    List<String> missing = missing(root);
    if (!missing.isEmpty()) {
      throw new IOException(String.join("; ", missing));
    }
  }

  /**
   * The missing parts of the listed journals.
   *
   * @param root folder of the journals
   * @return a sentence for each missing journal, naming its file
   * @throws IOException when the list is damaged
   */
  public static List<String> missing(Path root) throws IOException {
    List<String> missing = new ArrayList<>();
    for (String journal : read(root)) {
      Path format = root.resolve(journal).resolve("FORMAT");
      Path claims = PartitionClaims.fileOf(root, journal);
      for (Path file : List.of(format, claims)) {
        if (!Files.exists(file)) {
          missing.add(
              "expected "
                  + file
                  + " of a journal that is listed in "
                  + root.resolve(NAME)
                  + ", found none; put a copy of it back");
        }
      }
    }
    return missing;
  }

  /**
   * Lists a journal, unless it is listed.
   *
   * @param journal name of its folder
   */
  public static void add(Path root, String journal) throws IOException {
    SortedSet<String> listed = read(root);
    if (listed.add(journal)) {
      ChecksummedFile.write(root.resolve(NAME), NAME, List.copyOf(listed));
    }
  }

  private static SortedSet<String> read(Path root) throws IOException {
    Path file = root.resolve(NAME);
    return Files.exists(file)
        ? new TreeSet<>(ChecksummedFile.read(file, NAME, "the names of journals"))
        : new TreeSet<>();
  }
}
