package dev.pinion.bootstrap.datadir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The identity of a data folder, kept in its file {@value #FILE}. The parent reads it at its start
 * and passes it to its children, so that none of them mistakes another folder at the same path,
 * such as the empty mount point of a missing volume, for the right one.
 *
 * @param id 32 hexadecimal digits, random, made once for a folder
 * @param generation number of engine starts with this folder, which distinguishes a folder from an
 *     older copy
 */
public record DataDirectoryIdentity(String id, long generation) {
  /** Name of the file in the data folder. */
  public static final String FILE = "identity";

  /** Version of the format of data folders that this version reads and writes. */
  public static final int FORMAT = 1;

  private static final int MAX_FILE_BYTES = 1_024;

  private static final String BEGINNING = "pinion data ";

  private static final Pattern TEXT =
      Pattern.compile(BEGINNING + "(\\d{1,9})\nid ([0-9a-f]{32})\ngeneration (\\d{18})\n");

  private static final Pattern WORDS = Pattern.compile("([0-9a-f]{32}) (\\d{1,18})");

  /** The folder under a path is not the one with which this engine started. */
  public static final class DataDirectoryLostException extends IOException {
    private static final long serialVersionUID = 1;

    DataDirectoryLostException(String message) {
      super(message);
    }
  }

  /** Whether a folder contains an identity file of Pinion, of any version. */
  public static boolean isIn(Path folder) throws IOException {
    return text(folder.resolve(FILE)).filter(text -> text.startsWith(BEGINNING)).isPresent();
  }

  /** The text of the file; empty if there is none. */
  private static Optional<String> text(Path file) throws IOException {
    if (Files.isDirectory(file)) {
      return Optional.of("");
    }
    try (var bytes = Files.newInputStream(file)) {
      return Optional.of(new String(bytes.readNBytes(MAX_FILE_BYTES), StandardCharsets.UTF_8));
    } catch (NoSuchFileException | NotDirectoryException e) {
      return Optional.empty();
    }
  }

  /**
   * Reads the identity of a folder.
   *
   * @return empty when the folder has none
   * @throws IOException when the file cannot be read, is damaged, or is of a newer format
   */
  public static Optional<DataDirectoryIdentity> read(Path folder) throws IOException {
    Path file = folder.resolve(FILE);
    Optional<String> text = text(file);
    if (text.isEmpty()) {
      return Optional.empty();
    }
    Matcher matcher = TEXT.matcher(text.get());
    if (!matcher.matches()) {
      throw new IOException(
          String.format(
              Locale.ROOT,
              "expected the identity of a data folder in %s, found %s: if the folder is the right"
                  + " one, move this away and start again",
              file,
              Files.isDirectory(file) ? "a folder" : "other text"));
    }
    int format = Integer.parseInt(matcher.group(1));
    if (format > FORMAT) {
      throw new IOException(
          String.format(
              Locale.ROOT,
              "expected a data folder of format 1 to %d, found format %d in %s: start the version"
                  + " of Pinion that wrote it, or a newer one",
              FORMAT,
              format,
              file));
    }
    return Optional.of(
        new DataDirectoryIdentity(matcher.group(2), Long.parseLong(matcher.group(3))));
  }

  /** Content of the file: equally long for any identity, so that it can be overwritten in place. */
  public String text() {
    return String.format(
        Locale.ROOT, "pinion data %d\nid %s\ngeneration %018d\n", FORMAT, id, generation);
  }

  /** The format for children; {@link #parse} reads it. */
  public String words() {
    return id + " " + generation;
  }

  /**
   * Reads {@link #words}.
   *
   * @throws IllegalArgumentException when it is anything else
   */
  public static DataDirectoryIdentity parse(String words) {
    Matcher matcher = WORDS.matcher(words);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "expected the id and generation of a data folder, found \"" + words + "\"");
    }
    return new DataDirectoryIdentity(matcher.group(1), Long.parseLong(matcher.group(2)));
  }

  /**
   * Checks that a folder is the one of this identity.
   *
   * @throws DataDirectoryLostException when it is another one or missing
   * @throws IOException when it cannot be read
   */
  public void check(Path folder) throws IOException {
    Optional<DataDirectoryIdentity> found = read(folder);
    if (found.isEmpty() || !found.get().equals(this)) {
      throw new DataDirectoryLostException(
          String.format(
              Locale.ROOT,
              "expected data folder %s of generation %d in %s, found %s: mount or restore that"
                  + " folder, then start again",
              id,
              generation,
              folder,
              found.map(DataDirectoryIdentity::describe).orElse(absent(folder))));
    }
  }

  private String describe() {
    return "data folder " + id + " of generation " + generation;
  }

  private static String absent(Path folder) {
    return Files.isDirectory(folder) ? "a folder without an identity" : "no folder";
  }
}
